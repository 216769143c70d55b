"""The catalogue of searches: one record each, read by the command line, the window and the preflight.

Light to import, because help lists them: what a record names is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, cast

from latconf_core.options.scoring import ObjectiveName
from latconf_core.plugins import Catalogue
from latconf_core.search.option_records import options_of

if TYPE_CHECKING:
    from latconf_core.search.estimate.probe import Estimate, Probe
    from latconf_core.search.outcome.events import Search
    from latconf_core.search.run import SearchRun

ALGORITHMS = "latconf_core.search.algorithms"
ESTIMATES = "latconf_core.search.estimate"
REFINING_OPTIONS = ("objective", "max_states", "time_limit", "work_limit", "tolerance", "seed", "workers")
RIVAL_OPTIONS = ("objective", "max_states", "time_limit", "work_limit", "effort", "tolerance", "seed", "workers")
CIL_OPTIONS = ("cil.n_pairs", "cil.observed_to_observed", "cil.observed_to_latent")
CLIMBING_OPTIONS = ("glsl.max_parents", "glsl.turns_edges")
GLSL_OPTIONS = ("glsl.n_pairs", "glsl.pairs_of", *CLIMBING_OPTIONS)
SEARCHING, REFERENCE = "Searching", "Finding the best DAG without hidden causes"
LEARNING, SEARCHING_PAG = "Learning a PAG with GFCI", "Searching the PAG"
REFINING, JUDGING = "Adding hidden causes to the best DAG", "Judging the hidden causes"
COMMON_OPTIONS = ("max_states", "time_limit", "work_limit", "effort", "tolerance", "invalid_pag", "seed", "workers")


@dataclass(frozen=True)
class SearchMethod:
    """A search that can be chosen by name.

    description : what it does, in a sentence
    search, estimate : "module:function" of the search itself and of what it is expected to take
    options : the fields of SearchOptions and its VbemOptions that it uses, in the order of a form; those of its own
        options with a point, as in "cil.n_pairs"; "start" where it can begin at the model of another run
    objective : what it maximises unless another is chosen
    level_name : what a level counts, as in "12 with 2 <->"
    stages : what the run does one after the other; the last is judging
    finds_latents : whether there may be latents to judge
    drops_unsupported : whether judging drops latents that are not supported from the model, and climbs again
    refuses_others : whether an option of another search, set to something, is an error
    takes_missing : whether it can search rows that were completed where cells are missing
    """

    name: str
    title: str
    description: str
    search: str
    estimate: str = f"{ESTIMATES}.trial:estimate_by_trial"
    options: tuple[str, ...] = COMMON_OPTIONS
    objective: ObjectiveName = "paper"
    needs_pag: bool = True
    level_name: str = "<->"
    stages: tuple[str, ...] = (SEARCHING, REFERENCE, JUDGING)
    finds_latents: bool = True
    drops_unsupported: bool = False
    refuses_others: bool = False
    takes_missing: bool = True

    def load_search(self) -> Callable[[SearchRun], Search]:
        """The function that searches."""
        return cast("Callable[[SearchRun], Search]", _load(self.search))

    def load_estimate(self) -> Callable[[Probe, SearchMethod, float], Estimate]:
        """The function that tells what the search will take, given a probe and the seconds for that."""
        return cast("Callable[[Probe, SearchMethod, float], Estimate]", _load(self.estimate))


def _load(path: str) -> object:
    module, _, function = path.partition(":")
    return getattr(import_module(module), function)


_METHODS = (  # the most thorough first
    SearchMethod(
        "ilc-v",
        "ILC-V",
        "Scores every DAG that the PAG allows, level by level. Thorough.",
        search=f"{ALGORITHMS}.ilc:ilc_v",
        estimate=f"{ESTIMATES}.level_trial:estimate_by_levels",
        options=(
            "max_bidirected",
            "levels_without_gain",
            "tries_cliques",
            "max_candidates",
            "objective",
            *COMMON_OPTIONS,
        ),
    ),
    SearchMethod(
        "hclc-v",
        "HCLC-V",
        "Adds one bidirected edge at a time while the score rises. Fast.",
        search=f"{ALGORITHMS}.hclc:hclc_v",
        options=("max_bidirected", "objective", *COMMON_OPTIONS),
    ),
    SearchMethod(
        "auto",
        "Auto",
        (
            "Learns a PAG if none is given, searches it, then refines the best DAG without hidden causes, and "
            "claims only what the data support."
        ),
        search=f"{ALGORITHMS}.auto:auto",
        estimate=f"{ESTIMATES}.refining:estimate_auto",
        options=("max_bidirected", "max_candidates", "objective", *COMMON_OPTIONS),
        objective="calibrated",
        needs_pag=False,
        level_name="latents",
        stages=(LEARNING, SEARCHING_PAG, REFERENCE, REFINING, JUDGING),
        drops_unsupported=True,
    ),
    SearchMethod(
        "refine",
        "Refine",
        "Adds hidden causes to the best DAG without any, and claims only what the data support.",
        search=f"{ALGORITHMS}.refine:refine",
        estimate=f"{ESTIMATES}.refining:estimate_refining",
        options=("start", "binding", *REFINING_OPTIONS),
        objective="calibrated",
        needs_pag=False,
        level_name="latents",
        stages=(REFERENCE, REFINING, JUDGING),
        drops_unsupported=True,
    ),
    SearchMethod(
        "no-latents",
        "No hidden causes",
        "Finds the best DAG without hidden causes, the reference for every comparison.",
        search=f"{ALGORITHMS}.no_latents:no_latents",
        estimate=f"{ESTIMATES}.refining:estimate_no_latents",
        options=("objective", "time_limit", "work_limit", "seed"),
        objective="calibrated",
        needs_pag=False,
        level_name="latents",
        finds_latents=False,
    ),
    SearchMethod(
        "glsl+cil",
        "GLSL from CIL",
        "Runs GLSL from the forest found by CIL; judges hidden causes by density only.",
        search=f"{ALGORITHMS}.glsl:glsl_from_cil",
        estimate=f"{ESTIMATES}.baseline_costs:estimate_glsl_from_cil",
        options=(*CIL_OPTIONS, *GLSL_OPTIONS, *RIVAL_OPTIONS),
        needs_pag=False,
        level_name="latents",
        refuses_others=True,
        takes_missing=False,
    ),
    SearchMethod(
        "glsl",
        "GLSL",
        (
            "Adds, removes and resizes hidden causes and relearns all edges each time (structural EM); judges "
            "hidden causes by density only."
        ),
        search=f"{ALGORITHMS}.glsl:glsl",
        estimate=f"{ESTIMATES}.baseline_costs:estimate_glsl",
        options=(*GLSL_OPTIONS, *RIVAL_OPTIONS),
        needs_pag=False,
        level_name="latents",
        refuses_others=True,
        takes_missing=False,
    ),
    SearchMethod(
        "cil",
        "CIL",
        (
            "Grows a forest from the leaves up, by density only; its hidden causes may stand in for edges "
            "between variables with many states."
        ),
        search=f"{ALGORITHMS}.cil:cil",
        estimate=f"{ESTIMATES}.baseline_costs:estimate_cil",
        options=(*CIL_OPTIONS, *RIVAL_OPTIONS),
        needs_pag=False,
        level_name="latents",
        refuses_others=True,
        takes_missing=False,
    ),
    SearchMethod(
        "hc",
        "Hill-climbing",
        "Adds, deletes or reverses one edge at a time, always the best change, without hidden causes. Fast.",
        search=f"{ALGORITHMS}.hill_climbing:hill_climbing",
        estimate=f"{ESTIMATES}.baseline_costs:estimate_hill_climbing",
        options=("objective", *CLIMBING_OPTIONS, "time_limit", "work_limit"),
        objective="calibrated",
        needs_pag=False,
        level_name="latents",
        refuses_others=True,
        finds_latents=False,
    ),
)


def _with_options(method: SearchMethod) -> SearchMethod:
    """The record with the options that say themselves that a search has them."""
    return replace(method, options=(*method.options, *options_of(method.name)))


def _fault(method: SearchMethod) -> str:
    """What is wrong with the record of a plug-in; empty where nothing is."""
    known = {name for method in _METHODS for name in method.options}
    unknown = sorted(set(method.options) - known)
    if unknown:
        return f"it names the option {unknown[0]!r}, which no search has"
    for entry in (method.search, method.estimate):
        if not isinstance(entry, str) or entry.count(":") != 1:
            return f"{entry!r} is no place of a function, such as 'package.module:function'"
    return ""


SEARCHES = Catalogue(
    "latconf.searches",
    [_with_options(method) for method in _METHODS],
    kind=SearchMethod,
    check=_fault,
    adapt=_with_options,
)
DEFAULT_SEARCH = "auto"


def search_title(name: str) -> str:
    """How a search is called for a person; its name where an older or newer program ran it."""
    return SEARCHES[name].title if name in SEARCHES else name
