"""The score of a DAG with latents: p-ELBO, the sum of its plain families and its components."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.control import RunControl
from latconf_core.dag.bayes_net import Cpt
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError
from latconf_core.families.discrete import DiscreteFamilies
from latconf_core.families.family_model import FamiliesOf
from latconf_core.families.family_rows import CountsTogether, FamilyRow, FamilyRows
from latconf_core.families.priors import Priors
from latconf_core.model.component import Component
from latconf_core.options.scoring import FitEffort, VbemOptions
from latconf_core.score.component_layout import Layout, lay_out
from latconf_core.score.fit import Fit, expected_seconds, relabelling_penalty
from latconf_core.score.fit_task import FitTask, exact_form, lay_out_task, make_task, posterior_form, run_task
from latconf_core.score.known_parts import KnownParts
from latconf_core.score.naming import split
from latconf_core.score.posterior import LatentPosterior, Posterior
from latconf_core.score.read_back import (
    Fitted,
    latent_posteriors,
    log_likelihood,
    plain_table,
    states_of_rows,
    tables,
)
from latconf_core.score.split_state import fit_by_splitting


@dataclass(frozen=True)
class Score:
    """What a DAG is worth, in nats.

    score : what a search maximises: p_elbo less the prices of the objective
    p_elbo : elbo − Σ log(n_states!) over the latents; the exact log marginal likelihood where there is no latent
    elbo : the evidence lower bound, every constant kept
    converged : the rise still to come was estimated below the tolerance in every component
    iterations : evaluations of the VBEM map, all starts together
    restarts : starts tried, all components together
    seconds : the time of this call
    spread : how far below the best the worst of the runs ended that were finished, in the component where that is most
    """

    dag: LatentDag
    score: float
    p_elbo: float
    elbo: float
    converged: bool
    iterations: int
    restarts: int
    seconds: float
    note: str = ""
    spread: float = 0.0


class Scorer:
    """Scores DAGs on one dataset, each family and component once. Safe from several threads.

    A score depends on the data, the options and the DAG alone: not on the order of visits or the number of workers.
    """

    def __init__(
        self,
        dataset: Dataset,
        options: VbemOptions,
        *,
        control: RunControl | None = None,
        families_of: FamiliesOf = DiscreteFamilies,
    ) -> None:
        """families_of : makes the family model; what is sent to other processes makes it there anew"""
        if dataset.n_rows == 0:
            raise DataError("the data have no rows; load data with at least one")
        self.dataset = dataset
        self.options = options
        self.control = RunControl() if control is None else control
        self.families_of = families_of
        self.families = families_of(dataset, options)
        dataset.digest  # noqa: B018 - computed once, before the first score is timed
        self.known: KnownParts[Fit] = KnownParts(dataset.n_variables)
        self.rows: FamilyRows | None = None
        if isinstance(self.families, CountsTogether) and self.families.counts_together:
            self.rows = FamilyRows(self.families, dataset.n_variables, dataset.n_rows)
        self._guard = threading.Lock()
        self._at_work: dict[Component, threading.Lock] = {}

    @property
    def priors(self) -> Priors:
        """The Dirichlet priors of the family model, and its prices of structure."""
        return self.families.priors

    def on(self, dataset: Dataset, options: VbemOptions | None = None) -> Scorer:
        """A scorer of other data, or with another objective, by the same kind of families."""
        return Scorer(dataset, options or self.options, control=self.control, families_of=self.families_of)

    def with_empty_cache(self) -> Scorer:
        """The same scorer with no component scored yet; plain families stay known."""
        fresh = copy(self)
        fresh.known, fresh._guard, fresh._at_work = self.known.families_alone(), threading.Lock(), {}
        return fresh

    def at_effort(self, effort: FitEffort) -> Scorer:
        """A scorer of the same data that fits components with another effort; plain families stay known to both."""
        other = self.with_empty_cache()
        other.options = replace(self.options, effort=effort)
        return other

    def with_seed(self, seed: int) -> Scorer:
        """A scorer of the same data whose fits begin elsewhere; plain families stay known to both."""
        other = self.with_empty_cache()
        other.options = replace(self.options, seed=seed)
        return other

    def check(self, dag: LatentDag) -> None:
        """Refuse a DAG that does not fit the data or needs a table too large to hold."""
        split(dag, self.dataset)

    def family_score(self, child: int, parents: int) -> float:
        """The exact log marginal likelihood of one family without latents, less its price; `parents` as bits."""
        family = self.known.families[child].get(parents)
        if family is None:
            self.control.checkpoint()
            family = self.known.families[child][parents] = self.families.log_score(child, parents)
        return family

    @property
    def n_variables(self) -> int:
        """Of the data, without latents."""
        return self.dataset.n_variables

    @property
    def family_row(self) -> FamilyRow | None:
        """The scores of a child with some parents and each other variable; None where families are not tables."""
        return None if self.rows is None else self._family_row

    def _family_row(self, child: int, parents: int) -> FloatArray:
        assert self.rows is not None
        return self.rows.row(child, parents, self.control.checkpoint)

    def score(self, dag: LatentDag) -> Score:
        """The p-ELBO of a DAG."""
        began = time.perf_counter()
        parts = split(dag, self.dataset)
        fits = [self.fit(component) for component in parts.components]
        prices = self.priors.prices
        price = sum(prices.of_family(parents.bit_count()) for _, parents in parts.families)
        elbo = sum(self.family_score(child, parents) for child, parents in parts.families) + price
        elbo += sum(fit.elbo for fit in fits)
        price += sum(self.priors.price(component) for component in parts.components)
        p_elbo = elbo - sum(relabelling_penalty(component.states) for component in parts.components)
        return Score(
            dag,
            p_elbo - price,
            p_elbo,
            elbo,
            all(fit.converged for fit in fits),
            sum(fit.iterations for fit in fits),
            sum(fit.starts for fit in fits),
            time.perf_counter() - began,
            self._note(parts.components),
            max((fit.apart for fit in fits), default=0.0),
        )

    def _note(self, components: Sequence[Component]) -> str:
        """What a reader must know about the form of the posterior; empty where it is as asked."""
        largest = max(
            (
                component.n_joint_states
                for component in components
                if posterior_form(component, self.options) == "factorised"
            ),
            default=0,
        )
        if not largest or self.options.posterior == "factorised":
            return ""
        return (
            f"{largest:,} joint states of latents are above the limit of {self.options.max_joint_states:,}: "
            "the factorised posterior was used"
        )

    def posterior(self, dag: LatentDag) -> Posterior:
        """What the data say about every table and latent of a DAG; consistent with `score`."""
        score = self.score(dag)
        parts = split(dag, self.dataset)
        fitted = [
            Fitted(component, names, self.layout(component), self.fit(component))
            for component, names in zip(parts.components, parts.latents)
        ]
        cpts: dict[str, Cpt] = {}
        latents: dict[str, LatentPosterior] = {}
        likelihoods: list[float | None] = []
        for fitted_component in fitted:
            self.control.checkpoint()
            cpts |= tables(fitted_component, dag, self.dataset, priors=self.priors)
            latents |= latent_posteriors(fitted_component)
            likelihoods.append(self._log_likelihood(fitted_component))
        for name in dag.nodes:
            if name not in cpts:
                self.control.checkpoint()
                cpts[name], alpha = plain_table(dag, self.dataset, name, families=self.families)
                likelihoods.append(alpha)
        known = [value for value in likelihoods if value is not None]
        return Posterior(
            dag,
            self.dataset,
            {name: cpts[name] for name in (*dag.nodes, *latents)},
            {latent.name: latents[latent.name] for latent in dag.latents},
            score.elbo,
            score.p_elbo,
            score.converged,
            tuple(component_fit.fit.trace for component_fit in fitted),
            tuple(component_fit.fit.spread for component_fit in fitted),
            sum(known) if len(known) == len(likelihoods) else None,
            score.note,
            score.p_elbo - score.score,
            self._n_parameters(dag) + sum(cpts[latent.name].n_free_parameters for latent in dag.latents),
        )

    def _n_parameters(self, dag: LatentDag) -> int:
        """Free numbers of the tables of observed variables."""
        index, states = self.dataset.index, {latent.name: latent.n_states for latent in dag.latents}
        n_parameters = 0
        for child in dag.nodes:
            above = dag.parents_with_latents[child]
            observed, latent_states = [index[k] for k in above if k in index], [states[k] for k in above if k in states]
            n_parameters += self.families.n_parameters(index[child], observed, latent_states)
        return n_parameters

    def states_of_rows(self, dag: LatentDag) -> IntArray:
        """The most probable state of every latent in every row, (n_rows, n_latents) in the order of `dag.latents`.

        As numbered in the posterior, but without building a table.
        """
        parts = split(dag, self.dataset)
        states = np.empty((self.dataset.n_rows, len(dag.latents)), dtype=np.int64)
        position_of = {latent.name: k for k, latent in enumerate(dag.latents)}
        for component, names in zip(parts.components, parts.latents):
            states[:, [position_of[name] for name in names]] = self.component_states(component)
        return states

    def component_states(self, component: Component) -> IntArray:
        """The most probable state of each of a component's latents in every row, (n_rows, n_latents)."""
        self.control.checkpoint()
        names = tuple(map(str, range(len(component.latents))))
        return states_of_rows(Fitted(component, names, self.layout(component), self.fit(component)), self.dataset)

    def fit(self, component: Component) -> Fit:
        """The best posterior found for one component; computed once."""
        known = self.known.components.get(component)
        if known is not None:
            return known
        with self._guard:
            lock = self._at_work.setdefault(component, threading.Lock())
        with lock:  # a second thread waits instead of computing it again
            known = self.known.components.get(component)
            if known is None:
                self.control.checkpoint()
                known = run_task(self._task(component), self.dataset, self.families, control=self.control)
                self.known.components[component] = known
        with self._guard:
            self._at_work.pop(component, None)
        return known

    def fit_by_splitting(self, smaller: Component, fit: Fit, larger: Component) -> Fit:
        """A fit of a component that begins where that of a smaller one ended, a state split; it is not kept here."""
        fitted = Fitted(smaller, ("",) * len(smaller.latents), self.layout(smaller), fit)
        return fit_by_splitting(fitted, larger, self.layout(larger), self.options, control=self.control)

    def improve_by_splitting(self, smaller: Component, fit: Fit, larger: Component) -> Fit:
        """The better of what is found here for a component and what comes of splitting a state of a smaller one."""
        return self.keep_better(larger, self.fit_by_splitting(smaller, fit, larger))

    def keep_better(self, component: Component, other: Fit) -> Fit:
        """The better of the fit that is found here and one from elsewhere, which is the component's from now on."""
        fit = self.fit(component)
        if other.elbo <= fit.elbo:
            return fit
        self.known.components[component] = other
        return other

    def expected_seconds(self, component: Component) -> float:
        """What fitting a component is expected to take the first time."""
        return expected_seconds(self.layout(component).problem, self.options)

    def _log_likelihood(self, fitted: Fitted) -> float | None:
        """Exact, whatever the form of the posterior; None where the joint states are too many."""
        form = exact_form(fitted.component, self.options)
        if form is None or (form == "joint" and fitted.component.n_joint_states > self.options.max_joint_states):
            return None
        return log_likelihood(replace(fitted, layout=lay_out(fitted.component, self.dataset, self.priors, form=form)))

    def layout(self, component: Component) -> Layout:
        """The flat problem of a component."""
        return lay_out_task(self._task(component), self.dataset, self.families)

    def _task(self, component: Component) -> FitTask:
        return make_task(component, self.options, self.dataset.digest)


def warm_up(*, fits: bool = True) -> None:
    """Compile or load every kernel, so that the first score is as fast as the next.

    fits : also those that fit components, which take longest
    """
    from latconf_core.dag.latent_dag import Latent

    codes = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 1, 1]])
    for n_states in (2, 300):  # two widths of codes
        states = [[str(k) for k in range(size)] for size in (n_states, 2, 2)]
        dataset = Dataset(["A", "B", "C"], states, codes)
        dag = LatentDag(dataset.names, [("A", "C")], [Latent("L1", 2, ("B", "C"))])
        scorer = Scorer(dataset, VbemOptions(restarts=1))
        if fits:
            scorer.score(dag)
        else:
            scorer.family_score(0, 0)
            scorer.layout(split(dag, dataset).components[0])
