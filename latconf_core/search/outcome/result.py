"""What a search found, and everything that is needed to repeat it."""

from __future__ import annotations

from dataclasses import dataclass
from math import lgamma

from latconf_core.control import StopReason
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.searching import SearchOptions
from latconf_core.score.posterior import Posterior
from latconf_core.search.outcome.evidence import LatentEvidence
from latconf_core.search.outcome.history import History, Visit
from latconf_core.search.pag_handling import PagHandling


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The end of a search, however it ended.

    pag : as it was given; `treatment.graph` is what was searched
    best : the best DAG visited; None where the search was stopped before the first score
    posterior : of the best DAG; None where there is none
    evidence : for each latent of the best DAG with latents
    cuts : a sentence for everything that was cut short
    """

    algorithm: str
    options: SearchOptions
    dataset_digest: str
    pag: MixedGraph
    pag_handling: PagHandling
    best: LatentDag | None
    posterior: Posterior | None
    evidence: tuple[LatentEvidence, ...]
    history: History
    stop_reason: StopReason
    cuts: tuple[str, ...]
    seconds: float

    @property
    def seed(self) -> int:
        return self.options.seed

    @property
    def truncated(self) -> bool:
        """Whether anything was cut short."""
        return bool(self.cuts)

    @property
    def p_elbo(self) -> float | None:
        """The score of the best DAG."""
        return _p_elbo(self.history.best)

    @property
    def elbo(self) -> float | None:
        """The evidence lower bound of the best DAG, without the penalty for relabelling latents."""
        if self.p_elbo is None or self.best is None:
            return None
        return self.p_elbo + sum(lgamma(latent.n_states + 1) for latent in self.best.latents)

    @property
    def best_with_latents(self) -> float | None:
        """The best score of a DAG that has latents."""
        return _p_elbo(self.history.best_with_latents)

    @property
    def best_without_latents(self) -> float | None:
        """The best score of a DAG that has none."""
        return _p_elbo(self.history.best_without_latents)

    @property
    def gain(self) -> float | None:
        """The evidence for confounding: the best with latents less the best without, where both were visited."""
        if self.best_with_latents is None or self.best_without_latents is None:
            return None
        return self.best_with_latents - self.best_without_latents


def _p_elbo(visit: Visit | None) -> float | None:
    return None if visit is None else visit.p_elbo
