"""What is said before a table is searched as it came."""

from __future__ import annotations

from latconf_core.data.table_load import MANY_STATES, TableLoad
from latconf_core.phrases import counted, list_names

SHOWN_NAMES = 3


def load_sentences(load: TableLoad) -> list[str]:
    """What makes the search long and its tests weak, and what to do about it."""
    said = [f"{counted(load.n_variables, 'variable')} would be searched as they stand."]
    n_many = len(load.many_states)
    if n_many:
        shown = list(load.many_states[:SHOWN_NAMES])
        rest = n_many - len(shown)
        named = list_names([*shown, *([f"{rest:,} more"] if rest else [])])
        have = "has" if n_many == 1 else "have"
        said.append(
            f"{named} {have} more than {MANY_STATES} states: few rows fall into each cell, so tests miss dependences, "
            "and the search takes long."
        )
        said.append("Discretise them, and exclude the variables that your question does not need.")
    else:
        said.append("The search may take hours. Exclude the variables that your question does not need.")
    return said
