"""How searches go about it; defaults are the paper's where it names one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from latconf_core.json_form import JsonFields
from latconf_core.options.checks import above, at_least, check_types, one_of
from latconf_core.options.scoring import Effort, VbemOptions

InvalidPag = Literal["auto", "as-given", "repair"]
Binding = Literal["free", "adjacencies", "marks"]

TWELVE_HOURS = 12 * 3600.0


@dataclass(frozen=True)
class SearchOptions(JsonFields):
    """How ILC-V and HCLC-V search (m, S, T and c of the paper), and how Refine does.

    levels_without_gain : of ILC-V, after so many that are no better it ends; the paper's is one
    tries_cliques : whether ILC-V tries a hidden cause of each clique of the PAG besides, which the paper's does not
    binding : what of the PAG Refine keeps to
    effort : of the first look at a DAG; after a "light" one only those that may matter are scored fully
    """

    max_bidirected: int = 4
    max_states: int | None = None  # None: the largest number of states in the data
    time_limit: float | None = TWELVE_HOURS
    max_candidates: int = 20_000  # of one level
    levels_without_gain: int = 1
    tries_cliques: bool = False
    binding: Binding = "free"
    invalid_pag: InvalidPag = "auto"
    effort: Effort = "light"
    workers: int = 1
    seed: int = 0
    vbem: VbemOptions = field(default_factory=VbemOptions)

    def __post_init__(self) -> None:
        check_types(self)
        at_least("maximum number of bidirected edges", self.max_bidirected, 0)
        at_least("maximum number of states", self.max_states, 2)
        above("time limit", self.time_limit, 0)
        at_least("candidates per level", self.max_candidates, 1)
        at_least("levels without improvement", self.levels_without_gain, 1)
        one_of("binding", self.binding, get_args(Binding))
        one_of("what to do with an invalid PAG", self.invalid_pag, get_args(InvalidPag))
        one_of("effort", self.effort, get_args(Effort))
        at_least("workers", self.workers, 1)
        at_least("seed", self.seed, 0)
