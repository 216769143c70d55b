"""What a person can ask about a question without answering it: the smallest sets, and what opens a path."""

from __future__ import annotations

from latconf_core.control import RunControl
from latconf_core.errors import GraphError
from latconf_core.phrases import list_names
from latconf_core.teaching.separation.separating_sets import smallest_separating_sets, variables_that_open
from latconf_core.teaching.separation.separation_graph import SeparationGraph
from latconf_gui.pages.learn.separation.choice import Choice

MOST_NAMED = 12  # sets in a sentence
ASK_FIRST = "First select two variables."


def smallest_sentence(asked: SeparationGraph, choice: Choice, control: RunControl) -> str:
    """The smallest sets that separate the two ends."""
    if choice.first is None or choice.second is None:
        return ASK_FIRST
    pair = f"{choice.first} and {choice.second}"
    try:
        sets = smallest_separating_sets(asked, choice.first, choice.second, control=control)
    except GraphError as problem:
        return str(problem)
    if not sets:
        if asked.graph.is_adjacent(choice.first, choice.second):
            return f"No set separates {pair}: they are adjacent."
        return f"No set separates {pair}: some path stays open whatever measured variables you condition on."
    if sets == ((),):
        return f"{pair} are separated by the empty set."
    named = "; ".join(list_names(names) for names in sets[:MOST_NAMED])
    more = f"; and {len(sets) - MOST_NAMED} more" if len(sets) > MOST_NAMED else ""
    if len(sets) == 1:
        return f"The only smallest set that separates {pair}: {named}."
    return f"{len(sets)} smallest sets separate {pair}: {named}{more}."


def opening_sentence(asked: SeparationGraph, choice: Choice, control: RunControl) -> str:
    """The variables that would open a path."""
    if choice.first is None or choice.second is None:
        return ASK_FIRST
    given = choice.ordered_given(asked.graph.nodes)
    try:
        if not asked.explain(choice.first, choice.second, given, max_paths=1).is_separated:
            return "A path is already open. First separate the two."
        names = variables_that_open(asked, choice.first, choice.second, given)
    except GraphError as problem:
        return str(problem)
    control.checkpoint()
    if not names:
        return "Conditioning on no single further variable opens a path."
    if len(names) == 1:
        return f"Also conditioning on {names[0]} would open a path."
    return f"Also conditioning on any one of these would open a path: {', '.join(names)}."
