"""The kernels do what a plain run of variational Bayes does, step by step, and end where it stands still."""

from __future__ import annotations

import numpy as np
import pytest
from support.builders import random_dataset

from latconf_core.arrays import FloatArray
from latconf_core.counts.families import row_places
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.families.priors import Priors
from latconf_core.model.component import Component
from latconf_core.options.scoring import Prior, VbemOptions
from latconf_core.score.component_layout import Layout, lay_out
from latconf_core.score.kernels import best_posterior as search
from latconf_core.score.kernels.stepping import Batch, advance
from latconf_core.score.kernels.vbem import joint_responsibilities, spread
from latconf_core.score.naming import split
from latconf_core.score.read_back import data_codes
from latconf_core.score.readable_vbem import run_vbem

ROUNDING = 1e-7  # nats: sums of a few thousand numbers in another order, digammas by other series
SEEDS = range(8)


def random_case(seed: int) -> tuple[Component, Dataset, Priors, Layout, np.random.Generator]:
    """A component of one to three latents, one of them perhaps with a latent parent, over some of five variables."""
    rng = np.random.default_rng(seed)
    dataset = random_dataset(rng, int(rng.integers(20, 200)), rng.integers(2, 5, size=5).tolist())
    edges = [("E", child) for child in "ABCD" if rng.random() < 0.5]
    pairs = [("A", "B"), ("B", "C"), ("C", "D")][: rng.integers(1, 4)]
    latents = [Latent(f"L{i}", int(rng.integers(2, 4)), pair) for i, pair in enumerate(pairs)]
    if seed % 4 == 3:
        latents = [Latent("L0", 2, ("A", "L1")), Latent("L1", 3, ("C", "D"), "L0")]
    prior: Prior = ("empirical", "uniform", "bdeu")[seed % 3]
    priors = Priors(dataset, VbemOptions(prior=prior))
    component = split(LatentDag(dataset.names, edges, latents), dataset).components[0]
    return component, dataset, priors, lay_out(component, dataset, priors), rng


def random_start(layout: Layout, rng: np.random.Generator) -> tuple[Batch, FloatArray]:
    """A point of the kernels, and the joint responsibilities of the layout's rows that it follows from."""
    problem = layout.problem
    q = rng.random((len(problem.weights), problem.q_first[-1])) ** 3 + 1e-3
    joint = np.ones((len(q), 1))
    for first, end in zip(problem.q_first, problem.q_first[1:]):
        q[:, first:end] /= q[:, first:end].sum(axis=1, keepdims=True)
        joint = (joint[:, :, None] * q[:, None, first:end]).reshape(len(q), -1)
    batch = search.make_batch(problem, 1)
    spread(problem, q, batch.parameters[0])
    return batch, joint


def of_rows(responsibilities: FloatArray, layout: Layout, dataset: Dataset) -> FloatArray:
    """Responsibilities of the layout's distinct rows, for every row of the data; latents as in the component."""
    arrangement, n_rows = layout.arrangement, len(responsibilities)
    axes = [0, *(1 + arrangement.latents.index(k) for k in range(len(arrangement.latents)))]
    restored = responsibilities.reshape(n_rows, *arrangement.states).transpose(axes).reshape(n_rows, -1)
    return restored[row_places(dataset, layout.rows.columns, data_codes(layout.rows))]


def go_on(layout: Layout, batch: Batch, n_evaluations: int) -> float:
    """Let the kernels go on from a point, in place; gives the bound."""
    run = search.make_run(layout.problem, n_evaluations)
    assert advance(layout.problem, run, batch, np.array([(1, n_evaluations)]), 1e-12, -np.inf, 10**12) > 0
    return float(batch.bounds[0])


@pytest.mark.parametrize("seed", SEEDS)
def test_that_plain_steps_of_the_kernels_take_the_same_course_from_the_same_start(seed: int) -> None:
    component, dataset, priors, layout, rng = random_case(seed)
    batch, start = random_start(layout, rng)
    readable = run_vbem(component, dataset, priors, of_rows(start, layout, dataset), n_iterations=60, tolerance=-1.0)
    course = [go_on(layout, batch, 1) for _ in readable.trace]  # one evaluation is one plain step
    np.testing.assert_allclose(course, readable.trace, rtol=0, atol=ROUNDING)
    assert np.diff(readable.trace).min() > -ROUNDING  # the bound never falls


@pytest.mark.parametrize("seed", SEEDS)
def test_that_the_kernels_end_where_plain_steps_stand_still(seed: int) -> None:
    component, dataset, priors, layout, rng = random_case(seed)
    batch, _ = random_start(layout, rng)
    bound = go_on(layout, batch, 2000)
    ended = joint_responsibilities(layout.problem, batch.parameters[0])
    readable = run_vbem(component, dataset, priors, of_rows(ended, layout, dataset), n_iterations=50, tolerance=-1.0)
    assert readable.trace[-1] == pytest.approx(bound, abs=1e-4)  # slow ones rise a little further


@pytest.mark.parametrize("seed", SEEDS)
def test_that_the_kernels_stay_where_a_plain_run_ends(seed: int) -> None:
    component, dataset, priors, layout, rng = random_case(seed)
    batch, start = random_start(layout, rng)
    readable = run_vbem(component, dataset, priors, of_rows(start, layout, dataset), n_iterations=3000)
    for _ in readable.trace:
        go_on(layout, batch, 1)
    assert go_on(layout, batch, 20) == pytest.approx(readable.trace[-1], abs=1e-3)  # slow ones rise a little further
