"""Whether a table is searched as it came: many variables, some of which have more states than tests bear."""

from __future__ import annotations

from dataclasses import dataclass

from latconf_core.data.dataset import Dataset

MANY_STATES = 10  # a table of two such variables has more than a hundred cells, beside a third of them a thousand
MANY_VARIABLES = 30  # of which some have many states; Alarm's 37 have four at most, and are no burden
TOO_MANY_VARIABLES = 60


@dataclass(frozen=True)
class TableLoad:
    """What makes a search long and its tests weak.

    many_states : the variables with more than MANY_STATES states
    """

    n_variables: int
    many_states: tuple[str, ...]

    @property
    def is_heavy(self) -> bool:
        """Whether to say so before a search begins."""
        is_raw = self.n_variables > MANY_VARIABLES and bool(self.many_states)
        return is_raw or self.n_variables > TOO_MANY_VARIABLES


def measure_load(data: Dataset) -> TableLoad:
    """What of these data is a burden."""
    many = tuple(name for name, n_states in zip(data.names, data.n_states) if n_states > MANY_STATES)
    return TableLoad(data.n_variables, many)
