"""Fits of components whose posteriors are given and read on the rows that are counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from latconf_core.arrays import FloatArray, IntArray
from latconf_core.model.component import Component
from latconf_core.score.component_layout import Layout
from latconf_core.score.fit import Fit
from latconf_core.score.fit_task import fit_seed
from latconf_core.score.layout_rows import find_layout_rows, start_at
from latconf_core.score.read_back import Fitted, marginals
from latconf_core.score.scorer import Scorer
from latconf_core.score.warm_fit import fit_by_moves, fit_from, fit_lightly
from latconf_core.search.refining.soft_scores import SoftScores


class Reading(NamedTuple):
    """A fit, and the posterior of each latent on the rows that are counted."""

    fit: Fit
    posteriors: list[FloatArray]


class WarmFits:
    """Fits on one dataset, in three efforts."""

    def __init__(self, scorer: Scorer, soft: SoftScores) -> None:
        self._scorer = scorer
        self._soft = soft

    def own(self, component: Component) -> Reading:
        """The scorer's own fit."""
        layout = self._scorer.layout(component)
        return self._read(component, layout, self._scorer.fit(component), self._places(layout))

    def light(self, component: Component, *, n_starts: int, seed: int, by_moves: bool = False) -> Reading:
        """A few starts, one try; then moves out of the local optimum where they are asked for."""
        layout = self._scorer.layout(component)
        options = self._scorer.options
        own_seed = fit_seed(layout, options.seed) ^ seed
        fit = fit_lightly(layout, options, n_starts=n_starts, seed=own_seed, control=self._scorer.control)
        if by_moves:
            fit = fit_by_moves(layout, fit, options, seed=own_seed, control=self._scorer.control)
        return self._read(component, layout, fit, self._places(layout))

    def from_posteriors(
        self, component: Component, posteriors: Sequence[FloatArray], *, most: int, by_moves: bool = False
    ) -> Reading:
        """From the posteriors of the latents, on from where they are; then moves where they are asked for."""
        layout = self._scorer.layout(component)
        places = self._places(layout)
        start = start_at(layout, posteriors, places, weights=self._soft.weights)
        fit = fit_from(layout, start, most=most, control=self._scorer.control)
        if by_moves:
            options = self._scorer.options
            seed = fit_seed(layout, options.seed)
            fit = fit_by_moves(layout, fit, options, seed=seed, control=self._scorer.control)
        return self._read(component, layout, fit, places)

    def full(self, component: Component, posteriors: Sequence[FloatArray], *, most: int) -> Reading:
        """The better of the scorer's own fit and the one from the posteriors, which the scorer keeps."""
        warm = self.from_posteriors(component, posteriors, most=most)
        kept = self._scorer.keep_better(component, warm.fit)
        if kept is warm.fit:
            return warm
        layout = self._scorer.layout(component)
        return self._read(component, layout, kept, self._places(layout))

    def _read(self, component: Component, layout: Layout, fit: Fit, places: IntArray) -> Reading:
        names = tuple(str(k) for k in range(len(component.latents)))
        factors = marginals(Fitted(component, names, layout, fit))
        return Reading(fit, [np.take(factor, places, axis=0) for factor in factors])

    def _places(self, layout: Layout) -> IntArray:
        """The distinct row of the layout that each counted row is."""
        return find_layout_rows(layout, self._soft.columns, self._soft.dataset.n_states)
