"""What a search found, and everything that is needed to repeat it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from math import lgamma
from typing import TYPE_CHECKING, Any

from latconf_core.control import StopReason
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.reading.frames import make_frame
from latconf_core.descriptions import describe
from latconf_core.determined.arrows import Arrow, DagClass
from latconf_core.errors import GraphError
from latconf_core.families.objectives import JUDGING, Objective, objective_of, score_title
from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import Content, Notes, decode, decode_finite, encode
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.scoring import ObjectiveName
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.events import KnowledgeConflict
from latconf_core.pag.handling import PagHandling
from latconf_core.pictures import make_table
from latconf_core.score.naming import price_of
from latconf_core.score.posterior import Posterior
from latconf_core.search.outcome.about_rows import CompletionReport, RowRepeats
from latconf_core.search.outcome.cut_outcomes import CutOutcome, read_outcomes
from latconf_core.search.outcome.evidence import LatentEvidence
from latconf_core.search.outcome.history import History, Visit
from latconf_core.search.outcome.knowledge_effect import KnowledgeEffect, MagCount
from latconf_core.search.outcome.part_scores import PartScore
from latconf_core.search.outcome.reference import OtherSearch, Reference
from latconf_core.search.outcome.restarts import Restarts
from latconf_core.search.outcome.result_migrations import FORMAT_NAME, VERSION, migrate_result
from latconf_core.search.outcome.visit_rows import COLUMNS
from latconf_core.search.outcome.visited_weights import VisitedWeights, visited_weights

if TYPE_CHECKING:
    import pandas as pd

    from latconf_core.dag.bayes_net import BayesNet
    from latconf_core.inference.applying import Applied, Table
    from latconf_core.inference.asking import Answer

ENDED_EARLY = (StopReason.CANCELLED, StopReason.TIME_LIMIT, StopReason.WORK_LIMIT, StopReason.CLUSTER_LOST)


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The end of a search, however it ended.

    pag : as it was given; `pag_handling.graph` is what was searched
    best : the best DAG visited; None where the search was stopped before the first score
    posterior : of the best DAG; None where there is none
    evidence : for each latent of the best DAG with latents
    seconds : of the search itself; `reference_seconds` and `evidence_seconds` come on top, None where not computed
    cuts : a sentence for everything that was cut short
    rival : the score of the best DAG with latents after edges took the place of these; no visit
    reference : the best DAG without latents, where it was looked for
    parts : the score of every part of `best` that was known at the end, which add up to `score` where all were
    other : another search that was a part of this one, and the place of the best that it visited
    start : a model that the search started from besides
    tried_every_group : whether a hidden cause of every group of two and more variables was tried
    null_gains : what the same search gained on each table drawn from the reference; None until that was tried
    other_cuts : what the same search found where columns of numbers were cut elsewhere; None until that was tried
    completion : what completing the rows took, where cells are missing
    repeats : what about the rows looks copied or designed; None where nothing does, or nothing was found
    restarts : how often the search was made from other seeds, and how many of these agree; None where it is not
    judged_under : the objective under which the evidence was judged; "paper" of runs of older programs
    knowledge : what the user said about causes, which every visited DAG obeys
    mags : of the MAGs of the PAG that were listed, how many the knowledge leaves; None where none were asked
    knowledge_conflicts : pairs that it keeps apart and that depend, where the search learned its PAG
    knowledge_effect : how the best DAG without latents differs where the knowledge does not bind
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
    rival: float | None = None
    reference: Reference | None = None
    parts: tuple[PartScore, ...] = ()
    reference_seconds: float | None = None
    evidence_seconds: float | None = None
    other: OtherSearch | None = None
    start: LatentDag | None = None
    tried_every_group: bool = False
    null_gains: tuple[float, ...] | None = None
    other_cuts: tuple[CutOutcome, ...] | None = None
    judged_under: ObjectiveName = JUDGING.name
    knowledge: Knowledge = NO_KNOWLEDGE
    mags: MagCount | None = None
    knowledge_effect: KnowledgeEffect | None = None
    knowledge_conflicts: tuple[KnowledgeConflict, ...] = ()
    completion: CompletionReport | None = None
    repeats: RowRepeats | None = None
    restarts: Restarts | None = None

    def with_null_gains(self, gains: tuple[float, ...]) -> SearchResult:
        """The same with what the search gains where nothing is hidden, and its latents judged by that too."""
        evidence = tuple(replace(latent_evidence, null_gains=gains).graded() for latent_evidence in self.evidence)
        return replace(self, evidence=evidence, null_gains=gains)

    @property
    def seed(self) -> int:
        return self.options.seed

    @property
    def total_seconds(self) -> float:
        """Of the search and of judging what it found."""
        return self.seconds + (self.reference_seconds or 0.0) + (self.evidence_seconds or 0.0)

    @property
    def truncated(self) -> bool:
        """Whether anything was cut short."""
        return bool(self.cuts)

    @property
    def is_cut_short(self) -> bool:
        """Whether a limit or a person ended it before its end, so that more time may find something else."""
        return self.stop_reason in ENDED_EARLY or any(
            "cut short" in latent_evidence.limits for latent_evidence in self.evidence
        )

    @property
    def objective(self) -> Objective | None:
        """What was maximised; None for a prior that was chosen by itself."""
        return objective_of(self.options.vbem)

    @property
    def score(self) -> float | None:
        """What was maximised, of the best DAG: comparable under one objective only."""
        visit = self.history.result
        return None if visit is None else self.history[visit].p_elbo

    @property
    def p_elbo(self) -> float | None:
        """The score of the best DAG without the prices of the objective."""
        if self.score is None or self.best is None:
            return None
        return self.score + price_of(self.best, self.options.vbem)

    @property
    def reference_score(self) -> float | None:
        """The score of the best DAG without latents under the objective of the search; None where it is not known."""
        return None if self.reference is None else self.reference.search_score

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
        """The best DAG with latents less the best without that is known: visited, its rival, or the reference."""
        known = (self.best_without_latents, self.rival, self.reference_score)
        without = [score for score in known if score is not None]
        latents = self.best_with_latents if self.best is None or not self.best.latents else self.score
        return None if latents is None or not without else latents - max(without)

    def network(self) -> BayesNet:
        """The tables of the best DAG; GraphError where a search was stopped before it had them."""
        if self.posterior is None:
            raise GraphError(
                "this result has no probability tables; query the run folder, or fit its DAG to the data again"
            )
        return self.posterior.network()

    def ask(self, *, see: Mapping[str, str] | None = None, do: Mapping[str, str] | None = None) -> Answer:
        """The exact probabilities of every variable of the best DAG after seeing and setting states."""
        return self.network().ask(see=see, do=do)

    def apply(self, table: Table) -> Applied:
        """The log-likelihood of every row of a table and the posterior of every hidden cause in it."""
        return self.network().apply(table)

    @cached_property
    def weights(self) -> VisitedWeights:
        """The weight of each edge and latent over the visited DAGs, which is no probability over all graphs."""
        return visited_weights(self.history)

    @cached_property
    def dag_class(self) -> DagClass | None:
        """The best DAG with those that fit as well, and the kind of every arrow; None where nothing was scored."""
        return None if self.best is None else DagClass(self.best, self.knowledge)

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        """Every arrow of the best DAG with what the data determine of it."""
        return () if self.dag_class is None else self.dag_class.arrows

    @property
    def determined_pag(self) -> MixedGraph | None:
        """The PAG of the best DAG: what its fit says of the measured variables without believing in its latents."""
        return None if self.dag_class is None else self.dag_class.pag

    def visits_to_pandas(self) -> pd.DataFrame:
        """A row per visited DAG, as in history.csv."""
        return make_frame(dict(zip(COLUMNS, zip(*self.history.rows()))))

    @property
    def tried(self) -> dict[int, int]:
        """How many different groups of variables of each size had a hidden cause in a DAG that was visited."""
        observed = (1 << len(self.history.nodes)) - 1
        groups = {latent.children & observed for visit in self.history for latent in visit.candidate.latents}
        sizes = sorted(children.bit_count() for children in groups if children.bit_count() > 1)
        return {size: sizes.count(size) for size in dict.fromkeys(sizes)}

    def latents_to_pandas(self) -> pd.DataFrame:
        """A row per latent that was judged: children, states, what the PAG and what the data say."""
        judged = self.evidence
        return make_frame(
            {
                "latent": [latent_evidence.latent.name for latent_evidence in judged],
                "children": [", ".join(latent_evidence.latent.children) for latent_evidence in judged],
                "states": [latent_evidence.latent.n_states for latent_evidence in judged],
                "orientation": [latent_evidence.verdict for latent_evidence in judged],
                "density": [latent_evidence.density for latent_evidence in judged],
                "support": [latent_evidence.support for latent_evidence in judged],
            }
        )

    def arrows_to_pandas(self) -> pd.DataFrame:
        """A row per arrow of the best DAG: its kind, and what the PAG has between the two where both are measured."""
        arrows = self.arrows
        return make_frame(
            {
                "parent": [arrow.parent for arrow in arrows],
                "child": [arrow.child for arrow in arrows],
                "kind": [arrow.kind.value for arrow in arrows],
                "pag": ["" if arrow.pag_edge is None else arrow.pag_edge.arrow for arrow in arrows],
            }
        )

    def _repr_html_(self) -> str:
        latents = self.latents_to_pandas()
        table = make_table(list(latents.columns), latents.to_numpy().tolist()) if len(latents) else ""
        table += make_table(["arrow and what the data determine"], [[describe(arrow)] for arrow in self.arrows])
        picture = "" if self.best is None else self.best._repr_svg_() or ""
        return f"<p>{escape(describe(self))}</p>{table}{picture}"

    def to_json(self) -> dict[str, Any]:
        """What `latconf run --json` prints and result.json holds; the visits and the posterior stand beside it."""
        posterior, versions = self.posterior, _versions()
        return {
            "format": FORMAT_NAME,
            "version": VERSION,
            "program": versions["latconf"],
            "search": self.algorithm,
            "objective": None if self.objective is None else self.objective.name,
            "objective_version": None if self.objective is None else self.objective.version,
            "score": self.score,
            "p_elbo": self.p_elbo,
            "elbo": self.elbo,
            "judged_under": self.judged_under,
            "n_scored": len(self.history),
            "level_name": self.history.level_name,
            "levels": {str(level): count for level, count in sorted(self.history.per_level().items())},
            "stop_reason": self.stop_reason.value,
            "truncated": self.truncated,
            "cuts": list(self.cuts),
            "seconds": self.seconds,
            "reference_seconds": self.reference_seconds,
            "evidence_seconds": self.evidence_seconds,
            "seed": self.seed,
            **_best_to_json(self.dag_class, self.history.nodes, self.evidence),
            "arrows": encode(self.arrows),
            "determined_pag": None if self.determined_pag is None else _encode_edges(self.determined_pag),
            "best_with_latents": self.best_with_latents,
            "best_without_latents": self.best_without_latents,
            "reference": encode(self.reference),
            "visit": self.history.chosen,
            "parts": encode(self.parts),
            "other": self._other_to_json(),
            "start": encode(self.start),
            "rival": self.rival,
            "gain": self.gain,
            "null_gains": None if self.null_gains is None else list(self.null_gains),
            "other_cuts": encode(self.other_cuts),
            "verdict": describe(self),
            "tried_every_group": self.tried_every_group,
            "tried": {str(size): count for size, count in self.tried.items()},
            "evidence": encode(self.evidence),
            "visited_weights": self.weights.to_json(),
            "converged": None if posterior is None else posterior.converged,
            "bic": None if posterior is None else posterior.bic,
            "warnings": [] if posterior is None else list(posterior.warnings),
            "treatment": encode(self.pag_handling),
            "pag": _encode_edges(self.pag),
            "knowledge": self.knowledge.to_json() if self.knowledge else None,
            "knowledge_missing": list(self.knowledge.missing_names(self.history.nodes)),
            "mags_with_knowledge": None if self.mags is None else list(self.mags),
            "knowledge_conflicts": encode(self.knowledge_conflicts),
            "knowledge_effect": encode(self.knowledge_effect),
            "options": self.options.to_json(),
            "dataset_digest": self.dataset_digest,
            "completion": None if self.completion is None else encode(self.completion),
            "repeats": None if self.repeats is None else encode(self.repeats),
            "restarts": None if self.restarts is None else encode(self.restarts),
            "versions": versions,
        }

    @classmethod
    def from_json(
        cls, content: Content, *, history: History, posterior: Posterior | None = None, notes: Notes | None = None
    ) -> SearchResult:
        """The result that `to_json` gave, of this or an older program, with what stands beside it.

        notes : gets a sentence for everything that is not known to this program and was left out
        """
        current = migrate_result(content)
        history.level_name = decode(str, current.get("level_name", history.level_name))
        history.chosen = _visit_of_json(current.get("visit"), history)
        options = SearchOptions.from_json(current["options"], notes)
        history.score_title = score_title(options.vbem)
        handling: PagHandling = decode(PagHandling, current["treatment"], notes)
        null_gains: tuple[float, ...] | None = decode(tuple[float, ...] | None, current.get("null_gains"))
        evidence = map(LatentEvidence.from_json, current["evidence"])
        return cls(
            algorithm=decode(str, current["search"]),
            options=options,
            dataset_digest=decode(str, current["dataset_digest"]),
            pag=MixedGraph.from_edges(handling.graph.nodes, map(Edge.from_json, current["pag"])),
            pag_handling=handling,
            best=best_of_json(current),
            posterior=posterior,
            evidence=tuple(replace(latent_evidence, null_gains=null_gains or ()) for latent_evidence in evidence),
            history=history,
            stop_reason=StopReason(current["stop_reason"]),
            cuts=decode(tuple[str, ...], current["cuts"]),
            seconds=decode_finite(current["seconds"]),
            rival=decode(float | None, current.get("rival")),
            reference=_reference_of_json(current),
            parts=decode(tuple[PartScore, ...], list(current.get("parts", ()))),
            reference_seconds=decode(float | None, current.get("reference_seconds")),
            evidence_seconds=decode(float | None, current.get("evidence_seconds")),
            other=_other_of_json(current.get("other"), history),
            start=None if current.get("start") is None else LatentDag.from_json(current["start"]),
            tried_every_group=decode(bool, current.get("tried_every_group", False)),
            null_gains=null_gains,
            other_cuts=read_outcomes(current.get("other_cuts")),
            judged_under=decode(ObjectiveName, current["judged_under"]),
            **_knowledge_of_json(current),
            completion=decode(CompletionReport | None, current.get("completion")),
            repeats=decode(RowRepeats | None, current.get("repeats")),
            restarts=decode(Restarts | None, current.get("restarts")),
        )

    def _other_to_json(self) -> dict[str, Any] | None:
        if self.other is None:
            return None
        visit = self.history[self.other.visit]
        dag = self.history.dag(visit.index)
        return {"search": self.other.search, "visit": visit.index, "p_elbo": visit.p_elbo, **dag.to_json()}


def _encode_edges(graph: MixedGraph) -> list[list[str]]:
    """The edges as `["A", "o->", "B"]`."""
    return [list(edge.to_json()) for edge in graph.edges()]


def _best_to_json(
    dag_class: DagClass | None, nodes: tuple[str, ...], evidence: tuple[LatentEvidence, ...]
) -> dict[str, Any]:
    """The best DAG at the top level, so that the whole is a DAG file too, with what speaks for each latent."""
    if dag_class is None:
        return LatentDag(nodes).to_json()
    content, best = dag_class.dag.to_json(), dag_class.dag
    judged = {
        latent_evidence.latent.name: latent_evidence
        for latent_evidence in evidence
        if latent_evidence.latent in best.latents
    }
    latents = [
        {
            **latent,
            **_judgement_to_json(judged.get(latent["name"])),
            "readings": _readings(dag_class, judged.get(latent["name"]), latent["name"]),
            "proxy": None if latent["name"] not in judged else judged[latent["name"]].proxy,
        }
        for latent in content["latents"]
    ]
    return {**content, "latents": latents}


def _readings(dag_class: DagClass, evidence: LatentEvidence | None, latent: str) -> list[str]:
    """What a latent may be instead of a common cause: on the way between its children, or the exact value of one."""
    readings = [reading.value for reading in dag_class.readings(latent)]
    return [*readings, "proxy"] if evidence is not None and evidence.proxy is not None else readings


def _judgement_to_json(evidence: LatentEvidence | None) -> dict[str, Any]:
    """What the PAG says, and what the data gain over the best DAG without latents; None for what was not asked."""
    if evidence is None:
        return {"orientation": None, "density": None, "support": None, "held_out_gain": None}
    return {
        "orientation": evidence.verdict,
        "density": evidence.density,
        "support": evidence.support,
        "held_out_gain": None if evidence.held_out is None else evidence.held_out.to_json(),
    }


def _reference_of_json(content: Content) -> Reference | None:
    reference = content.get("reference")
    return None if reference is None else Reference.from_json(reference, content["nodes"])


def _knowledge_of_json(content: Content) -> dict[str, Any]:
    """What is said of knowledge; nothing in results of programs that knew none."""
    said, mags, effect = (content.get(key) for key in ("knowledge", "mags_with_knowledge", "knowledge_effect"))
    return {
        "knowledge": NO_KNOWLEDGE if said is None else Knowledge.from_json(said),
        "mags": None if mags is None else MagCount(*decode(tuple[int, int], mags)),
        "knowledge_conflicts": decode(tuple[KnowledgeConflict, ...], content.get("knowledge_conflicts", [])),
        "knowledge_effect": decode(KnowledgeEffect | None, effect),
    }


def _other_of_json(content: Content | None, history: History) -> OtherSearch | None:
    if content is None:
        return None
    visit = _visit_of_json(content["visit"], history)
    if visit is None:
        raise ValueError("the other search names no visit")
    return OtherSearch(decode(str, content["search"]), visit)


def _visit_of_json(content: object, history: History) -> int | None:
    """The place of a visit; ValueError where the history has no such place."""
    visit: int | None = decode(int | None, content)
    if visit is not None and not 0 <= visit < len(history):
        raise ValueError(f"there is no visit {visit}")
    return visit


def best_of_json(content: Content) -> LatentDag | None:
    """The best DAG of a result in JSON; None where nothing was scored."""
    return None if content["p_elbo"] is None else LatentDag.from_json(content)


def _versions() -> dict[str, str]:
    import platform
    from importlib.metadata import version

    return {"python": platform.python_version(), **{name: version(name) for name in ("latconf", "numpy", "numba")}}


def _p_elbo(visit: Visit | None) -> float | None:
    return None if visit is None else visit.p_elbo
