"""A graph with one error, and what of it has to be pointed at."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from latconf_core.graph.mixed import MixedGraph
from latconf_core.phrases import counted
from latconf_core.teaching.drawn_dag import Places
from latconf_core.teaching.spotting.mag_errors import Pair

Kind = Literal["cycle", "almost", "inducing", "mark", "chordless"]

HINTS: dict[Kind, str] = {
    "cycle": "There is a directed cycle: arrows that lead from a variable back to itself. Click all its edges.",
    "almost": (
        "There is an almost directed cycle: a <-> between two variables, one of which is an ancestor of the "
        "other. Click the <-> and all edges of the directed path."
    ),
    "inducing": (
        "The graph is not maximal: two variables are not adjacent, yet no set separates them. Click these "
        "two variables."
    ),
    "mark": "One mark is wrong: with another mark at one end of one edge this would be a PAG. Click that edge.",
    "chordless": (
        "There is a cycle of four or more o-o edges without a chord: every orientation adds a new collider. "
        "Click all its edges."
    ),
}
NO_MAG = "This graph is not a MAG. What is wrong with it?"
NO_PAG = "This graph is not a PAG. What is wrong with it?"
CHOOSE = "Click the edges or variables that form the error, then press Check."


@dataclass(frozen=True)
class Verdict:
    """Whether an answer is right, with a sentence."""

    is_right: bool
    sentence: str


@dataclass(frozen=True)
class Puzzle:
    """One error to find.

    answers : each is enough; a set of edges, or for "inducing" the one pair of variables
    reason : what the program's own check says
    """

    kind: Kind
    graph: MixedGraph
    answers: frozenset[frozenset[Pair]]
    reason: str
    places: Places

    @property
    def is_pag(self) -> bool:
        return self.kind in ("mark", "chordless")

    @property
    def task(self) -> str:
        return NO_PAG if self.is_pag else NO_MAG

    @property
    def hint(self) -> str:
        return HINTS[self.kind]

    @property
    def wants_nodes(self) -> bool:
        """Whether variables are to be clicked, not edges."""
        return self.kind == "inducing"

    def check(self, edges: Collection[Pair], nodes: Collection[str]) -> Verdict:
        """Whether what was clicked is the error; where it is not, how much of it is."""
        if not edges and not nodes:
            return Verdict(False, CHOOSE)
        if self.wants_nodes:
            return self._check_nodes(edges, nodes)
        chosen = frozenset(edges)
        if chosen in self.answers and not nodes:
            return Verdict(True, f"Right: {self.reason}.")
        if nodes:
            return Verdict(False, "Not yet. The error consists of edges, not variables.")
        best = max(self.answers, key=lambda answer: len(answer & chosen) - len(answer ^ chosen) / 100)
        return Verdict(False, f"Not yet. {_count(len(chosen & best), len(chosen - best), len(best - chosen))}")

    def _check_nodes(self, edges: Collection[Pair], nodes: Collection[str]) -> Verdict:
        if frozenset((frozenset(nodes),)) in self.answers and not edges:
            return Verdict(True, f"Right: {self.reason}.")
        if edges:
            return Verdict(False, "Not yet. The error is a missing edge: click the two variables.")
        return Verdict(False, f"Not yet. Of the two variables, {_hits(self.answers, nodes)}.")


def _hits(answers: frozenset[frozenset[Pair]], nodes: Collection[str]) -> str:
    pair = next(iter(next(iter(answers))))
    right, extra = len(pair & set(nodes)), len(set(nodes) - pair)
    hits = "neither is found" if right == 0 else "one is found" if right == 1 else "both are found"
    return f"{hits}, and {counted(extra, 'other')} {'does' if extra == 1 else 'do'} not belong" if extra else hits


def _count(right: int, extra: int, missing: int) -> str:
    said = [f"{counted(right, 'edge')} {'belongs' if right == 1 else 'belong'} to the error"] if right else []
    said += [f"{counted(extra, 'edge')} {'does' if extra == 1 else 'do'} not belong to it"] if extra else []
    said += [f"{counted(missing, 'edge')} {'is' if missing == 1 else 'are'} missing"] if right and missing else []
    return f"{', '.join(said)}."
