"""Scores candidates by their parts, each scored once."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any, Protocol

from latconf_core.dag.latent_dag import LatentDag, latent_names
from latconf_core.model.bit_dag import BitDag
from latconf_core.model.component import Component, split_latents
from latconf_core.score.fit import Fit
from latconf_core.score.naming import check_tables
from latconf_core.score.posterior import Posterior
from latconf_core.score.scorer import Scorer
from latconf_core.search.scoring_port import Scoring
from latconf_core.workers_port import InThread

AHEAD = 4  # components waiting for each worker, so that none is idle while the next candidates are listed

Begun = float | Sequence[Future[Any]]  # a score, or what has to be done before it is known


class Scores(Protocol):
    """What a search needs to know of candidates."""

    def begin(self, candidate: BitDag, /) -> Begun:
        """The p-ELBO where it is known; else what was begun to find it. GraphError where it cannot be scored."""

    def p_elbo(self, candidate: BitDag, /) -> float:
        """The p-ELBO, after what was begun for it is done."""

    @property
    def is_full(self) -> bool:
        """Whether so much is under way that no more should be begun."""

    def cancel_all(self) -> None:
        """Give up what was begun."""

    def posterior(self, dag: LatentDag, /) -> Posterior | None:
        """What the data say about every table of a DAG."""


class CandidateScores:
    """The sum of a candidate's families, computed here, and its components, computed by the scoring port."""

    def __init__(self, scorer: Scorer, scoring: Scoring | None = None) -> None:
        self.scorer = scorer
        self._scoring: Scoring = InThread(scorer.fit) if scoring is None else scoring
        self._known = scorer.known
        self._under_way: dict[Component, Future[Fit]] = {}

    @property
    def is_full(self) -> bool:
        return len(self._under_way) > AHEAD * self._scoring.n_workers

    def begin(self, candidate: BitDag) -> Begun:
        """The p-ELBO of a candidate whose parts are known; else its components that are under way."""
        known = self._known.p_elbo(*candidate)
        if known is not None:
            return known
        dataset = self.scorer.dataset
        check_tables(*candidate, dataset, latent_names=latent_names(len(candidate.latents), dataset.names))
        for child, parents in self._known.unknown_families(*candidate):
            self.scorer.family_score(child, parents)
        return [self._submit(component) for component in self._known.unknown_components(*candidate)]

    def p_elbo(self, candidate: BitDag) -> float:
        """The p-ELBO of a candidate; the same as that of its DAG but for rounding in the last digits."""
        for component, _ in split_latents(*candidate):
            future = self._under_way.pop(component, None)
            if future is not None:
                self._known.components[component] = future.result()
        known = self._known.p_elbo(*candidate)
        if known is not None:
            return known
        self.begin(candidate)
        return self.p_elbo(candidate)

    def cancel_all(self) -> None:
        """Give up what was begun."""
        self._scoring.cancel_all()
        self._under_way.clear()

    def posterior(self, dag: LatentDag) -> Posterior | None:
        """What the data say about every table and latent of a DAG."""
        return self.scorer.posterior(dag)

    def _submit(self, component: Component) -> Future[Fit]:
        future = self._under_way.get(component)
        if future is None:
            future = self._under_way[component] = self._scoring.submit(component)
        return future
