"""VAE and VAEM against what is known exactly: frequencies, quadrature, entropies, finite differences."""

from __future__ import annotations

import builtins
from itertools import product
from typing import Any

import numpy as np
import pytest

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.density import fit_density as fitting
from latconf_core.density.baselines import DENSITIES
from latconf_core.density.fit_density import DensityFitted, DensityOptions, fit_density, load_models, measure_density
from latconf_core.errors import OptionError

jax = pytest.importorskip("jax", reason="the density baselines need the extra 'density'")
load_models()
from latconf_core.density.jax_models import layers  # noqa: E402
from latconf_core.density.jax_models.density import VaeDensity, VaemDensity  # noqa: E402
from latconf_core.density.jax_models.vae import Vae  # noqa: E402
from latconf_core.density.jax_models.vaem import Codes  # noqa: E402

pytestmark = pytest.mark.slow  # jax compiles for seconds before each
SHORT = DensityOptions(max_epochs=60, n_seeds=1, n_draws=200)


def binary(columns: Any) -> Dataset:
    codes = np.column_stack(columns).astype(np.uint8)
    return Dataset([f"X{i}" for i in range(codes.shape[1])], [("0", "1")] * codes.shape[1], codes)


def independent(n_rows: int, seed: int = 0) -> Dataset:
    rng = np.random.default_rng(seed)
    return binary([rng.random(n_rows) < p for p in (0.1, 0.3, 0.5, 0.7)])


def copies(n_columns: int, n_rows: int) -> Dataset:
    """Noisy copies of a hidden bit, as in the design of the rivals (5.1, A)."""
    rng = np.random.default_rng(1)
    z = rng.integers(2, size=n_rows)
    return binary([np.where(rng.random(n_rows) < 0.85, z, 1 - z) for _ in range(n_columns)])


def fitted(dataset: Dataset, method: str, options: DensityOptions = SHORT) -> DensityFitted:
    *_, last = fit_density(dataset, method, options=options)
    assert isinstance(last, DensityFitted)
    return last


def test_that_parameters_of_the_frequencies_alone_give_their_log_likelihood() -> None:
    data = independent(500)
    density = VaeDensity(data.n_states, 0)
    start = density.model.start(jax.random.PRNGKey(0), data.codes)
    encoder = [(0 * weights, bias) for weights, bias in start["encoder"]]
    density.parameters = {"encoder": encoder, "decoder": start["decoder"]}
    shares = np.exp(np.asarray(start["decoder"][-1][1], dtype=float)).reshape(-1, 2)
    exact = sum(np.log(shares[v, data.codes[:, v]]).sum() for v in range(4)) / data.n_rows
    found = measure_density(density, data, options=DensityOptions(n_draws=10))
    assert found.per_row == pytest.approx(exact, abs=1e-5)
    assert found.change == pytest.approx(0.0, abs=1e-5)


def test_that_the_bound_of_a_linear_decoder_agrees_with_quadrature_and_rises_with_the_draws() -> None:
    """One dimension of z: 61 Gauss-Hermite nodes give log p(x) almost exactly."""
    model = Vae(layers.StateSpace((2, 2, 2)), 1, 8, is_linear=True)
    parameters = model.start(jax.random.PRNGKey(3), np.zeros((4, 3), dtype=np.int32))
    weights = jax.random.normal(jax.random.PRNGKey(5), parameters["decoder"][0][0].shape)
    *first, (last, bias) = parameters["encoder"]  # draws from the prior: the weights spread little
    parameters = {"encoder": [*first, (0 * last, 0 * bias)], "decoder": [(weights, parameters["decoder"][0][1])]}
    rows = np.array(list(product((0, 1), repeat=3)), dtype=np.int32)
    nodes, node_weights = np.polynomial.hermite_e.hermegauss(61)
    logits = nodes[:, None] @ np.asarray(weights) + np.asarray(parameters["decoder"][0][1])
    each = np.asarray(
        model.space.log_probability(logits[:, None].repeat(len(rows), axis=1), np.broadcast_to(rows, (61, 8, 3)))
    )
    exact = np.log((np.exp(each) * (node_weights / node_weights.sum())[:, None]).sum(axis=0))
    density = VaeDensity((2, 2, 2), 0, is_linear=True)
    density.model, density.parameters = model, parameters
    means = {}
    for n_draws in (10, 100, 5000):
        bounds = [density.row_bounds(rows, n_draws, seed, lambda: None)[1] for seed in range(2)]
        means[n_draws] = np.mean(bounds, axis=0)
    assert np.abs(means[5000] - exact).max() < 0.02  # three standard errors of 10,000 draws
    assert means[10].mean() < means[100].mean() + 0.01
    assert means[100].mean() < means[5000].mean() + 0.005
    assert means[10].mean() <= exact.mean() + 0.05


