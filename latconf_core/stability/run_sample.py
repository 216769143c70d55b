"""Draws one sample of the rows, and learns and searches on it: all that a worker needs to do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.counted_dataset import resample
from latconf_core.data.dataset import Dataset
from latconf_core.errors import LatconfError
from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph, empty_graph
from latconf_core.inference.completing.learned_rows import learned_from_rows
from latconf_core.json_form import Content, decode
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.resampling import StabilityOptions
from latconf_core.search.outcome.events import SearchFinished
from latconf_core.search.runner import start_search

WHOLE = 0  # the number that stands for the data as they are; samples are numbered from 1


@dataclass(frozen=True, eq=False)
class SampleWork:
    """What is done with every sample; sent to each worker once.

    source : the data by their different rows
    pag : what every search keeps to where no PAG is learned
    """

    source: Dataset
    options: StabilityOptions
    pag: MixedGraph | None = None
    knowledge: Knowledge = NO_KNOWLEDGE


@dataclass(frozen=True)
class SampleOutcome:
    """What came of one sample.

    pag : the edges of the PAG that was learned; None where none was
    dag : the model that was found; None where nothing was searched
    cuts : a sentence for everything that was cut short
    failure : why there is no PAG or no model; "" where all went well
    """

    number: int
    pag: tuple[Edge, ...] | None = None
    dag: LatentDag | None = None
    cuts: tuple[str, ...] = ()
    failure: str = ""

    def to_json(self) -> dict[str, Any]:
        """Everything but the nodes, which all samples share."""
        dag = None if self.dag is None else self.dag.to_json()
        return {
            "number": self.number,
            "pag": None if self.pag is None else [edge.to_json() for edge in self.pag],
            "dag": None if dag is None else {"edges": dag["edges"], "latents": dag["latents"]},
            "cuts": list(self.cuts),
            "failure": self.failure,
        }

    @classmethod
    def from_json(cls, content: Content, nodes: tuple[str, ...]) -> SampleOutcome:
        """The outcome that `to_json` gave; ValueError where it does not fit the nodes."""
        pag, dag = content["pag"], content["dag"]
        graph = None if pag is None else MixedGraph.from_edges(nodes, map(Edge.from_json, pag))
        return cls(
            decode(int, content["number"]),
            None if graph is None else tuple(graph.edges()),
            None if dag is None else LatentDag.from_json({**dag, "nodes": nodes}),
            decode(tuple[str, ...], content["cuts"]),
            decode(str, content["failure"]),
        )


def sample_seed(seed: int, number: int) -> int:
    """The seed of one sample: of its rows and of the search on them. It depends on nothing else."""
    return seed if number == WHOLE else int(np.random.SeedSequence((seed, number)).generate_state(1)[0])


def draw_sample(work: SampleWork, number: int) -> Dataset:
    """The rows of a sample; all of them for the number of the whole."""
    if number == WHOLE:
        return work.source
    rng = np.random.default_rng(sample_seed(work.options.seed, number))
    return resample(work.source, work.options.resampling, rng=rng)


def run_sample(work: SampleWork, number: int, *, control: RunControl) -> SampleOutcome:
    """What comes of one sample; what cannot be learned or searched is its failure. Raises StopRequested."""
    control.checkpoint()
    dataset = draw_sample(work, number)
    pag, edges = work.pag, None
    try:
        if work.options.learner is not None:
            pag = learned_from_rows(dataset, work.options.learner, knowledge=work.knowledge, control=control).graph
            edges = tuple(pag.edges())
        if work.options.search is None:
            return SampleOutcome(number, edges)
        dag, cuts = _search(work, dataset, pag or empty_graph(dataset.names), number, control)
        return SampleOutcome(number, edges, dag, cuts)
    except LatconfError as error:  # this sample alone, say because its graph allows no DAG
        return SampleOutcome(number, edges, failure=str(error))


def _search(
    work: SampleWork, dataset: Dataset, pag: MixedGraph, number: int, control: RunControl
) -> tuple[LatentDag | None, tuple[str, ...]]:
    """The model of one sample, and what was cut short; the latents are judged only where the search needs that."""
    options, search = work.options, work.options.search
    assert search is not None
    sample_options = replace(options.search_options, seed=sample_seed(options.seed, number), workers=1)
    for event in start_search(
        dataset, pag, search, options=sample_options, control=control, with_evidence=False, knowledge=work.knowledge
    ):
        if isinstance(event, SearchFinished):
            control.checkpoint()  # a search that was stopped ends as if it had found something
            if event.result.stop_reason is StopReason.CANCELLED:
                raise StopRequested(StopReason.CANCELLED)
            return event.result.best, event.result.cuts
    raise AssertionError("a search ends with its result")
