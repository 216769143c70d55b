"""The catalogue of objectives: what a search maximises is a prior of the tables and prices of structure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb, log

from latconf_core.options.scoring import ObjectiveName, PriceKind, Prior, VbemOptions


@dataclass(frozen=True)
class Objective:
    """A score by name: score = ELBO − Σ log(n_states!) − prices.

    score_title : what its score is called on an axis
    version : raised when the prior or the prices of a name change, so that stored scores say which they are
    """

    name: ObjectiveName
    title: str
    description: str
    prior: Prior
    prices: PriceKind
    score_title: str
    version: int = 1

    def apply(self, options: VbemOptions) -> VbemOptions:
        """The options of a score with this objective's prior and prices."""
        return replace(options, prior=self.prior, prices=self.prices, ess=1.0)

    def is_of(self, options: VbemOptions) -> bool:
        """Whether a score with these options is this objective's."""
        return self.apply(options) == options


OBJECTIVES: dict[ObjectiveName, Objective] = {
    objective.name: objective
    for objective in (
        Objective(
            "paper",
            "Paper",
            "p-ELBO as published: the empirical prior, no penalty for edges or latents.",
            prior="empirical",
            prices="none",
            score_title="p-ELBO",
        ),
        Objective(
            "calibrated",
            "Calibrated",
            "A flat prior and a penalty for every edge and latent: more accurate graphs, fewer false positives.",
            prior="flat",
            prices="structure",
            score_title="Calibrated score",
        ),
    )
}


JUDGING = OBJECTIVES["calibrated"]  # what speaks for a latent is asked under it, whatever the search maximised
LEAST_CLAIM = 3.0  # nats that a latent must gain under it to be supported; chosen, checked where nothing is hidden


def objective_of(options: VbemOptions) -> Objective | None:
    """The objective whose score these options give; None for a prior chosen by itself."""
    return next((objective for objective in OBJECTIVES.values() if objective.is_of(options)), None)


def score_title(options: VbemOptions) -> str:
    """What a score with these options is called on an axis."""
    objective = objective_of(options)
    return "p-ELBO" if objective is None else objective.score_title


class Prices:
    """What structure costs among some observed variables, in nats: the log of the number of choices it was one of.

    The price of a family depends on the number of its observed parents alone, so that all DAGs without latents of a
    Markov class cost the same: turning a covered edge exchanges two numbers of parents.
    """

    def __init__(self, kind: PriceKind, n_variables: int) -> None:
        self.kind = kind
        self.n_variables = n_variables

    def of_family(self, n_parents: int) -> float:
        """Of a variable with so many observed parents: which of the others they are."""
        return _choice(self.n_variables - 1, n_parents) if self.kind == "structure" else 0.0

    def of_latent(self, n_children: int) -> float:
        """Of a latent with so many children: how many there are, and which."""
        if self.kind != "structure":
            return 0.0
        return _choice(self.n_variables, n_children) + log(max(self.n_variables - 1, 1))

    def of_structure(self, parents: Iterable[int], child_sets: Sequence[int]) -> float:
        """Of some families and latents together; parents of each and children of each as bits."""
        edges = sum(self.of_family(mask.bit_count()) for mask in parents)
        return edges + sum(self.of_latent(mask.bit_count()) for mask in child_sets)


@lru_cache(maxsize=4096)
def _choice(n: int, k: int) -> float:
    """The log of the number of ways to choose k of n."""
    return log(comb(n, k)) if 0 <= k <= n else 0.0
