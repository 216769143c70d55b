"""What a run is about, checked before it begins."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.errors import GraphError, OptionError
from latconf_core.families.objectives import OBJECTIVES, objective_of
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.bound import BoundKnowledge
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.model.allowed_dag import allows
from latconf_core.model.bit_dag import BitDag
from latconf_core.options.searching import SearchOptions, read_field
from latconf_core.pag.handling import PagHandling
from latconf_core.score.naming import to_bits
from latconf_core.score.scorer import Scorer
from latconf_core.search.candidate_scores import Scores
from latconf_core.search.catalogue import SEARCHES, SearchMethod
from latconf_core.search.references import References
from latconf_core.search.staged_scoring import StagedScoring


@dataclass(frozen=True, eq=False)
class SearchSetup:
    """The data, the PAG, the options, and who computes the scores.

    method : the record of the search in the catalogue
    pag : as it was given; `pag_handling.graph` is what is searched
    scores : who scores DAGs
    scorer : what searches need that score otherwise; None where scores are made up
    staged_scoring : where DAGs are looked at lightly first; None where all get full effort
    references : where the search for the best DAG without latents is remembered
    start : a model from which the search starts too
    knowledge : what the user says about causes; `known` is what it says of the data, which every search asks
    """

    method: SearchMethod
    dataset: Dataset
    pag: MixedGraph
    pag_handling: PagHandling
    options: SearchOptions
    scores: Scores
    scorer: Scorer | None = None
    staged_scoring: StagedScoring | None = None
    references: References = field(default_factory=References)
    start: LatentDag | None = None
    knowledge: Knowledge = NO_KNOWLEDGE

    @cached_property
    def known(self) -> BoundKnowledge:
        """The knowledge about the variables of the data: nothing that it rules out is visited, see SearchRun."""
        return self.knowledge.bind(self.dataset.names)

    @cached_property
    def start_bits(self) -> BitDag | None:
        """The model to start from as a search handles it."""
        return None if self.start is None else to_bits(self.start)

    @property
    def evidence_pag(self) -> MixedGraph:
        """What is asked about latents: the graph that is searched, or the PAG as given where the search needs none."""
        return self.pag_handling.graph if self.method.needs_pag else self.pag


def choose_objective(options: SearchOptions, method: SearchMethod) -> SearchOptions:
    """The options with the objective that the search maximises: the one asked for, else its own.

    A prior that was chosen by itself stays, and no objective is named.
    """
    name = options.objective
    if name is None and objective_of(options.vbem) is OBJECTIVES["paper"]:  # nothing was chosen
        name = method.objective
    if name is None:
        return options
    return replace(options, objective=name, vbem=OBJECTIVES[name].apply(options.vbem))


def check_setup(
    dataset: Dataset,
    pag: MixedGraph,
    *,
    algorithm: str,
    options: SearchOptions,
    start: LatentDag | None,
    knowledge: Knowledge = NO_KNOWLEDGE,
) -> None:
    """Refuse a binding without a PAG, and a start that is not of these data or that the search cannot take.

    A PAG that lacks a required edge, and a start that contradicts the knowledge, are refused, too.
    """
    takes = SEARCHES[algorithm].options
    if options.binding != "free" and "binding" in takes and not pag.marks.any():
        raise OptionError(f"the binding {options.binding!r} needs a PAG; give one, or choose 'free'")
    if SEARCHES[algorithm].drops_unsupported and options.objective == "paper":
        raise OptionError(
            f"{algorithm} needs the objective 'calibrated' to judge hidden causes; omit the objective, or "
            "choose ilc-v, hclc-v, cil, glsl, hc or no-latents"
        )
    if SEARCHES[algorithm].refuses_others:
        _refuse_others(algorithm, options)
    if SEARCHES[algorithm].needs_pag or algorithm == "auto" or options.binding != "free":
        check_required(pag, knowledge)
    if start is None:
        return
    if "start" not in takes:
        raise OptionError(f"{algorithm} cannot start from a model; choose refine, or omit the start")
    if start.nodes != dataset.names:
        raise GraphError("the starting model has different variables from the data; choose a model of these data")
    if any(latent.parent is not None or not set(latent.children) <= set(start.nodes) for latent in start.latents):
        raise GraphError("the starting model has hidden causes of hidden causes, which refine does not support")
    if not allows(knowledge.bind(dataset.names), to_bits(start)):
        raise GraphError("the starting model contradicts the knowledge; change one of them")


def check_required(pag: MixedGraph, knowledge: Knowledge) -> None:
    """Refuse a PAG that lacks an edge that knowledge requires, or rules it out."""
    if not pag.marks.any():
        return
    for a, b in knowledge.required:
        if a not in pag.index or b not in pag.index:
            continue
        if not pag.is_adjacent(a, b):
            raise GraphError(
                f"{a} --> {b} is required, but the PAG has no edge between {a} and {b}; learn the PAG with this "
                "knowledge, or remove one"
            )
        edge = pag.edge(a, b)
        if edge.at_first == Mark.ARROW or edge.at_second == Mark.TAIL:
            raise GraphError(
                f"{a} --> {b} is required, but the PAG has {edge}; learn the PAG with this knowledge, or remove one"
            )


def _refuse_others(algorithm: str, options: SearchOptions) -> None:
    """Refuse options that were set for another search: they would be passed over without a word."""
    takes, defaults = SEARCHES[algorithm].options, SearchOptions()
    known = dict.fromkeys(name for method in SEARCHES.values() for name in method.options)
    for name in known:
        if name not in (*takes, "start", "tolerance", "workers", "seed") and read_field(options, name) != read_field(
            defaults, name
        ):
            raise OptionError(f"{algorithm} has no option {name}; omit it")


def align_to_dataset(pag: MixedGraph, dataset: Dataset) -> MixedGraph:
    """The graph with its nodes in the order of the data; GraphError where they are not the same variables."""
    missing = [name for name in dataset.names if name not in pag.index]
    unknown = [name for name in pag.nodes if name not in dataset.index]
    if unknown:
        raise GraphError(f"the graph has {', '.join(map(repr, unknown))}, which the data lack; remove or rename them")
    if missing:
        raise GraphError(f"the data have {', '.join(map(repr, missing))}, which the graph lacks; add them to it")
    return pag.reordered(dataset.names)
