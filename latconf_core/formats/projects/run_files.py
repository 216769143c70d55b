"""One run of a search inside a project file.

run.json        algorithm, options, how it ended, how the graph was treated, the evidence for the latents
pag.txt         the graph as it was given; searched.txt where it was repaired
history.csv     every visited DAG: edges and children as positions of nodes
best.json       the best DAG
posterior.npz   what the data say about its tables and latents
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import asdict
from typing import Any

from latconf_core.control import StopReason
from latconf_core.data.dataset import Dataset
from latconf_core.data.watch import Watch
from latconf_core.formats.graphs import graph_json, tetrad_text
from latconf_core.formats.graphs.graph_document import GraphDocument
from latconf_core.formats.projects.posterior_file import parse_posterior, posterior_bytes
from latconf_core.formats.run_folder import history_text, parse_history
from latconf_core.graph.marks import Edge, marks_of_arrow
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.search.outcome.evidence import LatentEvidence, PairEvidence
from latconf_core.search.outcome.history import History
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.pag_handling import PagHandling


def graph_text(graph: MixedGraph) -> str:
    """The graph as Tetrad's text; names that it cannot hold are kept in its attributes."""
    return tetrad_text.render(GraphDocument(graph), tetrad_text.written_names(graph))


def parse_graph_text(text: str) -> MixedGraph:
    """The graph that `graph_text` wrote."""
    return tetrad_text.parse(text).graph


def write_run(archive: zipfile.ZipFile, folder: str, result: SearchResult, watch: Watch) -> None:
    """Write a run into a folder of the archive."""
    archive.writestr(f"{folder}/run.json", json.dumps(_content(result), ensure_ascii=False, indent=1))
    archive.writestr(f"{folder}/pag.txt", graph_text(result.pag))
    if result.pag_handling.graph != result.pag:
        archive.writestr(f"{folder}/searched.txt", graph_text(result.pag_handling.graph))
    watch.step(0, None, "saving the history")
    archive.writestr(f"{folder}/history.csv", history_text(result.history))
    if result.best is not None:
        archive.writestr(f"{folder}/best.json", graph_json.render(GraphDocument.of_dag(result.best), {}))
    if result.posterior is not None:
        archive.writestr(f"{folder}/posterior.npz", posterior_bytes(result.posterior))


def _content(result: SearchResult) -> dict[str, Any]:
    pag_handling = result.pag_handling
    return {
        "algorithm": result.algorithm,
        "options": asdict(result.options),
        "seed": result.seed,
        "dataset_digest": result.dataset_digest,
        "stop_reason": result.stop_reason.value,
        "cuts": list(result.cuts),
        "seconds": result.seconds,
        "treatment": {
            "kind": pag_handling.kind,
            "reasons": list(pag_handling.reasons),
            "diff": [[_edge_text(before), _edge_text(after)] for before, after in pag_handling.diff],
        },
        "evidence_of": None if result.history.best_with_latents is None else result.history.best_with_latents.index,
        "evidence": [_evidence_content(one) for one in result.evidence],
    }


def _edge_text(edge: Edge | None) -> list[str] | None:
    return None if edge is None else [edge.first, edge.arrow, edge.second]


def _evidence_content(evidence: LatentEvidence) -> dict[str, Any]:
    return {
        "latent": evidence.latent.name,
        "orientation": [[pair.first, pair.second, pair.verdict] for pair in evidence.orientation],
        "density": evidence.density,
    }


def read_runs(archive: zipfile.ZipFile, dataset: Dataset | None) -> tuple[SearchResult, ...]:
    """Every run of the archive, in order."""
    names = set(archive.namelist())
    folders = sorted({name.rsplit("/", 1)[0] for name in names if name.startswith("runs/") and "run.json" in name})
    return tuple(_read_run(archive, folder, names, dataset) for folder in folders)


def _read_run(archive: zipfile.ZipFile, folder: str, names: set[str], dataset: Dataset | None) -> SearchResult:
    def text_of(name: str) -> str:
        return archive.read(f"{folder}/{name}").decode("utf-8")

    content = json.loads(text_of("run.json"))
    pag = parse_graph_text(text_of("pag.txt"))
    searched = parse_graph_text(text_of("searched.txt")) if f"{folder}/searched.txt" in names else pag
    history = parse_history(text_of("history.csv"), pag.nodes)
    best = None
    if f"{folder}/best.json" in names:
        best = graph_json.parse(text_of("best.json")).to_dag()
    posterior = None
    if f"{folder}/posterior.npz" in names and dataset is not None and best is not None:
        posterior = parse_posterior(archive.read(f"{folder}/posterior.npz"), best, dataset)
    return SearchResult(
        algorithm=content["algorithm"],
        options=_options(content["options"]),
        dataset_digest=content["dataset_digest"],
        pag=pag,
        pag_handling=_treatment(searched, content["treatment"]),
        best=best,
        posterior=posterior,
        evidence=_evidence(content, history),
        history=history,
        stop_reason=StopReason(content["stop_reason"]),
        cuts=tuple(content["cuts"]),
        seconds=float(content["seconds"]),
    )


def _options(content: dict[str, Any]) -> SearchOptions:
    return SearchOptions(**{**content, "vbem": VbemOptions(**content["vbem"])})


def _treatment(graph: MixedGraph, content: dict[str, Any]) -> PagHandling:
    diff = tuple((_parsed_edge(before), _parsed_edge(after)) for before, after in content["diff"])
    return PagHandling(graph, content["kind"], tuple(content["reasons"]), diff)


def _parsed_edge(parts: list[str] | None) -> Edge | None:
    return None if parts is None else Edge(parts[0], parts[2], *marks_of_arrow(parts[1]))


def _evidence(content: dict[str, Any], history: History) -> tuple[LatentEvidence, ...]:
    if content["evidence_of"] is None:
        return ()
    latents = {one.name: one for one in history.dag(content["evidence_of"]).latents}
    return tuple(
        LatentEvidence(
            latents[own["latent"]], tuple(PairEvidence(*pair) for pair in own["orientation"]), own["density"]
        )
        for own in content["evidence"]
    )
