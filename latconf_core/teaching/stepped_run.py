"""A learner to step through: on the d-separations of a drawn DAG, on rows drawn from it, or on data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from latconf_core.control import Progress, RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.errors import DataError, GraphError
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import PagEvent
from latconf_core.pag.learners.catalogue import Source, find_learner, learn_pag
from latconf_core.pag.replay import Replay
from latconf_core.teaching.arrow_network import network_of_arrows
from latconf_core.teaching.drawn_dag import DrawnDag

Origin = Literal["dag", "rows", "data"]
ORIGINS: tuple[Origin, ...] = get_args(Origin)


@dataclass(frozen=True)
class SteppedRun:
    """What is learned by which learner.

    origin : "dag" for the d-separations of the DAG, "rows" for rows drawn from it, "data" for the loaded data
    seed : decides the tables and the rows that are drawn
    """

    dag: DrawnDag
    origin: Origin = "dag"
    learner: str = "fci"
    n_rows: int = 2000
    seed: int = 1
    alpha: float = 0.05

    @property
    def is_exact(self) -> bool:
        """Whether an oracle answers, so that there are no p-values."""
        return self.origin == "dag"

    def to_json(self) -> dict[str, Any]:
        """Every field as a plain value."""
        return {
            "dag": self.dag.to_json(),
            "origin": self.origin,
            "learner": self.learner,
            "rows": self.n_rows,
            "seed": self.seed,
            "alpha": self.alpha,
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> SteppedRun:
        """The run that `to_json` gave."""
        origin = content["origin"]
        if origin not in ORIGINS:
            raise ValueError(f"a learner cannot be stepped through on {origin!r}")
        dag, learner = DrawnDag.from_json(content["dag"]).placed(), find_learner(str(content["learner"])).name
        return cls(dag, origin, learner, int(content["rows"]), int(content["seed"]), float(content["alpha"]))

    def with_dag(self, dag: DrawnDag) -> SteppedRun:
        """The same learner on another DAG; what was learned from data is learned from the DAG now."""
        return replace(self, dag=dag.placed(), origin="dag" if self.origin == "data" else self.origin)


def learn_in_steps(
    run: SteppedRun, control: RunControl, *, data: Dataset | None = None, knowledge: Knowledge = NO_KNOWLEDGE
) -> Iterator[object]:
    """The progress of a run, and last its Replay; `data` and `knowledge` serve a run on the loaded data."""
    told: list[PagEvent] = []
    options = PagOptions(method=run.learner, alpha=run.alpha)
    known = knowledge if run.origin == "data" else NO_KNOWLEDGE
    for event in learn_pag(_source(run, data), options, knowledge=known, control=control):
        if isinstance(event, Progress):
            yield event
        else:
            told.append(event)
    yield Replay(told)


def _source(run: SteppedRun, data: Dataset | None) -> Source:
    if run.origin == "data":
        if data is None:
            raise DataError("there is no data to learn from; open a file or an example, or step through the DAG")
        return data
    if len(run.dag.observed) < 2:
        raise GraphError("a learner needs two variables that are not hidden; show more of the DAG")
    if run.origin == "dag":
        return DSeparationOracle(run.dag.latent_dag)
    rng = np.random.default_rng(run.seed)
    network = network_of_arrows(run.dag.nodes, run.dag.edges, rng=rng, hidden=tuple(run.dag.hidden))
    return sample(network, run.n_rows, rng=rng).dataset
