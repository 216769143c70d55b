"""Judges hidden causes: what each gains over the best DAG without any, both sides optimised around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from latconf_core.graph.bits import bits
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.insertion import Insertion
from latconf_core.search.refining.polishing import polish
from latconf_core.search.refining.reordering import reorder
from latconf_core.search.refining.soft_model import Scored, SoftModel, is_acyclic

LEAST_CLAIM = 3.0  # nats


@dataclass(frozen=True)
class Judgement:
    """What the data say for a latent, in nats.

    density : over the best DAG without latents
    over_local_tables : over that DAG where tables of the children may have local structure
    """

    density: float
    over_local_tables: float

    @property
    def support(self) -> float:
        return min(self.density, self.over_local_tables)


class Judge:
    """Judges latents of models on one dataset.

    reference : the best DAG without latents
    judged : what the first latents of the model at hand are worth
    """

    def __init__(self, fitting: Fitting, reference: Scored, *, free: Fitting | None = None) -> None:
        """`free` is for the reference, where the models of `fitting` are bound by a PAG."""
        self.reference = reference
        self.judged: list[Judgement] = []
        self._fitting = fitting
        self._free = fitting if free is None else free
        self._insertion = Insertion(self._free)

    def look_for_better(self, model: SoftModel) -> None:
        """Look for a better DAG without latents from where latents led."""
        self.reference = max(self.reference, reorder(self._free, SoftModel(model.parents)), key=lambda one: one.score)

    def drop_unsupported(self, present: Scored) -> Iterator[Scored]:
        """The model after each judgement; while a latent is not supported, again without the weakest."""
        self.look_for_better(present.model)
        while True:
            self.judged = []
            yield present
            for place in range(len(present.model.latents)):
                self.judged.append(self.judge(present, place))
                yield present
            weakest = min(range(len(self.judged)), key=lambda place: self.judged[place].support, default=None)
            if weakest is None or self.judged[weakest].support >= LEAST_CLAIM:
                return
            present = polish(self._fitting, self.without(present, weakest))

    def judge(self, result: Scored, place: int) -> Judgement:
        """What one latent of a model is worth."""
        latent = result.model.latents[place]
        best = self._insertion.held(self.reference, latent)
        if best is None:
            return Judgement(float("-inf"), float("-inf"))
        best = self._free.refit(best.model, is_full=True)
        others = [one for k, one in enumerate(result.model.latents) if k != place]
        if not others:
            best = max(best, result, key=lambda one: one.score)
        density = best.score - self.reference.score
        over_local_tables = density - self._local_gain(self.reference.model, latent.children)
        if any(one.children & latent.children for one in others):
            without = self.without(result, place)
            density = min(density, result.score - without.score)
        return Judgement(density, over_local_tables)

    def without(self, result: Scored, place: int) -> Scored:
        """The best model found with one latent less."""
        children = result.model.latents[place].children
        bare = result.model.without_latent(place)
        trials = [self._fitting.remove(result, place)]
        zone = result.model.zone(children)
        parents = tuple(
            self.reference.model.parents[v] if children >> v & 1 else mask for v, mask in enumerate(bare.parents)
        )
        if is_acyclic(parents, bits(zone)):
            trials.append(self._fitting.climb(self._fitting.refit(SoftModel(parents, bare.latents)), children))
        return max(trials, key=lambda one: one.score)

    def _local_gain(self, model: SoftModel, variables: int) -> float:
        """What tables with local structure gain in some families of a model."""
        gain = 0.0
        for v in bits(variables):
            self._free.checkpoint()
            latents = model.latents_of(v)
            plain = self._free.soft.family(v, model.parents[v], latents)
            gain += max(0.0, self._free.soft.local(v, model.parents[v], latents) - plain)
        return gain
