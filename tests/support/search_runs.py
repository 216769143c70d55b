"""Searches on made-up scores, so that a test can say beforehand which DAG wins."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

import numpy as np
from support.builders import random_dataset

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.graph.mixed import MixedGraph
from latconf_core.model.bit_dag import BitDag
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.handling import handle_pag
from latconf_core.score.naming import to_dag
from latconf_core.search.candidate_scores import AHEAD
from latconf_core.search.catalogue import SearchMethod
from latconf_core.search.run import SearchRun
from latconf_core.search.setup import SearchSetup
from latconf_core.workers_port import make_threads


@dataclass
class MadeUpScores:
    """Scores by a function of the DAG; remembers what it was asked and on how many threads."""

    score_of: Callable[[LatentDag], float]
    nodes: tuple[str, ...]
    n_workers: int = 1
    closing: threading.Event = field(default_factory=threading.Event)
    asked: list[LatentDag] = field(default_factory=list)
    threads: set[str] = field(default_factory=set)
    under_way: dict[BitDag, Future[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scoring = make_threads(self._compute, self.n_workers, self.closing)

    @property
    def is_full(self) -> bool:
        return len(self.under_way) > AHEAD * self.n_workers

    def begin(self, candidate: BitDag) -> list[Future[float]]:
        self.under_way[candidate] = self.scoring.submit(candidate)
        return [self.under_way[candidate]]

    def p_elbo(self, candidate: BitDag) -> float:
        return self.under_way.pop(candidate).result()

    def cancel_all(self) -> None:
        self.scoring.cancel_all()
        self.under_way.clear()

    def posterior(self, dag: LatentDag) -> None:
        return None

    def _compute(self, candidate: BitDag) -> float:
        dag = to_dag(candidate, self.nodes)
        self.asked.append(dag)
        self.threads.add(threading.current_thread().name)
        return self.score_of(dag)


def made_up_run(
    pag: MixedGraph,
    score_of: Callable[[LatentDag], float],
    *,
    options: SearchOptions | None = None,
    control: RunControl | None = None,
    n_states: int = 3,
) -> SearchRun:
    """A run on data that nobody looks at."""
    options = SearchOptions() if options is None else options
    drawn = random_dataset(np.random.default_rng(0), 10, [n_states] * len(pag.nodes))
    dataset = Dataset(pag.nodes, drawn.states, drawn.codes)
    closing = threading.Event()
    outer = RunControl() if control is None else control
    setup = SearchSetup(
        method=SearchMethod("made up", "Made up", "Scores DAGs as a test says.", search=""),
        dataset=dataset,
        pag=pag,
        pag_handling=handle_pag(pag, options.invalid_pag),
        options=options,
        scores=MadeUpScores(score_of, pag.nodes, options.workers, closing),
    )
    return SearchRun(setup, outer.child(time_limit=options.time_limit, is_cancelled=closing.is_set))


def written(dag: LatentDag) -> str:
    """A DAG in a line: `A>B C>B | BC` (edges, then the children of each latent)."""
    edges = " ".join(f"{a}>{b}" for a, b in dag.edges)
    latents = " ".join(
        "".join(latent.children) + (str(latent.n_states) if latent.n_states > 2 else "") for latent in dag.latents
    )
    return f"{edges} | {latents}".strip()
