"""How a PAG is learned from data, and the settings that the paper used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from latconf_core.errors import OptionError
from latconf_core.json_form import BEFORE, JsonFields
from latconf_core.options.checks import above, at_least, check_types, one_of

DegreesOfFreedom = Literal["adaptive", "full", "full-guard"]
StructurePriorOver = Literal["rows", "variables"]


@dataclass(frozen=True)
class PagOptions(JsonFields):
    """How a PAG is learned from data.

    method, statistic : names of the catalogues of learners and of independence tests, which say what there is
    """

    method: str = "fci"
    alpha: float = 0.05
    statistic: str = "g-square"
    degrees_of_freedom: DegreesOfFreedom = "adaptive"
    max_conditioning: int | None = None  # None: no limit
    stable_skeleton: bool = True  # level by level, independent of the order of variables
    any_column_order: bool = True  # the same PAG whatever the order of columns; needs a stable skeleton
    skeleton_tests: int | None = 2_000_000  # budgets count tests, never seconds: results must repeat
    complete_rules: bool = True  # R8-R10 too
    valid_pag: bool = field(default=True, metadata={BEFORE: False})  # GFCI, BOSS-FCI: repaired where it is none
    # FCI, RFCI: a collider must make the ends of its triple dependent where it is conditioned on, too
    checked_colliders: bool = field(default=True, metadata={BEFORE: False})
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
        check_types(self)
        one_of("degrees of freedom", self.degrees_of_freedom, get_args(DegreesOfFreedom))
        if not 0 < self.alpha < 1:
            raise OptionError(f"alpha is {self.alpha}; it must lie between 0 and 1")
        at_least("largest conditioning set", self.max_conditioning, 0)
        at_least("possible-d-sep subset size", self.possible_dsep_size, 0)
        at_least("skeleton test budget", self.skeleton_tests, 0)
        at_least("possible-d-sep test budget", self.possible_dsep_tests, 0)
        at_least("collider test budget", self.collider_tests, 0)
        at_least("budget of moves of the score search", self.score_moves, 0)
        above("sample prior", self.sample_prior, 0)
        at_least("structure prior", self.structure_prior, 0)
        one_of("structure prior over", self.structure_prior_over, get_args(StructurePriorOver))

    @property
    def is_order_free(self) -> bool:
        """The order of columns makes no difference to the PAG."""
        return self.any_column_order and self.stable_skeleton

    def without_budgets(self) -> PagOptions:
        """The same settings with no limit on the number of tests and moves or on possible-d-sep sets."""
        return replace(
            self, skeleton_tests=None, possible_dsep_size=None, possible_dsep_tests=None, collider_tests=None
        )


# What the paper ran: pcalg's FCI, and a reconstruction of the GFCI of Tetrad in December 2019.
PAG_PRESETS: Mapping[str, PagOptions] = {
    "default": PagOptions(),
    "paper-fci": PagOptions(
        degrees_of_freedom="full-guard", any_column_order=False, checked_colliders=False
    ).without_budgets(),
    "paper-gfci": PagOptions(
        method="gfci",
        statistic="chi-square",
        sample_prior=15.0,
        complete_rules=False,
        valid_pag=False,
        checked_colliders=False,
        any_column_order=False,
    ),
}
# What a person who chooses one should know.
PRESET_NOTES: Mapping[str, str] = {
    "default": "Independent of the column order.",
    "paper-fci": "As in pcalg's FCI: the first separating set found is kept, so the column order can change the PAG.",
    "paper-gfci": (
        "As in Tetrad's GFCI of 2019: the first separating set found is kept, so the column order can change the PAG."
    ),
}


def pag_preset(name: str, method: str | None = None) -> PagOptions:
    """The named settings, with another method where one is given."""
    one_of("preset", name, tuple(PAG_PRESETS))
    preset = PAG_PRESETS[name]
    return preset if method is None else replace(preset, method=method)


def fault_of_options(names: object) -> str:
    """What is wrong with the options that a plug-in says it uses; empty where nothing is."""
    if not isinstance(names, tuple):
        return "its options are no tuple of names"
    unknown = [name for name in names if name not in PagOptions.__dataclass_fields__]
    return f"it names the option {unknown[0]!r}, which learners do not have" if unknown else ""
