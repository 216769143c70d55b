"""What a learner of PAGs tells while it runs: small values with names, which a teaching page can step through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from latconf_core.control import Progress
from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import decode_event, encode_event
from latconf_core.options.learning import PagOptions
from latconf_core.pag.rules.orientation import KNOWLEDGE as KNOWLEDGE

Phase = Literal[
    "skeleton", "possible-d-sep", "colliders", "triples", "score search", "shields", "orientation", "repair"
]
Pair = tuple[str, str]
MIIC: Final = "MIIC"  # the rule of an arrowhead that MIIC put


@dataclass(frozen=True)
class PhaseStarted:
    """A new part of the work; `text` says in a sentence what it does."""

    phase: Phase
    text: str


@dataclass(frozen=True)
class GraphStarted:
    """From here on the work is done on a graph with o-o between these pairs and no other edge; `text` says why.

    pairs : None for every pair
    """

    pairs: tuple[Pair, ...] | None
    text: str


@dataclass(frozen=True)
class EdgeRemoved:
    """Two variables are independent given some others, so their edge goes."""

    x: str
    y: str
    given: tuple[str, ...]
    p_value: float
    phase: Phase


@dataclass(frozen=True)
class ColliderOriented:
    """The arrowheads at b of a *-> b <-* c.

    given : the recorded set that separates a and c, where there is one
    n_with, n_sets : where all sets that separate a and c were listed (cFCI, mFCI), how many hold b, and all

    Without a set that lacks b and without such counts, a score search decided.
    """

    a: str
    b: str
    c: str
    given: tuple[str, ...] | None
    n_with: int | None = None
    n_sets: int | None = None

    @property
    def is_by_score(self) -> bool:
        return self.n_sets is None and (self.given is None or self.b in self.given)


@dataclass(frozen=True)
class TripleAmbiguous:
    """b lies in some, not all, of the sets that separate a and c, so nothing is concluded."""

    a: str
    b: str
    c: str
    n_with: int
    n_sets: int


@dataclass(frozen=True)
class MarkChanged:
    """A rule, or background knowledge, oriented an edge; `path` are the variables it saw, `why` says it in a sentence.

    given, p_value : what separates the ends of R4's path, where it was found for this question alone
    """

    rule: str
    before: Edge
    after: Edge
    path: tuple[str, ...]
    why: str
    given: tuple[str, ...] | None = None
    p_value: float | None = None


@dataclass(frozen=True)
class EdgeRepaired:
    """The graph was not a valid PAG: in the nearest valid one that was found, this edge is another.

    before, after : None for no edge
    fault : what was wrong with the graph, in a sentence; "" where it cannot be said in one
    """

    before: Edge | None
    after: Edge | None
    fault: str

    @property
    def ends(self) -> Pair:
        """The two variables."""
        edge = self.before or self.after
        assert edge is not None
        return edge.first, edge.second


@dataclass(frozen=True)
class ScoreStep:
    """The score search inserted or deleted the edge x - y; `others` are the neighbours oriented with it."""

    kind: Literal["insert", "delete"]
    x: str
    y: str
    others: tuple[str, ...]
    gain: float


@dataclass(frozen=True)
class KnowledgeConflict:
    """Two variables that knowledge does not let be joined, and that depend in the data.

    given, p_value : of the sets that were tried the one that leaves them most independent
    """

    first: str
    second: str
    given: tuple[str, ...]
    p_value: float


@dataclass(frozen=True)
class LearnedPag:
    """A learned graph and how it came about.

    sepsets : for a pair without an edge the set that separated it, both in the order of the data
    truncated : a limit cut the work short; `notes` say which
    conflicts : what a rule wanted but did not do because it contradicts what was already oriented
    ambiguous : triples that cFCI or mFCI left undecided
    knowledge_conflicts : pairs that knowledge keeps apart although the data say that they depend
    """

    graph: MixedGraph
    options: PagOptions
    sepsets: Mapping[Pair, tuple[str, ...]]
    n_tests: int
    truncated: bool
    notes: tuple[str, ...]
    conflicts: tuple[str, ...]
    ambiguous: tuple[tuple[str, str, str], ...]
    seconds: float
    knowledge_conflicts: tuple[KnowledgeConflict, ...] = ()


@dataclass(frozen=True)
class PagLearned:
    """The last event of a run."""

    result: LearnedPag


PagEvent = (
    PhaseStarted
    | GraphStarted
    | Progress
    | EdgeRemoved
    | ColliderOriented
    | TripleAmbiguous
    | MarkChanged
    | EdgeRepaired
    | ScoreStep
    | PagLearned
)


def pag_event_to_json(event: PagEvent) -> dict[str, Any]:
    """An event as plain values, with the name of its type."""
    return encode_event(event)


def pag_event_from_json(content: Mapping[str, Any]) -> PagEvent:
    """The event that `pag_event_to_json` gave."""
    event: PagEvent = decode_event(get_args(PagEvent), content)
    return event
