"""What a search tells while it runs: small values that can be sent between threads and processes."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, get_args

from latconf_core.control import Progress, StopReason
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.json_form import decode_event, encode_event
from latconf_core.model.bit_dag import BitDag
from latconf_core.options.scoring import Effort
from latconf_core.pag.events import PagLearned
from latconf_core.pag.handling import PagHandling
from latconf_core.score.naming import to_dag
from latconf_core.search.outcome.evidence import LatentEvidence
from latconf_core.search.outcome.history import History, VisitKind
from latconf_core.search.outcome.result import SearchResult


@dataclass(frozen=True)
class SearchStarted:
    """What is searched, and how a graph that is no valid PAG is treated."""

    algorithm: str
    pag_handling: PagHandling


@dataclass(frozen=True)
class StageStarted:
    """A new part of a run that has several: what it does, its number, and how many there are."""

    text: str
    number: int
    n_stages: int


@dataclass(frozen=True)
class LevelStarted:
    """DAGs of this level come next; `n_candidates` at most, None where that is not known."""

    level: int
    n_candidates: int | None


class CandidateScored(NamedTuple):
    """A DAG was visited; `index` is its place in the history, `dag` is made when it is asked for."""

    index: int  # type: ignore[assignment]  # in place of the method of tuples, which nobody needs here
    level: int
    candidate: BitDag
    nodes: tuple[str, ...]
    p_elbo: float
    is_best: bool
    effort: Effort = "full"

    @property
    def kind(self) -> VisitKind:
        return "candidate"

    @property
    def dag(self) -> LatentDag:
        return to_dag(self.candidate, self.nodes)


@dataclass(frozen=True, slots=True)
class StatesTried:
    """A latent of a good DAG was given another number of states."""

    kind: ClassVar[VisitKind] = "states"
    index: int
    level: int
    latent: str
    n_states: int
    candidate: BitDag
    nodes: tuple[str, ...]
    p_elbo: float
    is_best: bool
    effort: Effort = "full"

    @property
    def dag(self) -> LatentDag:
        return to_dag(self.candidate, self.nodes)


@dataclass(frozen=True)
class LatentsJudged:
    """The evidence for each latent of the best DAG."""

    evidence: tuple[LatentEvidence, ...]


@dataclass(frozen=True)
class SearchFinished:
    """The last event of every search."""

    result: SearchResult

    def to_json(self) -> dict[str, Any]:
        """The result with its visits; the posterior is left out, which the data give again."""
        return {"result": self.result.to_json(), "history": self.result.history.to_json()}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> SearchFinished:
        """The event that `to_json` gave, without a posterior."""
        return cls(SearchResult.from_json(content["result"], history=History.from_json(content["history"])))


SearchEvent = (
    PagLearned
    | Progress
    | SearchStarted
    | StageStarted
    | LevelStarted
    | CandidateScored
    | StatesTried
    | LatentsJudged
    | SearchFinished
)
Search = Generator[SearchEvent, None, StopReason]


def search_event_to_json(event: SearchEvent) -> dict[str, Any]:
    """An event as plain values, with the name of its type."""
    return encode_event(event)


def search_event_from_json(content: Mapping[str, Any]) -> SearchEvent:
    """The event that `search_event_to_json` gave."""
    event: SearchEvent = decode_event(get_args(SearchEvent), content)
    return event
