"""What was cut short in a search: kinds and numbers, and the sentence that they make."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

_LEFT_TIME = "was stopped to leave time for the remaining stages"


class CutKind(Enum):
    """What can be cut short; the value is its sentence, with room for numbers and names."""

    SEARCH_TIME = "the search stopped at the time limit of {:g} s"
    JUDGING_TIME = "judging hidden causes stopped at the time limit of {:g} s"
    LEARNING = f"learning the PAG {_LEFT_TIME}"
    PAG_SEARCH = f"the search of the PAG {_LEFT_TIME}"
    REFERENCE = f"the search without hidden causes {_LEFT_TIME}"
    REFINING = f"the search for hidden causes {_LEFT_TIME}"
    CANDIDATES = "of {1:,} groups of variables that may have a hidden cause, the first {0:,} were tried"
    WORK = "the work limit of {:,} DAGs ended the search"
    RESTARTS = "limits left room for {:,} of {:,} restarts"
    MAGS = "only the first {:,} MAGs with {} bidirected edges were scored"
    CLIQUES = "only the first {:,} cliques of the PAG were tried"
    UNSCORED = "a DAG could not be scored and was left out: {}"
    STOPPED = "{}"


TIME_SHARES = (CutKind.LEARNING, CutKind.PAG_SEARCH, CutKind.REFERENCE, CutKind.REFINING)
LIMITS = (*TIME_SHARES, CutKind.SEARCH_TIME, CutKind.JUDGING_TIME, CutKind.WORK)


@dataclass(frozen=True)
class Cut:
    """Something that was cut short, with what there is to say of it."""

    kind: CutKind
    values: tuple[float | str | None, ...] = ()

    def __str__(self) -> str:
        return self.kind.value.format(*self.values)
