"""Intervals of tables: closed forms where the states of a latent are as good as seen, and coverage by simulation."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.stats import beta

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.control import RunControl, StopRequested
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import Sample, sample
from latconf_core.options.scoring import VbemOptions
from latconf_core.score import table_intervals as module
from latconf_core.score.posterior import Posterior
from latconf_core.score.scorer import Scorer
from latconf_core.score.table_intervals import split_r_hat

OPTIONS = VbemOptions(restarts=4)
LEAST_ROWS = 20  # of a configuration whose intervals are judged


def copies(n_rows: int) -> Dataset:
    """Four exact copies of a hidden bit, and one that is right in four of five rows."""
    rng = np.random.default_rng(3)
    hidden = rng.integers(2, size=n_rows)
    noisy = np.where(rng.random(n_rows) < 0.8, hidden, 1 - hidden)
    return Dataset(list("ABCDE"), [("no", "yes")] * 5, np.stack([hidden] * 4 + [noisy], axis=1))


def test_that_intervals_below_a_latent_that_is_as_good_as_seen_are_those_of_seen_states() -> None:
    dataset = copies(300)
    dag = LatentDag(dataset.names, [], [Latent("L1", 2, dataset.names)])
    posterior = Scorer(dataset, OPTIONS).posterior(dag)
    intervals = posterior.intervals(OPTIONS, seed=1)
    assert set(intervals) == {*"ABCDE", "L1"}
    seen = posterior.responsibilities("L1").argmax(axis=1)
    prior = (np.bincount(dataset.column("E"), minlength=2) + 1) / 302
    for state in (0, 1):
        n_yes, n = int((dataset.column("E")[seen == state] == 1).sum()), int((seen == state).sum())
        ends = beta.ppf([0.025, 0.975], prior[1] + n_yes, prior[0] + n - n_yes)
        drawn = intervals["E"].lower[state, 1], intervals["E"].upper[state, 1]
        assert drawn == pytest.approx(ends, abs=0.015)  # 600 draws


def test_that_families_without_latents_have_their_exact_intervals() -> None:
    dataset = copies(100)
    dag = LatentDag(dataset.names, [("D", "E")], [Latent("L1", 2, ("A", "B", "C"))])
    posterior = Scorer(dataset, OPTIONS).posterior(dag)
    lower, upper = posterior.cpts["E"].credible_interval(0.9)
    intervals = posterior.intervals(OPTIONS, level=0.9)
    assert (intervals["E"].lower == lower).all()
    assert (intervals["E"].upper == upper).all()


def test_that_a_seed_gives_the_same_intervals_and_a_stop_ends_the_drawing() -> None:
    dataset = copies(60)
    posterior = Scorer(dataset, OPTIONS).posterior(LatentDag(dataset.names, [], [Latent("L1", 2, dataset.names)]))
    first, second = (posterior.intervals(OPTIONS, seed=4)["E"] for _ in range(2))
    assert (first.lower == second.lower).all()
    looks = count()
    with pytest.raises(StopRequested):
        posterior.intervals(OPTIONS, control=RunControl(lambda: next(looks) > 50))


def test_that_what_cannot_be_drawn_has_no_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = copies(60)
    dag = LatentDag(dataset.names, [], [Latent("L1", 2, ("A", "B", "C"))])
    posterior = Scorer(dataset, OPTIONS).posterior(dag)
    monkeypatch.setattr(module, "split_r_hat", lambda draws: 2.0)  # a chain that never settles
    monkeypatch.setattr(module, "LAST_THINNING", module.FIRST_THINNING)
    assert set(posterior.intervals(OPTIONS)) == {"D", "E"}
    monkeypatch.setattr(module, "MOST_NUMBERS", 1)
    assert set(posterior.intervals(OPTIONS)) == {"D", "E"}


def test_that_r_hat_is_one_for_halves_alike_and_large_for_halves_apart() -> None:
    rng = np.random.default_rng(1)
    alike = rng.normal(size=(2000, 3))
    assert split_r_hat(alike) == pytest.approx(1, abs=0.01)
    apart = np.concatenate([alike[:1000], alike[1000:] + np.array([0, 0, 3.0])])
    assert split_r_hat(apart) == pytest.approx(np.sqrt(1 + 9 / 2), rel=0.05)


def indicators(seed: int) -> BayesNet:
    """A hidden cause of five variables, one of which has an observed parent and one an observed child."""
    rng = np.random.default_rng(seed)

    def table(*shape: int) -> FloatArray:
        return rng.dirichlet(np.full(shape[-1], 0.7), size=shape[:-1])

    names = [f"x{k}" for k in range(5)]
    n_states = {name: 2 + k % 2 for k, name in enumerate(names)}
    cpts = [Cpt("h", ("s0", "s1"), (), [0.4, 0.6]), Cpt("a", ("0", "1", "2"), (), table(3))]
    for name in names:
        parents, sizes = (("a", "h"), (3, 2)) if name == "x0" else (("h",), (2,))
        states = [str(k) for k in range(n_states[name])]
        cpts.append(Cpt(name, states, parents, table(*sizes, len(states))))
    cpts.append(Cpt("b", ("0", "1"), ("x1",), table(n_states["x1"], 2)))
    return BayesNet(cpts, latents=["h"])


def matched_states(posterior: Posterior, drawn: Sample) -> dict[str, IntArray]:
    """For each latent, the state of the fit that shares most rows with each true state."""
    orders = {}
    for name in posterior.latents:
        true = drawn.hidden_columns.column(name)
        shares = posterior.responsibilities(name)
        overlap = np.stack([shares[true == state].sum(axis=0) for state in range(shares.shape[1])])
        orders[name] = linear_sum_assignment(-overlap)[1]
    return orders


def hits(network: BayesNet, drawn: Sample, seed: int) -> Iterator[tuple[bool, list[bool]]]:
    """Per table whether it stands around a latent, and of its entries in large configurations which are covered."""
    posterior = Scorer(drawn.dataset, OPTIONS).posterior(drawn.truth)
    intervals, orders = posterior.intervals(OPTIONS, seed=seed), matched_states(posterior, drawn)
    columns = {name: data.column(name) for data in (drawn.dataset, drawn.hidden_columns) for name in data.names}
    for name, interval in intervals.items():
        axes = (*posterior.cpts[name].parents, name)
        true = network.cpts[name]
        wanted = np.transpose(true.table, [(*true.parents, name).index(axis) for axis in axes])
        lower, upper = interval.lower, interval.upper
        for axis, variable in enumerate(axes):
            if variable in orders:
                lower, upper = (np.take(end, orders[variable], axis=axis) for end in (lower, upper))
        n_rows = np.zeros(wanted.shape[:-1])
        np.add.at(n_rows, tuple(columns[parent] for parent in axes[:-1]), 1 if axes[:-1] else drawn.dataset.n_rows)
        judged = (n_rows > LEAST_ROWS)[..., None] & (wanted > 0) & (wanted < 1)  # no interval holds 0 or 1
        is_hit = (lower <= wanted) & (wanted <= upper)
        yield bool(orders.keys() & set(axes)), is_hit[judged].tolist()


@pytest.mark.slow
def test_that_95_per_cent_intervals_cover_90_to_98_per_cent_with_and_without_latents() -> None:
    """Twenty networks with a hidden cause of five variables, fitted on the true DAG; measured 94.0 and 96.1 %."""
    covered: dict[bool, list[bool]] = {True: [], False: []}
    for seed in range(20):
        network = indicators(seed)
        drawn = sample(network, 600, rng=np.random.default_rng(seed))
        for is_around_latent, is_hit in hits(network, drawn, seed):
            covered[is_around_latent] += is_hit
    shares = {kind: np.mean(value) for kind, value in covered.items()}
    assert len(covered[True]) > 400
    assert all(0.90 <= share <= 0.98 for share in shares.values()), shares
