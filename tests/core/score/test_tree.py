"""Latents that form a tree have an exact posterior, however many they are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from support.builders import random_dataset

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.families.priors import Priors
from latconf_core.model.component import Component
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.component_layout import Layout, lay_out
from latconf_core.score.fit_task import posterior_form
from latconf_core.score.kernels import best_posterior as search
from latconf_core.score.kernels.stepping import advance
from latconf_core.score.kernels.vbem import joint_responsibilities, log_likelihood, tree_responsibilities
from latconf_core.score.naming import split
from latconf_core.score.scorer import Scorer
from latconf_core.score.warm_fit import fit_from

OPTIONS = VbemOptions()
CHAIN = [Latent("U", 3, ("A", "B", "V")), Latent("V", 2, ("C", "D", "W")), Latent("W", 3, ("E", "F"))]
STAR = [Latent("U", 2, ("A", "V", "W")), Latent("V", 3, ("B", "C")), Latent("W", 2, ("D", "E", "F"))]
BELOW_OBSERVED = [Latent("U", 3, ("B", "C", "V"), parent="A"), Latent("V", 2, ("D", "E", "F"))]
ALONE = [Latent("U", 3, ("A", "B", "C"))]
TREES = pytest.mark.parametrize("latents", [CHAIN, STAR, BELOW_OBSERVED, ALONE])


def both_layouts(latents: list[Latent], seed: int) -> tuple[Component, Layout, Layout]:
    """A component with observed edges among its children, laid out over joint states and as a tree."""
    dataset = random_dataset(np.random.default_rng(seed), 150, [2, 3, 2, 4, 2, 3])
    dag = LatentDag(dataset.names, [("A", "B"), ("A", "E"), ("D", "E")], latents)
    component, priors = split(dag, dataset).components[0], Priors(dataset, OPTIONS)
    joint, tree = (lay_out(component, dataset, priors, form=form) for form in ("joint", "tree"))
    return component, joint, tree


def evaluate(layout: Layout, parameters: np.ndarray) -> tuple[float, np.ndarray]:
    """The bound at some parameters, and their image."""
    batch, run = search.make_batch(layout.problem, 1), search.make_run(layout.problem, 1)
    batch.parameters[0] = parameters
    assert advance(layout.problem, run, batch, np.array([(1, 1)]), 0.0, -np.inf, 10**9) > 0
    return float(batch.bounds[0]), batch.parameters[0].copy()


@TREES
def test_that_messages_along_the_tree_give_what_the_sum_over_joint_states_gives(latents: list[Latent]) -> None:
    for seed in range(4):
        component, joint, tree = both_layouts(latents, seed)
        assert component.is_tree
        rng = np.random.default_rng(seed)
        parameters = joint.problem.prior + 20.0 * rng.random(len(joint.problem.prior)) ** 4
        bounds, images = zip(*[evaluate(layout, parameters) for layout in (joint, tree)])
        assert bounds[1] == pytest.approx(bounds[0], abs=1e-8)
        np.testing.assert_allclose(images[1], images[0], atol=1e-8)
        of_joint = joint_responsibilities(joint.problem, parameters).reshape(-1, *joint.arrangement.states)
        of_tree = tree_responsibilities(tree.problem, parameters)
        for k, (first, end) in enumerate(pairwise(tree.problem.q_first)):
            others = tuple(axis for axis in range(1, of_joint.ndim) if axis != k + 1)
            np.testing.assert_allclose(of_tree[:, first:end], of_joint.sum(axis=others), atol=1e-10)
        likelihoods = [log_likelihood(layout.problem, parameters) for layout in (joint, tree)]
        assert likelihoods[1] == pytest.approx(likelihoods[0], abs=1e-8)


@TREES
def test_that_a_run_along_the_tree_ends_where_one_over_joint_states_does(latents: list[Latent]) -> None:
    _, joint, tree = both_layouts(latents, 3)
    rng = np.random.default_rng(7)
    q = rng.random((len(joint.rows.weights), joint.problem.q_first[-1])) + 0.1
    for first, end in pairwise(joint.problem.q_first):
        q[:, first:end] /= q[:, first:end].sum(axis=1, keepdims=True)
    found = [fit_from(layout, q, most=100, control=RunControl()) for layout in (joint, tree)]
    assert found[1].elbo == pytest.approx(found[0].elbo, abs=1e-6)


def test_that_a_child_of_two_latents_makes_no_tree() -> None:
    dataset = random_dataset(np.random.default_rng(0), 50, [2, 2, 2, 2])
    dag = LatentDag("ABCD", [], [Latent("U", 2, ("A", "B", "V")), Latent("V", 2, ("B", "C", "D"))])
    component = split(dag, dataset).components[0]
    assert not component.is_tree
    assert posterior_form(component, VbemOptions(max_joint_states=2)) == "factorised"
    assert posterior_form(component, VbemOptions()) == "joint"


def caterpillar(n_latents: int) -> LatentDag:
    """A chain of binary latents with two children each."""
    names = [f"V{k}" for k in range(2 * n_latents)]
    latents = [Latent(f"L{k}", 2, (f"V{2 * k}", f"V{2 * k + 1}"), f"L{k - 1}" if k else None) for k in range(n_latents)]
    return LatentDag(names, [], latents)


def caterpillar_data(n_latents: int, n_rows: int) -> tuple[Dataset, np.ndarray]:
    """Rows drawn from such a chain, and the states of its latents."""
    rng = np.random.default_rng(5)
    hidden = np.empty((n_rows, n_latents), dtype=np.int64)
    hidden[:, 0] = rng.integers(2, size=n_rows)
    for k in range(1, n_latents):
        hidden[:, k] = np.where(rng.random(n_rows) < 0.85, hidden[:, k - 1], 1 - hidden[:, k - 1])
    codes = np.repeat(hidden, 2, axis=1)
    codes = np.where(rng.random(codes.shape) < 0.9, codes, 1 - codes)
    return Dataset([f"V{k}" for k in range(2 * n_latents)], [["0", "1"]] * (2 * n_latents), codes), hidden


def test_that_a_tree_of_fifteen_latents_is_scored_read_back_and_needs_no_note() -> None:
    dag = caterpillar(15)
    dataset, hidden = caterpillar_data(15, 300)
    scorer = Scorer(dataset, VbemOptions(restarts=2, effort="light"))
    score = scorer.score(dag)
    assert score.note == ""
    assert score.converged
    assert score.p_elbo > scorer.score(dag.without_latents()).p_elbo + 500
    posterior = scorer.posterior(dag)
    assert posterior.log_likelihood is not None
    assert score.elbo < posterior.log_likelihood < 0
    for latent in dag.latents:
        np.testing.assert_allclose(posterior.responsibilities(latent.name).sum(axis=1), 1.0, atol=1e-9)
    states = scorer.states_of_rows(dag)
    for k, latent in enumerate(dag.latents):
        assert (states[:, k] == posterior.responsibilities(latent.name).argmax(axis=1)).all()
        alike = (states[:, k] == hidden[:, int(latent.name[1:])]).mean()
        assert max(alike, 1 - alike) > 0.85


def test_that_a_chain_of_latents_scores_alike_from_either_root() -> None:
    """Uniform priors over binary latents: only the Dirichlets of the links differ, by little on much data."""
    dataset, _ = caterpillar_data(5, 2000)
    down = caterpillar(5)
    up = LatentDag(
        down.nodes,
        [],
        [Latent(f"L{k}", 2, (f"V{2 * k}", f"V{2 * k + 1}"), f"L{k + 1}" if k < 4 else None) for k in range(5)],
    )
    scorer = Scorer(dataset, VbemOptions(restarts=4, effort="light"))
    assert posterior_form(split(down, dataset).components[0], scorer.options) == "tree"
    assert scorer.score(down).p_elbo == pytest.approx(scorer.score(up).p_elbo, abs=3)


def test_that_states_of_rows_are_the_most_probable_ones_whatever_the_form() -> None:
    dataset = random_dataset(np.random.default_rng(2), 120, [2, 3, 2, 3, 2])
    latents = [Latent("U", 3, ("A", "B", "C")), Latent("V", 2, ("C", "D")), Latent("W", 2, ("D", "E"))]
    dag = LatentDag(dataset.names, [("A", "E")], latents)
    for options in (VbemOptions(restarts=1), VbemOptions(restarts=1, posterior="factorised")):
        scorer = Scorer(dataset, options)
        posterior, states = scorer.posterior(dag), scorer.states_of_rows(dag)
        for k, latent in enumerate(dag.latents):
            assert (states[:, k] == posterior.responsibilities(latent.name).argmax(axis=1)).all()
    assert scorer.states_of_rows(dag.without_latents()).shape == (120, 0)
