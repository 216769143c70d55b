"""Judges hidden causes: what each gains over the best DAG without any, both sides optimised around it.

One that does not pay alone may pay beside others: where two hidden causes share an effect, the edges that stand in for
one hide the other. So it is judged again beside a companion, a model of the others that do pay, as good as the search
can make it and better than the best DAG without any; the rival is then that companion. What counts is the higher of
the two. The companion may change the children and states of its latents, so that nothing which one of them explains as
well is counted for the latent that is judged.

One that pays may be the shadow of another hidden cause, with other children or more of them. Where such a cause is
known to explain the data better (`other_causes.py`), the latent must pay beside that one, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import NamedTuple

from latconf_core.families.objectives import LEAST_CLAIM
from latconf_core.graph.bits import bits
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.insertion import Insertion
from latconf_core.search.refining.ordered_rival import OrderedRival
from latconf_core.search.refining.polishing import polish
from latconf_core.search.refining.renewal import renew
from latconf_core.search.refining.reordering import reorder
from latconf_core.search.refining.same_children import merge_same_children
from latconf_core.search.refining.soft_model import Scored, SoftModel, is_acyclic

N_RENEWALS = 12  # beginnings anew in a series …
N_SERIES_ALONE, N_SERIES_BESIDE = 2, 4  # … and series at most


@dataclass(frozen=True)
class Judgement:
    """What the data say for a latent, in nats.

    density : over the best DAG without latents, or over a model of others that is better
    over_local_tables : over the same where tables of the children may have local structure
    beside : the children of each of those others, as bits; none for a latent that was judged alone
    better_by : where those others explain the data better than it does: by how much
    best : the best model with it that is known
    pair : the models with and without it whose scores differ by the density
    untried : the children, as bits, whose tables are too large to try local structure
    over_ordinal : over the best DAG without latents where ordered variables may have cumulative logits, with the
        latent and without; None where no child is ordered, or the latent does not pay over tables
    proxy : the child whose exact value the latent may be: the one that explains most as that, or one that is adjacent
        to all others in the best DAG without latents; None where there is none
    """

    density: float
    over_local_tables: float
    beside: tuple[int, ...] = ()
    better_by: float | None = None
    best: Scored | None = field(default=None, compare=False, repr=False)
    pair: tuple[Scored, Scored] | None = field(default=None, compare=False, repr=False)
    untried: int = 0
    over_ordinal: float | None = None
    proxy: int | None = None

    @property
    def support(self) -> float:
        over_tables = min(self.density, self.over_local_tables)
        return over_tables if self.over_ordinal is None else min(over_tables, self.over_ordinal)


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
        self._ordered_rival = OrderedRival(self._free)

    @property
    def scorer(self) -> Scorer:
        """Who fits the models that are judged."""
        return self._fitting.scorer

    def against(self, reference: Scored) -> Judge:
        """The same judge with another best DAG without latents."""
        return Judge(self._fitting, reference, free=self._free)

    def look_for_better(self, model: SoftModel) -> None:
        """Look for a better DAG without latents from where latents led."""
        self.reference = max(
            self.reference, reorder(self._free, SoftModel(model.parents)), key=lambda scored: scored.score
        )

    def drop_unsupported(self, present: Scored) -> Iterator[Scored]:
        """The model after each judgement; while a latent is not supported, again without the weakest."""
        self.look_for_better(present.model)
        moved: set[int] = set()
        while True:
            self.judged = []
            yield present
            for index in range(len(present.model.latents)):
                self.judged.append(self.judge(present, index))
                yield present
            weakest = min(range(len(self.judged)), key=lambda position: self.judged[position].support, default=None)
            if weakest is None or self.judged[weakest].support >= LEAST_CLAIM:
                return
            nearer = self._with_nearer_children(present, weakest, moved)
            left = polish(self._fitting, self.without(present, weakest)) if nearer is None else nearer
            present = merge_same_children(self._fitting, left)

    def _with_nearer_children(self, present: Scored, index: int, moved: set[int]) -> Scored | None:
        """The model where a latent that tables support, but no order, has children that an order may support.

        moved : the sets of children that were tried, which is added to; None where there are none to try
        """
        judged, latent = self.judged[index], present.model.latents[index]
        over_tables = min(judged.density, judged.over_local_tables)
        if over_tables < LEAST_CLAIM or judged.over_ordinal is None or self._fitting is not self._free:
            return None
        children = self._ordered_rival.nearer_children(latent)
        if children is None or children in moved or latent.children in moved:
            return None
        moved.add(children)
        return self._insert(self.without(present, index), SoftLatent(children, latent.q), n_series=N_SERIES_BESIDE)

    def judge(self, result: Scored, index: int) -> Judgement:
        """What one latent of a model is worth, alone or beside the others of a model that beats the reference."""
        alone = self.judge_alone(result, index)
        is_alone = len(result.model.latents) == 1 or result.score < self.reference.score + LEAST_CLAIM
        if alone.support >= LEAST_CLAIM or is_alone:
            return alone
        companion = polish(self._fitting, self.without(result, index))
        return better(alone, self.judge_beside(companion, result.model.latents[index], result))

    def judge_alone(self, result: Scored, index: int) -> Judgement:
        """What one latent is worth in the best DAG without any; where it shares children, not more than its loss."""
        latent = result.model.latents[index]
        best = self._insert(self.reference, latent, n_series=N_SERIES_ALONE)
        if best is None:
            return Judgement(-inf, -inf)
        others = [latent for k, latent in enumerate(result.model.latents) if k != index]
        if not others:
            best = max(best, result, key=lambda scored: scored.score)
        pair = best, higher(self.reference, self._without_it(best, latent))
        density = pair[0].score - pair[1].score
        local = self._local_gain(self.reference.model, latent.children)
        over_local_tables = density - local.nats
        if any(other.children & latent.children for other in others):
            without = self.without(result, index)
            if result.score - without.score < density:
                pair, density = (result, without), result.score - without.score
        judged = Judgement(density, over_local_tables, best=higher(best, result), pair=pair, untried=local.untried)
        return self._ask_order(judged, latent)

    def judge_beside(self, companion: Scored, latent: SoftLatent, result: Scored | None = None) -> Judgement:
        """What a latent is worth in a model of others; nothing where that is no better than the reference.

        result : a model with the latent that is known already
        """
        if not companion.model.latents or companion.score < self.reference.score + LEAST_CLAIM:
            return Judgement(-inf, -inf)
        beside = tuple(sorted(hidden.children for hidden in companion.model.latents))
        same = [k for k, hidden in enumerate(companion.model.latents) if hidden.children == latent.children]
        insert: Scored | None = companion
        rival = companion
        if same:  # the others have come to it
            rival = self.without(companion, same[0])
            beside = tuple(children for children in beside if children != latent.children)
        else:
            insert = self._insert(companion, latent, n_series=N_SERIES_BESIDE)
        known = [scored for scored in (insert, result) if scored is not None]
        if not known:
            return Judgement(-inf, -inf)
        best = higher(*known)
        pair = best, higher(rival, self.reference, self._without_it(best, latent))
        density = best.score - pair[1].score
        local = self._local_gain(rival.model, latent.children)
        judged = Judgement(density, density - local.nats, beside, best=best, pair=pair, untried=local.untried)
        others = [hidden for hidden in companion.model.latents if hidden.children != latent.children]
        return self._ask_order(judged, latent, others)

    def judge_over(self, rival: Scored, latent: SoftLatent, judgement: Judgement) -> Judgement:
        """What a latent is worth beside others that explain the data better; as it was where it pays there, too."""
        if judgement.best is None:
            return judgement
        inserted = self._insert(rival, latent, n_series=N_SERIES_BESIDE)
        best = judgement.best if inserted is None else higher(judgement.best, inserted)
        pair = best, higher(rival, self._without_it(best, latent))
        density = best.score - pair[1].score
        local = self._local_gain(rival.model, latent.children)
        beside = tuple(sorted(latent.children for latent in rival.model.latents))
        better_by = rival.score - judgement.best.score
        judged = Judgement(density, density - local.nats, beside, better_by, best, pair, local.untried)
        judged = self._ask_order(judged, latent, rival.model.latents)
        return judgement if judged.support >= LEAST_CLAIM else judged

    def _ask_order(self, judged: Judgement, latent: SoftLatent, beside: Sequence[SoftLatent] = ()) -> Judgement:
        """The judgement with what is left of the gain where ordered variables may have cumulative logits."""
        proxy = self._near_all(latent.children)
        if judged.support < LEAST_CLAIM or not self._ordered_rival.concerns(latent):
            return replace(judged, proxy=proxy)
        gain = self._ordered_rival.gain(latent, beside)
        return replace(judged, over_ordinal=gain.nats, proxy=proxy if gain.proxy is None else gain.proxy)

    def _near_all(self, children: int) -> int | None:
        """A child that is adjacent to all others in the best DAG without latents, an ordered one before others."""
        adjacent = self.reference.model.adjacent()
        near = [child for child in bits(children) if not children & ~(adjacent[child] | 1 << child)]
        return max(near, key=lambda child: self._free.soft.dataset.is_ordered[child], default=None)

    def _insert(self, base: Scored, latent: SoftLatent, *, n_series: int) -> Scored | None:
        """A model with one latent more whose children stay; begun anew several times where it does not pay at once.

        None where there is no room for it, or where it would take the place of another.
        """
        best = self._insertion.held(base, latent)
        if best is None or len(best.model.latents) <= len(base.model.latents):
            return None
        last = len(best.model.latents) - 1
        for series in range(n_series):
            if best.score < base.score + LEAST_CLAIM:
                best = renew(self._free, best, last, n_trials=N_RENEWALS, series=series, may_change=False)
        return self._free.refit(best.model, is_full=True)

    def _without_it(self, best: Scored, latent: SoftLatent) -> Scored:
        """What is left of a model without a latent: edges that were chosen with it may be better ones in any case."""
        places = [k for k, other_latent in enumerate(best.model.latents) if other_latent.children == latent.children]
        return self.without(best, places[-1])

    def without(self, result: Scored, index: int) -> Scored:
        """The best model found with one latent less."""
        children = result.model.latents[index].children
        bare = result.model.without_latent(index)
        trials = [self._fitting.remove(result, index)]
        zone = result.model.zone(children)
        parents = tuple(
            self.reference.model.parents[v] if children >> v & 1 else mask for v, mask in enumerate(bare.parents)
        )
        if is_acyclic(parents, bits(zone)) and self._fitting.soft.allows_ancestors(parents):
            trials.append(self._fitting.climb(self._fitting.refit(SoftModel(parents, bare.latents)), children))
        return max(trials, key=lambda scored: scored.score)

    def without_idle(self, result: Scored) -> Scored:
        """The model without the latents whose removal loses less than what a claim needs, one after the other."""
        while result.model.latents:
            reached = [self.without(result, index) for index in range(len(result.model.latents))]
            best = max(reached, key=lambda scored: scored.score)
            if best.score <= result.score - LEAST_CLAIM:
                break
            result = best
        return result

    def _local_gain(self, model: SoftModel, variables: int) -> LocalGain:
        """What tables with local structure gain in some families of a model."""
        gain, untried = 0.0, 0
        for v in bits(variables):
            self._free.checkpoint()
            latents = model.latents_of(v)
            local = self._free.soft.local(v, model.parents[v], latents)
            if local == -inf:
                untried |= 1 << v
            else:
                gain += max(0.0, local - self._free.soft.family(v, model.parents[v], latents))
        return LocalGain(gain, untried)


class LocalGain(NamedTuple):
    """What local structure gains in some tables, in nats, and the variables, as bits, whose tables are too large."""

    nats: float
    untried: int


def higher(*models: Scored) -> Scored:
    """The model with the highest score; of equal ones the first."""
    return max(models, key=lambda model: model.score)


def better(judgement: Judgement, other: Judgement) -> Judgement:
    """The judgement with the higher support; of equal ones the first."""
    return max(judgement, other, key=lambda each: (each.support, each.density))
