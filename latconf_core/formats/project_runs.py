"""One run of a search inside a project file.

run.json        algorithm, options, how it ended, how the graph was treated, the evidence for the latents
pag.txt         the graph as it was given; searched.txt where it was repaired
history.csv     every visited DAG: edges and children as positions of nodes
best.json       the best DAG
posterior.npz   what the data say about its tables and latents
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from latconf_core.control import StopReason
from latconf_core.data.dataset import Dataset
from latconf_core.data.watch import Watch
from latconf_core.errors import FileFormatError
from latconf_core.formats import graph_json, tetrad_text
from latconf_core.formats.document import GraphDocument
from latconf_core.formats.project_posterior import parsed_posterior, posterior_bytes
from latconf_core.graph.bits import bits
from latconf_core.graph.marks import Edge, marks_of_arrow
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options import SearchOptions, VbemOptions
from latconf_core.search.evidence import LatentEvidence, PairEvidence
from latconf_core.search.history import History, Visit, VisitKind
from latconf_core.search.model import NO_PARENT, Hidden, Model
from latconf_core.search.result import SearchResult
from latconf_core.search.treatment import Treatment

HISTORY_HEADER = "visit,kind,n_bidirected,p_elbo,edges,latents"
_CHECK_EVERY = 5_000
_KINDS: Mapping[str, VisitKind] = {"candidate": "candidate", "states": "states"}


def graph_text(graph: MixedGraph) -> str:
    """The graph as Tetrad's text; names that it cannot hold are kept in its attributes."""
    return tetrad_text.render(GraphDocument(graph), tetrad_text.written_names(graph))


def parsed_graph(text: str) -> MixedGraph:
    """The graph that `graph_text` wrote."""
    return tetrad_text.parse(text).graph


def write_run(archive: zipfile.ZipFile, folder: str, result: SearchResult, watch: Watch) -> None:
    """Write a run into a folder of the archive."""
    archive.writestr(f"{folder}/run.json", json.dumps(_content(result), ensure_ascii=False, indent=1))
    archive.writestr(f"{folder}/pag.txt", graph_text(result.pag))
    if result.treatment.graph != result.pag:
        archive.writestr(f"{folder}/searched.txt", graph_text(result.treatment.graph))
    with archive.open(f"{folder}/history.csv", "w", force_zip64=True) as binary:
        binary.write(f"{HISTORY_HEADER}\n".encode())
        for visit in result.history:
            if visit.index % _CHECK_EVERY == 0:
                watch.step(visit.index, len(result.history), "saving the history")
            binary.write(f"{_visit_line(visit)}\n".encode())
    if result.best is not None:
        archive.writestr(f"{folder}/best.json", graph_json.render(GraphDocument.of_dag(result.best), {}))
    if result.posterior is not None:
        archive.writestr(f"{folder}/posterior.npz", posterior_bytes(result.posterior))


def _content(result: SearchResult) -> dict[str, Any]:
    treatment = result.treatment
    return {
        "algorithm": result.algorithm,
        "options": asdict(result.options),
        "seed": result.seed,
        "dataset_digest": result.dataset_digest,
        "stop_reason": result.stop_reason.value,
        "cuts": list(result.cuts),
        "seconds": result.seconds,
        "treatment": {
            "kind": treatment.kind,
            "reasons": list(treatment.reasons),
            "diff": [[_edge_text(before), _edge_text(after)] for before, after in treatment.diff],
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


def _visit_line(visit: Visit) -> str:
    model = visit.model
    edges = " ".join(f"{parent}>{child}" for child, mask in enumerate(model.parents) for parent in bits(mask))
    latents = " ".join(_hidden_text(one) for one in model.latents)
    return f"{visit.index},{visit.kind},{visit.n_bidirected},{visit.p_elbo!r},{edges},{latents}"


def _hidden_text(hidden: Hidden) -> str:
    """`3:0+2` has three states and the children 0 and 2; `3:0+2<5` has the parent 5 too."""
    text = f"{hidden.n_states}:{'+'.join(map(str, bits(hidden.children)))}"
    return text if hidden.parent == NO_PARENT else f"{text}<{hidden.parent}"


def read_runs(archive: zipfile.ZipFile, dataset: Dataset | None) -> tuple[SearchResult, ...]:
    """Every run of the archive, in order."""
    names = set(archive.namelist())
    folders = sorted({name.rsplit("/", 1)[0] for name in names if name.startswith("runs/") and "run.json" in name})
    return tuple(_read_run(archive, folder, names, dataset) for folder in folders)


def _read_run(archive: zipfile.ZipFile, folder: str, names: set[str], dataset: Dataset | None) -> SearchResult:
    def text_of(name: str) -> str:
        return archive.read(f"{folder}/{name}").decode("utf-8")

    content = json.loads(text_of("run.json"))
    pag = parsed_graph(text_of("pag.txt"))
    searched = parsed_graph(text_of("searched.txt")) if f"{folder}/searched.txt" in names else pag
    history = parsed_history(text_of("history.csv"), pag.nodes)
    best = None
    if f"{folder}/best.json" in names:
        best = graph_json.parse(text_of("best.json")).to_dag()
    posterior = None
    if f"{folder}/posterior.npz" in names and dataset is not None and best is not None:
        posterior = parsed_posterior(archive.read(f"{folder}/posterior.npz"), best, dataset)
    return SearchResult(
        algorithm=content["algorithm"],
        options=_options(content["options"]),
        dataset_digest=content["dataset_digest"],
        pag=pag,
        treatment=_treatment(searched, content["treatment"]),
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


def _treatment(graph: MixedGraph, content: dict[str, Any]) -> Treatment:
    diff = tuple((_parsed_edge(before), _parsed_edge(after)) for before, after in content["diff"])
    return Treatment(graph, content["kind"], tuple(content["reasons"]), diff)


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


def parsed_history(text: str, nodes: tuple[str, ...]) -> History:
    """The history of `history.csv`; FileFormatError names a line that cannot be read."""
    lines = io.StringIO(text)
    if lines.readline().rstrip("\n") != HISTORY_HEADER:
        raise FileFormatError(f"the history begins with another row than {HISTORY_HEADER}", line=1)
    visits = []
    for number, line in enumerate(lines, start=2):
        try:
            visits.append(_parsed_visit(line.rstrip("\n"), len(nodes)))
        except (ValueError, IndexError, KeyError):
            raise FileFormatError(f"the history has the line {line.rstrip()!r}, which is none", line=number) from None
    return History(nodes, visits)


def _parsed_visit(line: str, n_nodes: int) -> Visit:
    index, kind, n_bidirected, p_elbo, edges, latents = line.split(",")
    parents = [0] * n_nodes
    for edge in edges.split():
        parent, child = _positions(edge.split(">"), n_nodes)
        parents[child] |= 1 << parent
    hidden = tuple(_parsed_hidden(text, n_nodes) for text in latents.split())
    return Visit(int(index), int(n_bidirected), float(p_elbo), _KINDS[kind], Model(tuple(parents), hidden))


def _positions(texts: list[str], n_nodes: int) -> list[int]:
    found = [int(text) for text in texts]
    if not all(0 <= position < n_nodes for position in found):
        raise ValueError(texts)
    return found


def _parsed_hidden(text: str, n_nodes: int) -> Hidden:
    rest, _, parent = text.partition("<")
    n_states, _, children = rest.partition(":")
    mask = sum(1 << int(child) for child in children.split("+"))
    return Hidden(mask, int(n_states), int(parent) if parent else NO_PARENT)
