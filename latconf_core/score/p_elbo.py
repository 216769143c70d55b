"""The score of a DAG with latents: p-ELBO, the sum of its plain families and its components."""

from __future__ import annotations

import hashlib
import threading
import time
from dataclasses import dataclass, field
from math import lgamma

import numpy as np

from latconf_core.control import RunControl
from latconf_core.counts.families import FamilyScores
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError
from latconf_core.options import VbemOptions
from latconf_core.score.component import Component, split
from latconf_core.score.prior import Priors
from latconf_core.score.problem import lay_out
from latconf_core.score.vbem import Fit, fit


@dataclass(frozen=True)
class Score:
    """What a DAG is worth, in nats.

    p_elbo : elbo − Σ log(n_states!) over the latents; the exact log marginal likelihood where there is no latent
    elbo : the evidence lower bound, every constant kept
    converged : the rise still to come was estimated below the tolerance in every component
    iterations : evaluations of the VBEM map, all starts together
    restarts : starts tried, all components together
    seconds : the time of this call
    """

    dag: LatentDag
    p_elbo: float
    elbo: float
    converged: bool
    iterations: int
    restarts: int
    seconds: float
    note: str = ""


@dataclass
class _Entry:
    """One component's place in the cache; the lock lets a second thread wait instead of computing it again."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    fit: Fit | None = None


def component_penalty(component: Component) -> float:
    """Σ log(n_states!): the relabellings of latent states that describe the same model."""
    return sum(lgamma(n_states + 1) for n_states in component.states)


class Scorer:
    """Scores DAGs on one dataset, each family and component once. Safe from several threads.

    A score depends on the data, the options and the DAG alone: not on the order of visits or the number of workers.
    """

    def __init__(self, dataset: Dataset, options: VbemOptions, *, control: RunControl | None = None) -> None:
        if dataset.n_rows == 0:
            raise DataError("the data have no rows; load data with at least one")
        self.dataset = dataset
        self.options = options
        self._control = RunControl() if control is None else control
        self._priors = Priors(dataset, options)
        self._families = FamilyScores(dataset, self._priors.of_family)
        self._entries: dict[Component, _Entry] = {}
        self._guard = threading.Lock()

    def score(self, dag: LatentDag) -> Score:
        """The p-ELBO of a DAG."""
        began = time.perf_counter()
        parts = split(dag, self.dataset)
        elbo = sum(self._families.log_score(child, parents) for child, parents in parts.families)
        fits = [self.fit(component) for component in parts.components]
        elbo += sum(one.elbo for one in fits)
        penalty = sum(component_penalty(component) for component in parts.components)
        return Score(
            dag,
            elbo - penalty,
            elbo,
            all(one.converged for one in fits),
            sum(one.iterations for one in fits),
            sum(one.starts for one in fits),
            time.perf_counter() - began,
        )

    def fit(self, component: Component) -> Fit:
        """The best posterior found for one component; computed once."""
        with self._guard:
            entry = self._entries.setdefault(component, _Entry())
        with entry.lock:
            if entry.fit is None:
                self._control.checkpoint()
                layout = lay_out(component, self.dataset, self._priors)
                entry.fit = fit(layout, self.options, rng=self._rng(component), control=self._control)
        return entry.fit

    def _rng(self, component: Component) -> np.random.Generator:
        """A stream of random numbers that belongs to the run's seed and this component."""
        digest = hashlib.blake2b(repr(component).encode(), digest_size=16).digest()
        return np.random.default_rng([self.options.seed, int.from_bytes(digest, "little")])


def warm_up() -> None:
    """Compile or load every kernel, so that the first score is as fast as the next."""
    from latconf_core.dag.latent_dag import Latent

    codes = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 1, 1]])
    for n_states in (2, 300):  # two widths of codes
        states = [[str(k) for k in range(n_states)]] * 3
        dataset = Dataset(["A", "B", "C"], states, codes)
        dag = LatentDag(dataset.names, [("A", "C")], [Latent("L1", 2, ("B", "C"))])
        Scorer(dataset, VbemOptions(restarts=1)).score(dag)
