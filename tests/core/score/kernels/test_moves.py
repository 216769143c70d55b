"""Moves out of a local optimum keep what the data say: every line keeps its count."""

from __future__ import annotations

import numpy as np
import pytest
from support.builders import random_dataset

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.kernels.moves import FORGET, SHIFT, SPLIT, make_move, propose
from latconf_core.score.kernels.shifts import N_KINDS, latent_posteriors
from latconf_core.score.kernels.vbem import joint_responsibilities, make_workspace
from latconf_core.score.naming import split
from latconf_core.score.scorer import Scorer


def test_that_merging_and_splitting_states_keeps_the_count_of_every_line() -> None:
    dataset = random_dataset(np.random.default_rng(0), 200, [2, 3, 2, 4])
    for n_states in (2, 3, 5):
        dag = LatentDag(dataset.names, [("D", "A")], [Latent("L", n_states, ("A", "B", "C"))])
        scorer = Scorer(dataset, VbemOptions(restarts=1, effort="light"))
        component = split(dag, dataset).components[0]
        layout, a = scorer.layout(component), scorer.fit(component).parameters
        problem, q = layout.problem, np.zeros((0, n_states))
        random, moves = np.array([7], dtype=np.uint64), np.zeros((24, 3), dtype=np.int64)
        n_moves = propose(problem, a, 0, 0, 24, 0, random, moves)
        assert n_moves == min(24, 8 * (n_states - 1))
        lines = (a - problem.prior).reshape(-1, n_states).sum(axis=1)
        for move in moves[:n_moves]:
            assert move[0] == SPLIT
            assert move[1] // n_states not in (move[1] % n_states, move[2])  # the state that goes is neither other
            moved = np.empty_like(a)
            make_move(problem, layout.below, a, q, move, random, moved)
            assert (moved >= problem.prior - 1e-12).all()
            np.testing.assert_allclose((moved - problem.prior).reshape(-1, n_states).sum(axis=1), lines, atol=1e-9)
            assert not np.allclose(moved, a)


SHARED = [Latent("L", 3, ("A", "B", "C")), Latent("M", 2, ("C", "D"))]


@pytest.mark.parametrize("latents", [[Latent("L", 4, ("A", "B", "C"))], SHARED])
def test_that_shifted_rows_and_forgetting_families_keep_the_count_of_every_line(latents: list[Latent]) -> None:
    dataset = random_dataset(np.random.default_rng(1), 200, [2, 3, 2, 4])
    scorer = Scorer(dataset, VbemOptions(restarts=1))
    component = split(LatentDag(dataset.names, [("D", "A")], latents), dataset).components[0]
    layout, a = scorer.layout(component), scorer.fit(component).parameters
    problem, q = layout.problem, np.empty((len(layout.rows.weights), sum(latent.n_states for latent in latents)))
    latent_posteriors(problem, a, np.empty_like(a), q, make_workspace(problem))
    random, moves = np.array([7], dtype=np.uint64), np.zeros((50, 3), dtype=np.int64)
    n_moves = propose(problem, a, 0, 0, 0, 8 * N_KINDS, random, moves)
    assert set(moves[:n_moves, 0].tolist()) == {SHIFT, FORGET}
    for move in moves[:n_moves]:
        moved = np.empty_like(a)
        make_move(problem, layout.below, a, q, move, random, moved)
        assert (moved >= problem.prior).all()
        assert np.isfinite(moved).all()
        if len(latents) == 1:  # with more the counts are those of independent latents, but for what the prior keeps
            lines = (moved - problem.prior).reshape(-1, 4).sum(axis=1)
            np.testing.assert_allclose(lines, problem.line_weight, rtol=1e-4, atol=1e-4)


def test_that_the_posterior_of_every_latent_is_a_sum_of_that_of_all_together() -> None:
    dataset = random_dataset(np.random.default_rng(2), 100, [2, 3, 2, 4])
    scorer = Scorer(dataset, VbemOptions(restarts=1))
    component = split(LatentDag(dataset.names, [], SHARED), dataset).components[0]
    layout, a = scorer.layout(component), scorer.fit(component).parameters
    problem, states = layout.problem, layout.arrangement.states
    q = np.empty((len(layout.rows.weights), sum(states)))
    latent_posteriors(problem, a, np.empty_like(a), q, make_workspace(problem))
    joint = joint_responsibilities(problem, a).reshape(-1, *states)
    np.testing.assert_allclose(q, np.hstack([joint.sum(axis=2), joint.sum(axis=1)]), atol=1e-12)
