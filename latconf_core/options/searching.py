"""How searches go about it; defaults are the paper's where it names one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from latconf_core.json_form import BEFORE, JsonFields
from latconf_core.options.checks import above, at_least, check_types, one_of
from latconf_core.options.scoring import Effort, ObjectiveName, VbemOptions

InvalidPag = Literal["auto", "as-given", "repair"]
Binding = Literal["free", "adjacencies", "marks"]

PairsOf = Literal["roots", "any"]

TWELVE_HOURS = 12 * 3600.0


@dataclass(frozen=True)
class CilOptions(JsonFields):
    """How CIL grows its forest.

    n_pairs : of the variables without a parent, so many pairs that tell most of each other are tried in a round
    observed_to_observed, observed_to_latent : whether an observed variable may be the parent of such a one
    """

    n_pairs: int = 10
    observed_to_observed: bool = True
    observed_to_latent: bool = True

    def __post_init__(self) -> None:
        at_least("pairs per round of CIL", self.n_pairs, 1)


@dataclass(frozen=True)
class GlslOptions(JsonFields):
    """How GLSL, and plain hill-climbing, change a DAG.

    n_pairs : so many pairs that tell most of each other get a new latent in an iteration
    pairs_of : "roots" are variables without any parent, as published
    max_parents : of a variable, latents among them
    turns_edges : whether an edge may be turned round in one move; the published program never did
    """

    n_pairs: int = 10
    pairs_of: PairsOf = "roots"
    max_parents: int = 3
    turns_edges: bool = True

    def __post_init__(self) -> None:
        at_least("pairs per iteration of GLSL", self.n_pairs, 0)
        one_of("pairs of", self.pairs_of, get_args(PairsOf))
        at_least("parents of a variable", self.max_parents, 1)


@dataclass(frozen=True)
class SearchOptions(JsonFields):
    """How ILC-V and HCLC-V search (m, S, T and c of the paper), and how the others do.

    levels_without_gain : of ILC-V, after so many that are no better it ends; the paper's is one
    tries_cliques : whether ILC-V tries a hidden cause of each clique of the PAG besides, which the paper's does not
    binding : what of the PAG Refine keeps to
    objective : what is maximised; None for the one that the search has by default
    work_limit : DAGs that are scored at most, which is the same on every machine; None for no limit
    restarts : of Auto, how often it refines from another seed
    effort : of the first look at a DAG; after a "light" one only those that may matter are scored fully
    """

    max_bidirected: int = 4
    max_states: int | None = None  # None: the largest number of states in the data
    time_limit: float | None = TWELVE_HOURS
    work_limit: int | None = None
    max_candidates: int = 20_000  # of one level
    levels_without_gain: int = 1
    tries_cliques: bool = False
    binding: Binding = "free"
    invalid_pag: InvalidPag = "auto"
    objective: ObjectiveName | None = None
    restarts: int = field(default=3, metadata={BEFORE: 1})
    effort: Effort = "light"
    workers: int = 1
    seed: int = 0
    vbem: VbemOptions = field(default_factory=VbemOptions)
    cil: CilOptions = field(default_factory=CilOptions)
    glsl: GlslOptions = field(default_factory=GlslOptions)

    def __post_init__(self) -> None:
        check_types(self)
        at_least("maximum number of bidirected edges", self.max_bidirected, 0)
        at_least("maximum number of states", self.max_states, 2)
        above("time limit", self.time_limit, 0)
        at_least("work limit", self.work_limit, 1)
        at_least("restarts", self.restarts, 1)
        at_least("candidates per level", self.max_candidates, 1)
        at_least("levels without improvement", self.levels_without_gain, 1)
        one_of("binding", self.binding, get_args(Binding))
        one_of("what to do with an invalid PAG", self.invalid_pag, get_args(InvalidPag))
        if self.objective is not None:
            one_of("objective", self.objective, get_args(ObjectiveName))
        one_of("effort", self.effort, get_args(Effort))
        at_least("workers", self.workers, 1)
        at_least("seed", self.seed, 0)


def read_field(options: SearchOptions, name: str) -> Any:
    """The value of a field; that of a part of the options is named with a point, as in "cil.n_pairs"."""
    value: Any = options
    for part in name.split("."):
        value = getattr(value, part)
    return value


def with_field(options: SearchOptions, name: str, value: Any) -> SearchOptions:
    """The options with another value of a field, named as in `read_field`."""
    whole, _, part = name.partition(".")
    return replace(options, **{whole: replace(getattr(options, whole), **{part: value}) if part else value})
