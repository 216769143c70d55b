"""Draws one table from the best DAG without latents, and searches it: all that a worker needs to do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from latconf_core.arrays import BoolArray
from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.dataset import MISSING, Dataset
from latconf_core.data.sampling import sample
from latconf_core.errors import LatconfError
from latconf_core.search.outcome.evidence import largest_gain
from latconf_core.stability.search_again import SearchAgain, search_again, seed_of_repeat

NOT_JUDGED = "the search stopped before it had judged its hidden causes"


@dataclass(frozen=True, eq=False)
class NullSearch:
    """What is done with every draw; sent to each worker once.

    network : the best DAG without latents, its tables fitted on the data
    missing : (n_rows, n_variables) which cells of a draw are missing, those of the data; None where none are
    """

    network: BayesNet
    n_rows: int
    again: SearchAgain
    missing: BoolArray | None = None

    @property
    def seed(self) -> int:
        """Of the run, on which every draw depends."""
        return self.again.options.seed


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
    rng = np.random.default_rng(np.random.SeedSequence((work.seed, number)))
    drawn = sample(work.network, work.n_rows, rng=rng).dataset
    if work.missing is None:
        return drawn
    return Dataset(drawn.names, drawn.states, np.where(work.missing, MISSING, drawn.codes.astype(np.int32)))


def run_draw(work: NullSearch, number: int, *, control: RunControl) -> NullDraw:
    """What the same search gains on a draw. Raises StopRequested."""
    control.checkpoint()
    dataset = draw_table(work, number)
    try:
        result = search_again(work.again, dataset, seed=seed_of_repeat(work.seed, number), control=control)
    except LatconfError as error:  # this draw alone, say because its graph allows no DAG
        return NullDraw(number, None, str(error))
    gain = largest_gain(result.evidence)
    return NullDraw(number, gain, NOT_JUDGED if gain is None else "")
