"""How a DAG with latents is scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from latconf_core.json_form import JsonFields
from latconf_core.options.checks import above, at_least, check_types, one_of

Prior = Literal["empirical", "uniform", "flat", "bdeu"]
PriceKind = Literal["none", "structure"]
ObjectiveName = Literal["paper", "calibrated"]
PosteriorForm = Literal["joint", "factorised"]
Effort = Literal["light", "full"]
FitEffort = Literal["glance", "light", "full"]


@dataclass(frozen=True)
class VbemOptions(JsonFields):
    """How a DAG with latents is scored (variational Bayes).

    prior, prices : what is scored; an objective names the two together (`families/objectives.py`)
    ess : the mass of one table under bdeu, of one configuration under flat
    effort : "light" takes few starts and one try, a valid lower bound at a tenth of the time; "full" goes on until
        several tries agree; "glance" is what a search begins with, light without moves out of local optima
    """

    prior: Prior = "empirical"
    prices: PriceKind = "none"
    ess: float = 1.0
    posterior: PosteriorForm = "joint"
    effort: FitEffort = "full"
    restarts: int = 16
    tolerance: float = 0.01
    max_iterations: int = 2000
    max_joint_states: int = 4096
    seed: int = 0

    def __post_init__(self) -> None:
        check_types(self)
        one_of("prior", self.prior, get_args(Prior))
        one_of("prices", self.prices, get_args(PriceKind))
        one_of("posterior", self.posterior, get_args(PosteriorForm))
        one_of("effort", self.effort, get_args(FitEffort))
        above("equivalent sample size", self.ess, 0)
        at_least("restarts", self.restarts, 1)
        above("tolerance", self.tolerance, 0)
        at_least("iteration limit", self.max_iterations, 1)
        at_least("limit of joint states", self.max_joint_states, 1)
        at_least("seed", self.seed, 0)
