"""Draws one table from the best DAG without latents, and searches it: all that a worker needs to do."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from latconf_core.arrays import BoolArray
from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import MISSING, Dataset
from latconf_core.data.sampling import sample
from latconf_core.errors import LatconfError
from latconf_core.graph.mixed import MixedGraph, empty_graph
from latconf_core.inference.completing.learned_rows import learned_from_rows
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.search.outcome.events import SearchFinished
from latconf_core.search.outcome.evidence import largest_gain
from latconf_core.search.runner import start_search

NOT_JUDGED = "the search stopped before it had judged its hidden causes"


@dataclass(frozen=True, eq=False)
class NullSearch:
    """What is done with every draw; sent to each worker once.

    network : the best DAG without latents, its tables fitted on the data
    learner : how a PAG is learned from each draw; None where every search keeps to a given one, or needs none
    start : the model that the search started from besides
    missing : (n_rows, n_variables) which cells of a draw are missing, those of the data; None where none are
    """

    network: BayesNet
    n_rows: int
    search: str
    options: SearchOptions
    pag: MixedGraph | None = None
    learner: PagOptions | None = None
    knowledge: Knowledge = NO_KNOWLEDGE
    start: LatentDag | None = None
    missing: BoolArray | None = None


@dataclass(frozen=True)
class NullDraw:
    """What came of one draw.

    gain : the most that a latent gained over the best DAG without any; 0 where none was left
    failure : why that is not known; "" where it is
    """

    number: int
    gain: float | None
    failure: str = ""


def draw_table(work: NullSearch, number: int) -> Dataset:
    """The table of a draw; it depends on the seed of the run and the number alone."""
    rng = np.random.default_rng(np.random.SeedSequence((work.options.seed, number)))
    drawn = sample(work.network, work.n_rows, rng=rng).dataset
    if work.missing is None:
        return drawn
    return Dataset(drawn.names, drawn.states, np.where(work.missing, MISSING, drawn.codes.astype(np.int32)))


def run_draw(work: NullSearch, number: int, *, control: RunControl) -> NullDraw:
    """What the same search gains on a draw. Raises StopRequested."""
    control.checkpoint()
    dataset = draw_table(work, number)
    try:
        pag = work.pag
        if work.learner is not None:
            pag = learned_from_rows(dataset, work.learner, knowledge=work.knowledge, control=control).graph
        gain = _search_gain(work, dataset, pag or empty_graph(dataset.names), number, control)
    except LatconfError as error:  # this draw alone, say because its graph allows no DAG
        return NullDraw(number, None, str(error))
    return NullDraw(number, gain, NOT_JUDGED if gain is None else "")


def _search_gain(work: NullSearch, dataset: Dataset, pag: MixedGraph, number: int, control: RunControl) -> float | None:
    """The most that a latent gains on a draw; None where that is not known."""
    seed = int(np.random.SeedSequence((work.options.seed, number)).generate_state(1)[0])
    options = replace(work.options, seed=seed, workers=1)
    for event in start_search(
        dataset, pag, work.search, options=options, control=control, start=work.start, knowledge=work.knowledge
    ):
        if isinstance(event, SearchFinished):
            control.checkpoint()  # a search that was stopped ends as if it had found something
            if event.result.stop_reason is StopReason.CANCELLED:
                raise StopRequested(StopReason.CANCELLED)
            return largest_gain(event.result.evidence)
    raise AssertionError("a search ends with its result")
