"""What a learner of PAGs tells while it runs: small values with names, which a teaching page can step through."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from latconf_core.control import Progress
from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import decode_event, encode_event
from latconf_core.options.learning import PagOptions

Phase = Literal["skeleton", "possible-d-sep", "colliders", "triples", "score search", "shields", "orientation"]
Pair = tuple[str, str]


@dataclass(frozen=True)
class PhaseStarted:
    """A new part of the work; `text` says in a sentence what it does."""

    phase: Phase
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
    """The arrowheads at b of a *-> b <-* c; `given` is the set without b that separates a and c, where one is known."""

    a: str
    b: str
    c: str
    given: tuple[str, ...] | None


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
    """A rule oriented an edge; `path` are the variables it saw, `why` says it in a sentence."""

    rule: str
    before: Edge
    after: Edge
    path: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class ScoreStep:
    """The score search inserted or deleted the edge x - y; `others` are the neighbours oriented with it."""

    kind: Literal["insert", "delete"]
    x: str
    y: str
    others: tuple[str, ...]
    gain: float


@dataclass(frozen=True)
class LearnedPag:
    """A learned graph and how it came about.

    sepsets : for a pair without an edge the set that separated it, both in the order of the data
    truncated : a limit cut the work short; `notes` say which
    conflicts : what a rule wanted but did not do because it contradicts what was already oriented
    ambiguous : triples that cFCI or mFCI left undecided
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


@dataclass(frozen=True)
class PagLearned:
    """The last event of a run."""

    result: LearnedPag


PagEvent = (
    PhaseStarted | Progress | EdgeRemoved | ColliderOriented | TripleAmbiguous | MarkChanged | ScoreStep | PagLearned
)


def pag_event_to_json(event: PagEvent) -> dict[str, Any]:
    """An event as plain values, with the name of its type."""
    return encode_event(event)


def pag_event_from_json(content: Mapping[str, Any]) -> PagEvent:
    """The event that `pag_event_to_json` gave."""
    event: PagEvent = decode_event(get_args(PagEvent), content)
    return event
