"""One cell of a bench: which method on which data, and what came of it. Both are plain values with a JSON form."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from latconf_core.bench.fresh_rows import FreshRows
from latconf_core.bench.row_logs import RowLogs, RowMean
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.density.baselines import DENSITIES
from latconf_core.errors import FileFormatError
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import UNREADABLE, Content, decode_fields, encode_fields
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.search.catalogue import search_title
from latconf_core.structure.best_dag import FoundDag

RESULTS_VERSION = 3  # raised when what a cell computes or holds changes: cells of other versions are run again
TRUTH = "truth"
TRUTH_TITLE = "True DAG"
FAILED = "failed"
N_SHOWN = 300  # visits of a cell that a chart shows


@dataclass(frozen=True)
class Split:
    """Which rows a method may see, and which it must predict."""

    test_share: float = 0.2
    seed: int = 0


FOUR_FIFTHS = Split()


@dataclass(frozen=True)
class Cell:
    """A method on a data set.

    data, digest : the name of the data in this bench, and their fingerprint
    search : a name of the catalogue of searches or of the densities; TRUTH where `dag` is scored, nothing searched
    pag : how the PAG is learned; None where the search needs none
    split : the rows that are held out; None where the method sees the whole table
    dag : the true DAG, of a cell that scores it
    fresh : rows of the same network that are predicted too; None where it is not known
    knowledge : what is known about causes
    """

    data: str
    digest: str
    search: str
    pag: PagOptions | None
    options: SearchOptions
    split: Split | None = FOUR_FIFTHS
    dag: LatentDag | None = None
    fresh: FreshRows | None = None
    knowledge: Knowledge = NO_KNOWLEDGE

    @property
    def learn(self) -> str | None:
        """The learner of the PAG."""
        return None if self.pag is None else self.pag.method

    @property
    def is_truth(self) -> bool:
        return self.dag is not None

    @property
    def is_density(self) -> bool:
        """Whether it estimates a density and finds no DAG."""
        return self.search in DENSITIES

    @property
    def method(self) -> str:
        """The method without the data: "ilc-v fci"."""
        return self.search if self.pag is None else f"{self.search} {self.pag.method}"

    @property
    def title(self) -> str:
        """The method as a person reads it: "ILC-V on FCI"."""
        return method_title(self.method)

    @property
    def key(self) -> str:
        """A fingerprint of all that the result depends on; the number of workers and the name of the data do not."""
        content: dict[str, Any] = {
            "version": RESULTS_VERSION,
            "digest": self.digest,
            "search": self.search,
            "pag": None if self.pag is None else self.pag.to_json(),
            "options": replace(self.options, workers=1).to_json(),
            "split": None if self.split is None else encode_fields(self.split),
            "dag": None if self.dag is None else self.dag.to_json(),
            "fresh": None if self.fresh is None else [self.fresh.digest, self.fresh.n_rows, self.fresh.seed],
        }
        if self.knowledge:
            content["knowledge"] = self.knowledge.to_json()
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class LearnedGraph:
    """A PAG that cells on the same data share, and what learning it took."""

    graph: MixedGraph
    seconds: float


@dataclass(frozen=True)
class FoundReference:
    """What the search for the best DAG without latents reached, which cells on the same data share."""

    found: tuple[FoundDag, ...]
    seconds: float


@dataclass(frozen=True)
class ShownVisit:
    """A visited DAG as a chart shows it: its number from 1, its level, its p-ELBO."""

    number: int
    level: int
    p_elbo: float


@dataclass(frozen=True)
class CellResult:
    """What came of a cell; None for what it has not.

    dag : the model that was found
    p_elbo, elbo : of the rows that the method saw
    n_rows : how many these are
    seconds : of the method itself, with the best DAG without latents where it starts from that
    n_visited : DAGs that were scored
    converged : whether the fit of the model had converged
    stop_reason : a StopReason's text, or FAILED
    notes : what was cut short, or why it failed
    held_out : nats per row of the rows that were held out
    held_out_error : the standard error of that mean
    held_out_logs : of the single rows
    is_bound : whether `held_out` is a lower bound, not exact
    fresh, fresh_error, fresh_logs : the same of fresh rows
    visits : some visited DAGs, every one among them that was the best so far
    level_name : what the levels of the visits count
    """

    stop_reason: str
    dag: LatentDag | None = None
    p_elbo: float | None = None
    elbo: float | None = None
    n_rows: int | None = None
    seconds: float | None = None
    n_visited: int | None = None
    n_parameters: int | None = None
    converged: bool | None = None
    notes: tuple[str, ...] = ()
    held_out: float | None = None
    held_out_error: float | None = None
    held_out_logs: RowLogs | None = None
    is_bound: bool = False
    fresh: float | None = None
    fresh_error: float | None = None
    fresh_logs: RowLogs | None = None
    visits: tuple[ShownVisit, ...] = ()
    level_name: str = ""
    pag: LearnedGraph | None = None
    reference: FoundReference | None = None

    @property
    def has_failed(self) -> bool:
        return self.stop_reason == FAILED

    @property
    def held_out_mean(self) -> RowMean | None:
        """What it says of held-out rows."""
        return None if self.held_out is None else RowMean(self.held_out, self.held_out_error, self.held_out_logs)

    @property
    def fresh_mean(self) -> RowMean | None:
        """What it says of fresh rows."""
        return None if self.fresh is None else RowMean(self.fresh, self.fresh_error, self.fresh_logs)

    def to_json(self) -> dict[str, Any]:
        """Every field as a plain value."""
        return encode_fields(self)

    @classmethod
    def from_json(cls, content: Content) -> CellResult:
        """The result that `to_json` gave."""
        try:
            return decode_fields(cls, content)
        except UNREADABLE as error:
            raise FileFormatError(f"this is not a cell of a bench ({error})") from None


def method_title(method: str) -> str:
    """How a method is called for a person."""
    search, _, learn = method.partition(" ")
    if search == TRUTH:
        return TRUTH_TITLE
    if search in DENSITIES:
        return DENSITIES[search].title
    return f"{search_title(search)} on {learner_title(learn)}" if learn else search_title(search)


def learner_title(name: str) -> str:
    """How a learner is called for a person; its name where an older or newer program knew it."""
    return LEARNERS[name].title if name in LEARNERS else name


def shown_visits(scores: Sequence[tuple[int, float]], most: int = N_SHOWN) -> tuple[ShownVisit, ...]:
    """Some visits, given as level and score: evenly chosen ones, and each that was the best so far."""
    step = max(1, len(scores) // most)
    shown, best = [], float("-inf")
    for index, (level, p_elbo) in enumerate(scores):
        if p_elbo > best or index % step == 0 or index == len(scores) - 1:
            shown.append(ShownVisit(index + 1, level, p_elbo))
        best = max(best, p_elbo)
    return tuple(shown)