def test_that_the_gradient_is_that_of_finite_differences() -> None:
    from jax.flatten_util import ravel_pytree

    with jax.enable_x64(True):
        model = Vae(layers.StateSpace((2, 3, 2)), 2, 4)
        rows = np.array([[0, 2, 1], [1, 0, 0], [1, 1, 1]], dtype=np.int32)
        start = jax.tree.map(lambda own: own.astype("float64"), model.start(jax.random.PRNGKey(0), rows))
        flat, restore = ravel_pytree(start)
        flat = flat + 0.1 * jax.random.normal(jax.random.PRNGKey(1), flat.shape)
        key = jax.random.PRNGKey(2)

        def loss(values: Any) -> Any:
            return model.loss(restore(values), rows, key, 1.0)

        gradient = np.asarray(jax.grad(loss)(flat))
        for index in np.random.default_rng(0).choice(len(flat), 12, replace=False):
            step = np.zeros(len(flat))
            step[index] = 1e-5
            difference = (float(loss(flat + step)) - float(loss(flat - step))) / 2e-5
            assert gradient[index] == pytest.approx(difference, abs=1e-5)


@pytest.mark.exhaustive
def test_that_a_vae_learns_independent_columns_and_finds_no_more_in_them() -> None:
    data, other = independent(10_000), independent(2_000, seed=7)
    latent_evidence = fitted(data, "vae")
    shares = np.array([np.bincount(data.codes[:, v], minlength=2) / data.n_rows for v in range(4)])
    exact = float(np.mean([np.log(shares[v, other.codes[:, v]]) for v in range(4)], axis=1).sum())
    assert measure_density(latent_evidence.density, other, options=SHORT).per_row == pytest.approx(exact, abs=0.02)
    assert latent_evidence.n_parameters == latent_evidence.density.n_parameters > 0


@pytest.mark.exhaustive
@pytest.mark.parametrize("method", DENSITIES)
def test_that_copies_of_a_hidden_bit_are_foreseen_far_better_than_by_independence(method: str) -> None:
    data = copies(8, 3_000)
    latent_evidence = fitted(data, method)
    probabilities = np.array([0.15, 0.85])
    rows = np.array(list(product((0, 1), repeat=8)))
    truth = sum(0.5 * np.prod(probabilities[(rows == z).astype(int)], axis=1) for z in (0, 1))
    entropy_rate = float((truth * np.log(truth)).sum())
    independence = 8 * np.log(0.5)
    bound = measure_density(latent_evidence.density, data, options=SHORT)
    assert bound.per_row > independence + (1.0 if method == "vae" else 0.6)
    empirical = data.distinct.counts / data.n_rows
    assert bound.per_row <= float((empirical * np.log(empirical)).sum()) + 3 * bound.standard_error
    if method == "vae":
        assert bound.per_row > entropy_rate - 0.15


def test_that_the_code_of_a_variable_never_beats_its_entropy_and_a_light_kl_keeps_it() -> None:
    """One variable with four states: at full weight the bound of its code is at most minus the entropy."""
    rng = np.random.default_rng(2)
    codes = rng.choice(4, p=[0.4, 0.3, 0.2, 0.1], size=(600, 1)).astype(np.int32)
    stage = Codes(layers.StateSpace((4,)))
    data = Dataset(["x"], [("a", "b", "c", "d")], codes.astype(np.uint8))
    density = VaemDensity((4,), 0)
    for _ in density.train(codes[:500], codes[500:], 20, lambda: None):
        pass
    shares = np.bincount(codes[:, 0]) / len(codes)
    entropy = float(-(shares * np.log(shares)).sum())
    assert density.code_information(data)[0] > 0.1
    first = density.parameters["first"]
    mean, log_variance = stage.encode(first, codes)
    draws = [
        float((stage.log_probability(first, layers.draw_gaussian(key, mean, log_variance), codes)
               - layers.kl_to_standard(mean, log_variance).sum(axis=-1)).mean())
        for key in jax.random.split(jax.random.PRNGKey(0), 20)
    ]  # fmt: skip
    assert np.mean(draws) <= -entropy + 3 * np.std(draws) / np.sqrt(len(draws))


def test_that_a_seed_repeats_and_a_stop_ends_the_training() -> None:
    data = copies(3, 200)
    options = DensityOptions(max_epochs=3, n_seeds=2, n_draws=20, seed=5)
    first, second = (fitted(data, "vae", options).bound for _ in range(2))
    assert first == second
    asked = iter([False] * 5 + [True] * 100)
    with pytest.raises(StopRequested) as stopped:
        for _ in fit_density(data, "vae", options=options, control=RunControl(lambda: next(asked))):
            pass
    assert stopped.value.reason is StopReason.CANCELLED


def test_that_what_cannot_be_fitted_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match="choose one of vae, vaem"):
        next(fit_density(copies(3, 50), "gan"))
    with pytest.raises(OptionError, match="draws per row"):
        DensityOptions(n_draws=1)
    known = builtins.__import__

    def without_jax(name: str, *rest: Any, **more: Any) -> Any:
        if "jax_models" in name:
            raise ImportError(name)
        return known(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without_jax)
    with pytest.raises(OptionError, match=r"pip install 'latconf\[density\]'"):
        fitting.load_models()
