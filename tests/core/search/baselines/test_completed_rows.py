"""Rows with hidden variables filled in, against a table of all columns counted by hand."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from support.rival_data import copies_of_a_bit, two_stories

from latconf_core.counts.families import counting_table, family_log_score
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import Prior, VbemOptions
from latconf_core.score.naming import to_bits
from latconf_core.score.scorer import Scorer
from latconf_core.search.baselines.completed_rows import CompletedScores, hard_states


def expanded(data: Dataset, own: np.ndarray) -> np.ndarray:
    """The state of every row of the data, from that of every row that is counted on."""
    codes, weights = counting_table(data)
    if not weights.size:
        return own
    state_of = {tuple(row): state for row, state in zip(codes.tolist(), own.tolist())}
    return np.array([state_of[tuple(row)] for row in data.codes.tolist()])


@pytest.mark.parametrize(
    "dag",
    [
        LatentDag([f"X{k}" for k in range(1, 7)], [("X1", "X4")], [Latent("L1", 2, ("X1", "X2", "X3"))]),
        LatentDag(
            [f"X{k}" for k in range(1, 7)],
            (),
            [Latent("L1", 2, ("X1", "X2", "X3"), "L2"), Latent("L2", 3, ("X4", "X5", "X6", "L1"))],
        ),
        LatentDag([f"X{k}" for k in range(1, 7)], (), [Latent("L1", 2, ("X1", "X2", "X3"), "X5")]),
    ],
    ids=["a root", "below a latent", "below a variable"],
)
def test_that_each_row_gets_the_most_probable_state_of_the_posterior(dag: LatentDag) -> None:
    data = two_stories(400)
    scorer = Scorer(data, VbemOptions())
    posterior = scorer.posterior(dag)
    for latent, hard_state in zip(dag.latents, hard_states(scorer, to_bits(dag), scorer.fit)):
        states = expanded(data, hard_state)
        wanted = posterior.responsibilities(latent.name).argmax(axis=1)  # its states stand by weight
        tables = {(int(a), int(b)) for a, b in zip(states, wanted)}
        assert len(tables) == len({a for a, _ in tables}) == len({b for _, b in tables})


@pytest.mark.parametrize("prior", ["empirical", "uniform", "bdeu"])
def test_that_a_family_with_a_latent_is_scored_as_if_its_column_were_data(prior: Prior) -> None:
    data = copies_of_a_bit(4, 300)
    scorer = Scorer(data, VbemOptions(prior=prior))
    dag = LatentDag(data.names, (), [Latent("L1", 2, ("X1", "X2", "X3"))])
    candidate = to_bits(dag)
    completion = CompletedScores(scorer, scorer.fit).complete(candidate)
    hidden = expanded(data, hard_states(scorer, candidate, scorer.fit)[0])
    counts = np.zeros((2, 2, 2), dtype=np.int64)  # of X4, L1 and then X1
    np.add.at(counts, (data.column("X4"), hidden, data.column("X1")), 1)
    cells = scorer.priors.observed(0, [2, 2])
    wanted = family_log_score(counts.reshape(4, 2), cells)
    assert completion.score(0, 0b11000) == pytest.approx(wanted, abs=1e-9)
    assert completion.score(0, 0b01000) == scorer.family_score(0, 0b01000)
    assert completion.score(4, 0) == 0.0
    assert completion.score(4, 0b1) == -inf  # nothing points at a latent
