"""Moves out of a local optimum keep what the data say: every line keeps its count."""

from __future__ import annotations

import numpy as np
from support.builders import random_dataset

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.component import split
from latconf_core.score.kernels.moves import SPLIT, make_move, propose
from latconf_core.score.scorer import Scorer


def test_that_merging_and_splitting_states_keeps_the_count_of_every_line() -> None:
    dataset = random_dataset(np.random.default_rng(0), 200, [2, 3, 2, 4])
    for n_states in (2, 3, 5):
        dag = LatentDag(dataset.names, [("D", "A")], [Latent("L", n_states, ("A", "B", "C"))])
        scorer = Scorer(dataset, VbemOptions(restarts=1, effort="light"))
        component = split(dag, dataset).components[0]
        problem, a = scorer.layout(component).problem, scorer.fit(component).parameters
        random, moves = np.array([7], dtype=np.uint64), np.zeros((24, 3), dtype=np.int64)
        n_moves = propose(problem, a, 0, 0, 24, random, moves)
        assert n_moves == min(24, 8 * (n_states - 1))
        lines = (a - problem.prior).reshape(-1, n_states).sum(axis=1)
        for move in moves[:n_moves]:
            assert move[0] == SPLIT
            assert move[1] // n_states not in (move[1] % n_states, move[2])  # the state that goes is neither other
            moved = np.empty_like(a)
            make_move(problem, a, move, random, moved)
            assert (moved >= problem.prior - 1e-12).all()
            np.testing.assert_allclose((moved - problem.prior).reshape(-1, n_states).sum(axis=1), lines, atol=1e-9)
            assert not np.allclose(moved, a)
