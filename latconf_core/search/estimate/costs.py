"""What the parts of models cost to score: measured where there is time to score them, else judged by their plan."""

from __future__ import annotations

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.component import Component, ComponentFamily, split
from latconf_core.score.posterior import Posterior
from latconf_core.score.scorer import Scorer
from latconf_core.search.scoring import PartScores

TRUSTED_SECONDS = 0.5  # of fits measured here, which weigh as much as what a fit is expected to take

MAX_OVERRUN = 2.0  # a fit is begun although it is expected to take this many times what is left

Priced = tuple[float, float]  # a score, and the seconds that it takes


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
        self._families: dict[tuple[int, tuple[int, ...]], Priced] = {}
        self._fitted: dict[Component, Priced] = {}
        self._measured = self._judged = TRUSTED_SECONDS

    def of_family(self, child: int, parents: tuple[int, ...]) -> Priced:
        """A family without latents, which always is scored."""
        found = self._families.get((child, parents))
        if found is None:
            began = self._control.seconds()
            score = self.scorer.family_score(child, parents)
            found = self._families[child, parents] = score, self._control.seconds() - began
            self.spent += found[1]
        return found

    def of_component(self, component: Component) -> Priced:
        """A component; where there is no time to score it, its score is that of latents that explain nothing."""
        if component in self._fitted:
            return self._fitted[component]
        began = self._control.seconds()
        judged = self.scorer.expected_seconds(component)
        self.spent += self._control.seconds() - began
        expected = judged * self._measured / self._judged
        found = self._fit(component) if expected <= MAX_OVERRUN * self.fit_seconds else None
        if found is None:
            return sum(self.of_family(one.child, one.parents)[0] for one in _observed(component)), expected
        self._fitted[component] = found
        self._measured += found[1]
        self._judged += judged
        return found

    def is_fitted(self, dag: LatentDag) -> bool:
        """Whether all latents of a DAG were scored."""
        return all(component in self._fitted for component in split(dag, self._dataset).components)

    def _fit(self, component: Component) -> Priced | None:
        """The score and its seconds; None where it takes longer than is left."""
        began = self._control.seconds()
        self._control.time_limit = began + self.fit_seconds
        try:
            score = self.scorer.component_score(component)
        except StopRequested as stop:
            if stop.reason is not StopReason.TIME_LIMIT:
                raise
            return None
        finally:
            self._control.time_limit = None
            seconds = self._control.seconds() - began
            self.spent += seconds
            self.fit_seconds -= seconds
        return score, seconds


def _observed(component: Component) -> list[ComponentFamily]:
    return [one for one in component.families if not component.is_latent(one)]


class CostedScores(PartScores):
    """The scores of one search that is tried out, and the seconds that scoring all it met takes."""

    def __init__(self, costs: Costs) -> None:
        super().__init__(costs.scorer)
        self._costs = costs
        self.seconds = 0.0

    def family_score(self, child: int, parents: tuple[int, ...]) -> float:
        score, seconds = self._costs.of_family(child, parents)
        self.seconds += seconds
        return score

    def component_score(self, component: Component) -> float:
        score, seconds = self._costs.of_component(component)
        self.seconds += seconds
        return score

    def posterior(self, dag: LatentDag) -> Posterior | None:
        """None where that would have to be fitted first."""
        return super().posterior(dag) if self._costs.is_fitted(dag) else None
