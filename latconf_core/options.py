"""Settings of the learners, the score and the searches; defaults are the paper's where it names one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from latconf_core.errors import OptionError

Method = Literal["fci", "rfci", "cfci", "mfci", "gfci"]
Statistic = Literal["g-square", "chi-square"]
DegreesOfFreedom = Literal["adaptive", "full", "full-guard"]
Prior = Literal["empirical", "uniform", "bdeu"]
PosteriorForm = Literal["joint", "factorised"]
StructurePriorOver = Literal["rows", "variables"]
InvalidPag = Literal["auto", "as-given", "repair"]

TWELVE_HOURS = 12 * 3600.0


def _one_of(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise OptionError(f"{name} is {value!r}; choose one of {', '.join(choices)}")


def _at_least(name: str, value: float | None, least: float) -> None:
    if value is not None and not value >= least:
        raise OptionError(f"{name} is {value}; it must be at least {least}")


def _above(name: str, value: float | None, bound: float) -> None:
    if value is not None and not value > bound:
        raise OptionError(f"{name} is {value}; it must be above {bound}")


@dataclass(frozen=True)
class VbemOptions:
    """How a DAG with latents is scored (variational Bayes)."""

    prior: Prior = "empirical"
    ess: float = 1.0
    posterior: PosteriorForm = "joint"
    restarts: int = 16
    tolerance: float = 0.01
    max_iterations: int = 2000
    max_joint_states: int = 4096
    seed: int = 0

    def __post_init__(self) -> None:
        _one_of("prior", self.prior, get_args(Prior))
        _one_of("posterior", self.posterior, get_args(PosteriorForm))
        _above("equivalent sample size", self.ess, 0)
        _at_least("restarts", self.restarts, 1)
        _above("tolerance", self.tolerance, 0)
        _at_least("iteration limit", self.max_iterations, 1)
        _at_least("limit of joint states", self.max_joint_states, 1)
        _at_least("seed", self.seed, 0)


@dataclass(frozen=True)
class SearchOptions:
    """How ILC-V and HCLC-V search (m, S, T and c of the paper)."""

    max_bidirected: int = 4
    max_states: int | None = None  # None: the largest number of states in the data
    time_limit: float | None = TWELVE_HOURS
    max_candidates: int = 20_000  # of one level
    invalid_pag: InvalidPag = "auto"
    workers: int = 1
    seed: int = 0
    vbem: VbemOptions = field(default_factory=VbemOptions)

    def __post_init__(self) -> None:
        _at_least("maximum number of bidirected edges", self.max_bidirected, 0)
        _at_least("maximum number of states", self.max_states, 2)
        _above("time limit", self.time_limit, 0)
        _at_least("candidates per level", self.max_candidates, 1)
        _one_of("what to do with an invalid PAG", self.invalid_pag, get_args(InvalidPag))
        _at_least("workers", self.workers, 1)
        _at_least("seed", self.seed, 0)


@dataclass(frozen=True)
class PagOptions:
    """How a PAG is learned from data."""

    method: Method = "fci"
    alpha: float = 0.05
    statistic: Statistic = "g-square"
    degrees_of_freedom: DegreesOfFreedom = "adaptive"
    max_conditioning: int | None = None  # None: no limit
    stable_skeleton: bool = True  # level by level, independent of the order of variables
    skeleton_tests: int | None = 2_000_000  # budgets count tests, never seconds: results must repeat
    complete_rules: bool = True  # R8-R10 too
    possible_dsep: bool = True
    possible_dsep_size: int | None = 4
    possible_dsep_tests: int | None = 200_000
    collider_tests: int | None = 200_000  # cFCI and mFCI, which list all separating sets of a pair
    sample_prior: float = 10.0  # BDeu's equivalent sample size (GFCI)
    structure_prior: float = 1.0  # expected number of parents; 0 leaves the term out (GFCI)
    structure_prior_over: StructurePriorOver = "variables"
    faithfulness: bool = True  # GFCI: first pass only pairs with a marginal gain
    score_moves: int | None = 1_000_000  # GFCI: insertions and deletions that the score search may weigh

    def __post_init__(self) -> None:
        _one_of("method", self.method, get_args(Method))
        _one_of("statistic", self.statistic, get_args(Statistic))
        _one_of("degrees of freedom", self.degrees_of_freedom, get_args(DegreesOfFreedom))
        if not 0 < self.alpha < 1:
            raise OptionError(f"alpha is {self.alpha}; it must lie between 0 and 1")
        _at_least("largest conditioning set", self.max_conditioning, 0)
        _at_least("possible-d-sep subset size", self.possible_dsep_size, 0)
        _at_least("skeleton test budget", self.skeleton_tests, 0)
        _at_least("possible-d-sep test budget", self.possible_dsep_tests, 0)
        _at_least("collider test budget", self.collider_tests, 0)
        _at_least("budget of moves of the score search", self.score_moves, 0)
        _above("sample prior", self.sample_prior, 0)
        _at_least("structure prior", self.structure_prior, 0)
        _one_of("structure prior over", self.structure_prior_over, get_args(StructurePriorOver))

    def without_budgets(self) -> PagOptions:
        """The same settings with no limit on the number of tests and moves or on possible-d-sep sets."""
        return replace(
            self, skeleton_tests=None, possible_dsep_size=None, possible_dsep_tests=None, collider_tests=None
        )


# What the paper ran: pcalg's FCI, and a reconstruction of the GFCI of Tetrad in December 2019.
PAG_PRESETS: Mapping[str, PagOptions] = {
    "default": PagOptions(),
    "paper-fci": PagOptions(degrees_of_freedom="full-guard").without_budgets(),
    "paper-gfci": PagOptions(method="gfci", statistic="chi-square", sample_prior=15.0, complete_rules=False),
}


def pag_preset(name: str, method: Method | None = None) -> PagOptions:
    """The named settings, with another method where one is given."""
    _one_of("preset", name, tuple(PAG_PRESETS))
    preset = PAG_PRESETS[name]
    return preset if method is None else replace(preset, method=method)
