"""What the parts of models cost to score: measured where there is time to score them, else judged by their plan."""

from __future__ import annotations

from typing import NamedTuple

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.dag.latent_dag import LatentDag, latent_names
from latconf_core.data.dataset import Dataset
from latconf_core.graph.bits import bits
from latconf_core.model.bit_dag import BitDag, children_of
from latconf_core.model.component import Component
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.known_parts import KnownParts
from latconf_core.score.naming import check_tables, split
from latconf_core.score.posterior import Posterior
from latconf_core.score.scorer import Scorer

TRUSTED_SECONDS = 0.5  # of fits measured here, which weigh as much as what a fit is expected to take

MAX_OVERRUN = 2.0  # a fit is begun although it is expected to take this many times what is left


class Priced(NamedTuple):
    """A score, and the seconds that it takes."""

    p_elbo: float
    seconds: float


class Costs:
    """The scores and the seconds of families and components of one dataset, each found out once.

    fit_seconds : how much longer components may be scored; what takes more is judged by its plan
    spent : seconds that went into scoring so far
    """

    def __init__(self, dataset: Dataset, options: VbemOptions, *, control: RunControl) -> None:
        self.fit_seconds = 0.0
        self.spent = 0.0
        self._dataset = dataset
        self._control = control.child()
        self.scorer = Scorer(dataset, options, control=self._control)
        self._full_scorer = self.scorer.at_effort("full")
        self._families: dict[tuple[int, int], Priced] = {}
        self._fitted: dict[Component, Priced] = {}
        self._measured = self._judged = TRUSTED_SECONDS

    def of_family(self, child: int, parents: int) -> Priced:
        """A family without latents, its parents as bits, which always is scored."""
        family = self._families.get((child, parents))
        if family is None:
            began = self._control.seconds()
            score = self.scorer.family_score(child, parents)
            family = self._families[child, parents] = Priced(score, self._control.seconds() - began)
            self.spent += family.seconds
        return family

    def of_component(self, component: Component) -> Priced:
        """A component; where there is no time to score it, its score is that of latents that explain nothing."""
        if component in self._fitted:
            return self._fitted[component]
        began = self._control.seconds()
        judged = self.scorer.expected_seconds(component)
        self.spent += self._control.seconds() - began
        expected = judged * self._measured / self._judged
        result = self._fit(component) if expected <= MAX_OVERRUN * self.fit_seconds else None
        if result is None:
            return Priced(self._unexplained(component), expected)
        self._fitted[component] = result
        self._measured += result.seconds
        self._judged += judged
        return result

    def of_full_fit(self, component: Component) -> float:
        """The seconds of a full fit after the first look; none where that was one."""
        known = self.scorer.known.components.get(component)
        if known is not None and known.is_full:
            return 0.0
        return self._full_scorer.expected_seconds(component) * self._measured / self._judged

    def is_fitted(self, dag: LatentDag) -> bool:
        """Whether all latents of a DAG were scored."""
        return all(component in self._fitted for component in split(dag, self._dataset).components)

    def _fit(self, component: Component) -> Priced | None:
        """The score and its seconds; None where it takes longer than is left."""
        began = self._control.seconds()
        self._control.time_limit = began + self.fit_seconds
        try:
            score = self.scorer.fit(component).p_elbo
        except StopRequested as stop:
            if stop.reason is not StopReason.TIME_LIMIT:
                raise
            return None
        finally:
            self._control.time_limit = None
            seconds = self._control.seconds() - began
            self.spent += seconds
            self.fit_seconds -= seconds
        return Priced(score, seconds)

    def _unexplained(self, component: Component) -> float:
        """The score of the observed children without the latents."""
        children = bits(children_of(component.latents) & (1 << component.n_columns) - 1)
        families = sorted(zip(children, component.parents), key=lambda family: family[1] == 0)
        return sum(self.of_family(*family).p_elbo for family in families)


class CostedScores:
    """The scores of one search that is tried out, and the seconds that scoring all it met takes."""

    is_full = False

    def __init__(self, costs: Costs) -> None:
        self._costs = costs
        self._met: KnownParts[Priced] = KnownParts(costs.scorer.dataset.n_variables)
        self.seconds = 0.0

    def begin(self, candidate: BitDag) -> float:
        """The p-ELBO of a candidate, its parts priced where they were not met before."""
        known = self._met.p_elbo(*candidate)
        return self._price(candidate) if known is None else known

    def p_elbo(self, candidate: BitDag) -> float:
        """The p-ELBO of a candidate."""
        return self.begin(candidate)

    def cancel_all(self) -> None:
        """Nothing is ever under way."""

    def posterior(self, dag: LatentDag) -> Posterior | None:
        """None where that would have to be fitted first."""
        return self._costs.scorer.posterior(dag) if self._costs.is_fitted(dag) else None

    def _price(self, candidate: BitDag) -> float:
        dataset = self._costs.scorer.dataset
        check_tables(*candidate, dataset, latent_names=latent_names(len(candidate.latents), dataset.names))
        for child, parents in self._met.unknown_families(*candidate):
            priced = self._costs.of_family(child, parents)
            self._met.families[child][parents] = priced.p_elbo
            self.seconds += priced.seconds
        for component in self._met.unknown_components(*candidate):
            priced = self._costs.of_component(component)
            self._met.components[component] = priced
            self.seconds += priced.seconds
        return self.begin(candidate)
