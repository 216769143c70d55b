"""How cFCI and mFCI decide a triple when tests contradict each other."""

from __future__ import annotations

import pytest

from latconf_core.control import RunControl
from latconf_core.independence.base import IndependenceTest
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import TripleAmbiguous
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.pag.learners.work import Work


class ScriptedTest(IndependenceTest):
    """Two variables, A and C, are independent given the sets listed; everything else is dependent."""

    def __init__(self, names: str, sets: list[str]) -> None:
        super().__init__(names, alpha=0.5)
        self._sets = {tuple(sorted(names.index(name) for name in one)) for one in sets}

    def compute_p_value(self, x: int, y: int, given: tuple[int, ...]) -> float:
        return 1.0 if (x, y) == (0, 2) and given in self._sets else 0.0


def outcome(names: str, sets: list[str], method: str) -> tuple[str, list[TripleAmbiguous]]:
    """What became of the triple A, B, C: collider, non-collider or ambiguous, and what was told."""
    options = PagOptions(method=method, complete_rules=False)
    work = Work(ScriptedTest(names, sets), options, NO_KNOWLEDGE, RunControl())
    events = []
    learning = LEARNERS[method].learn(work)
    while True:
        try:
            events.append(next(learning))
        except StopIteration as end:
            marks = end.value
            break
    graph = work.graph(marks)
    told = [event for event in events if isinstance(event, TripleAmbiguous) and event.b == "B"]
    if (0, 1, 2) in work.ambiguous:
        return "ambiguous", told
    return ("collider" if graph.edge("A", "B").arrow == "o->" else "non-collider"), told


@pytest.mark.parametrize(
    ("sets", "plain", "conservative", "majority"),
    [
        ([""], "collider", "collider", "collider"),
        (["B"], "non-collider", "non-collider", "non-collider"),
        (["", "B"], "collider", "ambiguous", "ambiguous"),
        (["", "B", "BD"], "collider", "ambiguous", "non-collider"),
        (["", "B", "D"], "collider", "ambiguous", "collider"),
    ],
)
def test_that_a_triple_is_decided_by_all_sets_that_separate_its_ends(
    sets: list[str], plain: str, conservative: str, majority: str
) -> None:
    assert outcome("ABCD", sets, "fci")[0] == plain
    assert outcome("ABCD", sets, "cfci")[0] == conservative
    assert outcome("ABCD", sets, "mfci")[0] == majority


def test_that_an_ambiguous_triple_is_told_with_its_counts() -> None:
    _, told = outcome("ABCD", ["", "B", "BD"], "cfci")
    assert told == [TripleAmbiguous("A", "B", "C", 2, 3)]
