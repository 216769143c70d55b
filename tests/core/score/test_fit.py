from __future__ import annotations

import numpy as np
import pytest
from support.builders import random_dataset

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.families.priors import Priors
from latconf_core.options.scoring import VbemOptions
from latconf_core.score import fit as vbem
from latconf_core.score.component_layout import Form, Layout, lay_out
from latconf_core.score.fit import fit
from latconf_core.score.kernels import best_posterior as search
from latconf_core.score.kernels.stepping import Batch, advance
from latconf_core.score.kernels.vbem import spread
from latconf_core.score.naming import split

OPTIONS = VbemOptions()


def random_layout(rng: np.random.Generator, *, joint: bool) -> Layout:
    """A component of one to three latents over four variables of two to four states, with some observed edges."""
    dataset = random_dataset(rng, int(rng.integers(20, 300)), rng.integers(2, 5, size=5).tolist())
    edges = [("E", child) for child in "ABCD" if rng.random() < 0.5]
    pairs = [("A", "B"), ("B", "C"), ("C", "D")][: rng.integers(1, 4)]
    latents = [Latent(f"L{i}", int(rng.integers(2, 4)), pair) for i, pair in enumerate(pairs)]
    dag = LatentDag(dataset.names, edges, latents)
    form: Form = "joint" if joint else "factorised"
    return lay_out(split(dag, dataset).components[0], dataset, Priors(dataset, OPTIONS), form=form)


def random_points(layout: Layout, rng: np.random.Generator, n_points: int) -> Batch:
    """Points that follow from random responsibilities."""
    problem = layout.problem
    batch = search.make_batch(problem, n_points)
    for index in range(n_points):
        q = rng.random((len(problem.weights), problem.q_first[-1])) ** 3 + 1e-3
        for first, end in zip(problem.q_first, problem.q_first[1:]):
            q[:, first:end] /= q[:, first:end].sum(axis=1, keepdims=True)
        spread(problem, q, batch.parameters[index])
        if batch.q.size:
            batch.q[index] = q
    return batch


def run_on(layout: Layout, batch: Batch, n_evaluations: int) -> np.ndarray:
    """Run points on in place; gives the course of the last one's bound."""
    run = search.make_run(layout.problem, n_evaluations)
    schedule = np.array([(len(batch.bounds), n_evaluations)])
    assert advance(layout.problem, run, batch, schedule, 0.0, -np.inf, 10**12) > 0
    return run.trace[np.isfinite(run.trace)]


@pytest.mark.parametrize("joint", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_that_the_bound_never_falls(seed: int, joint: bool) -> None:
    rng = np.random.default_rng(seed)
    layout = random_layout(rng, joint=joint)
    for _ in range(8):
        rises = np.diff(run_on(layout, random_points(layout, rng, 1), 200))
        assert len(rises) > 3
        assert rises.min() > -1e-8  # rounding of sums of a few thousand nats


@pytest.mark.parametrize("seed", range(6))
def test_that_the_joint_bound_is_at_least_the_factorised_one_at_the_same_parameters(seed: int) -> None:
    bounds = {}
    for joint in (True, False):
        rng = np.random.default_rng(seed)
        layout = random_layout(rng, joint=joint)
        points = random_points(layout, rng, 8)
        run_on(layout, points, 1)
        bounds[joint] = points.bounds
    assert np.all(bounds[True] >= bounds[False] - 1e-9)


@pytest.mark.parametrize("joint", [True, False])
def test_that_slices_between_checkpoints_change_nothing(joint: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = random_layout(np.random.default_rng(3), joint=joint)
    calls = []

    def is_cancelled() -> bool:
        calls.append(None)
        return False

    whole = fit(layout, OPTIONS, seed=0, control=RunControl(is_cancelled))
    n_whole = len(calls)
    monkeypatch.setattr(vbem, "SLICE_STEPS", 500)
    sliced = fit(layout, OPTIONS, seed=0, control=RunControl(is_cancelled))
    assert len(calls) - n_whole > 10 * n_whole
    assert sliced.starts == whole.starts
    # Rows are summed a slice at a time, so the last digits differ.
    assert sliced.elbo == pytest.approx(whole.elbo, abs=1e-6)


@pytest.mark.parametrize("joint", [True, False])
def test_that_the_bound_reached_is_that_of_its_parameters(joint: bool) -> None:
    layout = random_layout(np.random.default_rng(8), joint=joint)
    found = fit(layout, OPTIONS, seed=0, control=RunControl())
    point = search.make_batch(layout.problem, 1)
    point.parameters[0], point.q[0] = found.parameters, found.q
    run_on(layout, point, 1)
    assert found.elbo <= point.bounds[0] + 1e-9
    assert point.bounds[0] < found.elbo + 2 * OPTIONS.tolerance
    assert found.converged


def test_that_an_iteration_limit_is_reported_as_not_converged() -> None:
    layout = random_layout(np.random.default_rng(4), joint=True)
    found = fit(layout, VbemOptions(max_iterations=1, tolerance=1e-9), seed=0, control=RunControl())
    assert not found.converged


def test_that_a_hidden_copy_of_a_variable_is_found_whatever_the_seed() -> None:
    """Four variables that equal a hidden one of four states: every seed must find it, though EM often does not."""
    rng = np.random.default_rng(6)
    hidden = rng.choice(4, size=2000, p=[0.4, 0.3, 0.2, 0.1])
    noisy = [np.where(rng.random(2000) < 0.85, hidden, rng.integers(4, size=2000)) for _ in range(4)]
    dataset = Dataset(list("ABCD"), [list("0123")] * 4, np.stack(noisy, axis=1))
    dag = LatentDag(dataset.names, [], [Latent("L", 4, tuple("ABCD"))])
    layout = lay_out(split(dag, dataset).components[0], dataset, Priors(dataset, OPTIONS))
    bounds = [fit(layout, OPTIONS, seed=s, control=RunControl()).elbo for s in range(5)]
    assert np.ptp(bounds) < 0.1
