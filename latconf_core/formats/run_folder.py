"""The folder of one run: result.json, history.csv, the model as JSON and BIF, and pictures where a painter is given."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import FileFormatError
from latconf_core.files import read_text, write_text_atomically
from latconf_core.formats.graphs.pcalg_matrix import csv_rows
from latconf_core.formats.graphs.registry import write_dag, write_graph
from latconf_core.formats.networks.bif_text import write_bif
from latconf_core.formats.painter import Painter
from latconf_core.graph.bits import bits
from latconf_core.graph.mixed import MixedGraph
from latconf_core.search.candidate import NO_PARENT, Candidate, Hidden
from latconf_core.search.outcome.evidence import LatentEvidence
from latconf_core.search.outcome.history import History, Visit, VisitKind
from latconf_core.search.outcome.result import SearchResult

HISTORY_COLUMNS = ("visit", "kind", "bidirected", "p_elbo", "edges", "latents")


def write_run(result: SearchResult, folder: str | Path, *, painter: Painter | None = None) -> tuple[str, ...]:
    """Write everything about a run into a folder, which is made; the names of the files."""
    import json

    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileFormatError(f"the folder cannot be made: {error.strerror}", place) from None
    files: dict[str, Callable[[Path], object]] = {
        "result.json": lambda path: write_text_atomically(path, json.dumps(as_json(result), indent=1) + "\n"),
        "history.csv": lambda path: write_text_atomically(path, history_text(result.history)),
        "pag.txt": lambda path: write_graph(result.pag, path),
    }
    best, posterior = result.best, result.posterior
    if best is not None:
        files["model.json"] = lambda path: write_dag(best, path)
    if posterior is not None:
        files["model.bif"] = lambda path: write_bif(posterior.network(), path)
    if painter is not None:
        files["chart.svg"] = lambda path: write_text_atomically(path, painter.chart_svg(result.history))
        files["pag.svg"] = lambda path: write_text_atomically(path, painter.graph_svg(result.pag))
        if best is not None:
            files["dag.svg"] = lambda path: write_text_atomically(path, painter.dag_svg(best))
    for name, write in files.items():
        write(place / name)
    return tuple(files)


def as_json(result: SearchResult) -> dict[str, Any]:
    """What a run found and everything that is needed to repeat it, as plain values."""
    posterior = result.posterior
    return {
        "search": result.algorithm,
        "p_elbo": result.p_elbo,
        "elbo": result.elbo,
        "n_scored": len(result.history),
        "levels": {str(level): count for level, count in sorted(result.history.per_level().items())},
        "stop_reason": result.stop_reason.value,
        "truncated": result.truncated,
        "cuts": list(result.cuts),
        "seconds": result.seconds,
        "seed": result.seed,
        **_dag_as_json(result.best),
        "best_with_latents": result.best_with_latents,
        "best_without_latents": result.best_without_latents,
        "gain": result.gain,
        "evidence": [_evidence_as_json(one) for one in result.evidence],
        "converged": None if posterior is None else posterior.converged,
        "bic": None if posterior is None else posterior.bic,
        "warnings": [] if posterior is None else list(posterior.warnings),
        "treatment": {
            "kind": result.pag_handling.kind,
            "reasons": list(result.pag_handling.reasons),
            "changes": [[_text(before), _text(after)] for before, after in result.pag_handling.diff],
        },
        "nodes": list(result.history.nodes),
        "pag": _edges(result.pag),
        "options": asdict(result.options),
        "dataset_digest": result.dataset_digest,
        "versions": _versions(),
    }


def _dag_as_json(dag: LatentDag | None) -> dict[str, Any]:
    if dag is None:
        return {"latents": [], "edges": []}
    latents = [{"name": one.name, "states": one.n_states, "children": list(one.children)} for one in dag.latents]
    return {"latents": latents, "edges": [list(edge) for edge in dag.edges]}


def _evidence_as_json(one: LatentEvidence) -> dict[str, Any]:
    return {
        "latent": one.latent.name,
        "children": list(one.latent.children),
        "states": one.latent.n_states,
        "orientation": [[pair.first, pair.second, pair.verdict] for pair in one.orientation],
        "density": one.density,
        "weak": one.is_weak,
    }


def _edges(graph: MixedGraph) -> list[list[str]]:
    return [[edge.first, edge.arrow, edge.second] for edge in graph.edges()]


def _text(edge: object) -> str | None:
    return None if edge is None else str(edge)


def _versions() -> dict[str, str]:
    import platform
    from importlib.metadata import version

    return {"python": platform.python_version(), **{name: version(name) for name in ("latconf", "numpy", "numba")}}


def history_text(history: History) -> str:
    """The history as CSV: enough to draw the chart again and to open any visited DAG.

    Visits are numbered from 1, as in the window. Variables are given by their position in the data: `3>1` is an
    edge, `2:1,4` a latent with two states and two children, `2:1,4<7` one with a parent.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HISTORY_COLUMNS)
    for visit in history:
        edges = [f"{a}>{b}" for b, mask in enumerate(visit.candidate.parents) for a in bits(mask)]
        latents = [_hidden_text(one) for one in visit.candidate.latents]
        p_elbo = repr(float(visit.p_elbo))
        writer.writerow([visit.index + 1, visit.kind, visit.n_bidirected, p_elbo, " ".join(edges), " ".join(latents)])
    return out.getvalue()


def _hidden_text(one: Hidden) -> str:
    children = ",".join(map(str, bits(one.children)))
    return f"{one.n_states}:{children}" + ("" if one.parent == NO_PARENT else f"<{one.parent}")


def read_history(path: str | Path, nodes: Sequence[str]) -> History:
    """The history that a run wrote; `nodes` are those of its result.json."""
    text = read_text(path)
    try:
        return parse_history(text, nodes)
    except FileFormatError as error:
        raise FileFormatError(error.problem, path, error.line) from None


def parse_history(text: str, nodes: Sequence[str]) -> History:
    """The history that `history_text` wrote; errors carry the line. Files of old count visits from 0."""
    rows = iter(csv_rows(text))
    line, header = next(rows, (1, []))
    if tuple(header) != HISTORY_COLUMNS:
        raise FileFormatError(f"expected the columns {', '.join(HISTORY_COLUMNS)}", line=line)
    visits: list[Visit] = []
    first = 1
    for line, cells in rows:
        if not visits and cells[:1] == ["0"]:
            first = 0
        try:
            visits.append(_visit(cells, len(nodes), first=first))
            if visits[-1].index != len(visits) - 1:
                raise ValueError(cells[0])
        except (ValueError, IndexError):
            raise FileFormatError(f"{','.join(cells)!r} is not a visit of {len(nodes)} variables", line=line) from None
    return History(nodes, visits)


def _visit(cells: list[str], n_nodes: int, *, first: int) -> Visit:
    number, kind, n_bidirected, p_elbo, edges, latents = cells
    parents = [0] * n_nodes
    for edge in edges.split():
        parent, child = map(int, edge.split(">"))
        parents[child] |= 1 << parent
    candidate = Candidate(tuple(parents), tuple(_hidden(text) for text in latents.split()))
    if kind not in ("candidate", "states"):
        raise ValueError(kind)
    own_kind: VisitKind = "states" if kind == "states" else "candidate"
    return Visit(int(number) - first, int(n_bidirected), float(p_elbo), own_kind, candidate)


def _hidden(text: str) -> Hidden:
    n_states, _, rest = text.partition(":")
    children, _, parent = rest.partition("<")
    mask = sum(1 << int(child) for child in children.split(","))
    return Hidden(mask, int(n_states), int(parent) if parent else NO_PARENT)
