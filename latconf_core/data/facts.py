"""What is known of a table beside its rows: how they came about, which a claim about hidden causes depends on."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class TableFacts:
    """What preparing a table did to it, and what the user says of it.

    filled_in : variables whose missing cells became a state or were filled in
    is_counted : whether a column said how often each row occurs
    n_dropped : rows that were dropped for their missing cells
    rows_are_real : whether the user says that rows which look copied, or designed, were observed so
    """

    filled_in: frozenset[str] = frozenset()
    is_counted: bool = False
    rows_are_real: bool = False
    n_dropped: int = 0

    def of(self, names: tuple[str, ...]) -> TableFacts:
        """The facts of some of the variables."""
        return replace(self, filled_in=self.filled_in & frozenset(names)) if self.filled_in else self


NO_FACTS = TableFacts()
