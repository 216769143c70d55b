"""Runs in projects of format 1: run.json, searched.txt and history.csv with positions, read as a result of today."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from typing import Any

from latconf_core.formats.graphs import graph_json, tetrad_text
from latconf_core.formats.history_csv import parse_history
from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import Content, encode, parse_json
from latconf_core.pag.handling import PagHandling
from latconf_core.search.outcome.history import History

RUN = "run.json"

RESULT_VERSION = 2  # of results: what is made here is migrated from there on


def read_content(archive: zipfile.ZipFile, folder: str) -> Content:
    """The run of a folder as its result.json would say it today."""

    def text_of(name: str) -> str:
        return archive.read(f"{folder}/{name}").decode("utf-8")

    names = set(archive.namelist())
    run = parse_json(text_of(RUN))
    pag = tetrad_text.parse(text_of("pag.txt")).graph
    searched = tetrad_text.parse(text_of("searched.txt")).graph if f"{folder}/searched.txt" in names else pag
    history = parse_history(text_of("history.csv"), pag.nodes)
    best: dict[str, Any] = {"nodes": list(pag.nodes), "edges": [], "latents": []}
    if f"{folder}/best.json" in names:
        best = graph_json.parse(text_of("best.json")).to_dag().to_json()
    return {
        **{key: run[key] for key in ("options", "dataset_digest", "stop_reason", "cuts", "seconds")},
        **best,
        "version": RESULT_VERSION,
        "search": run["algorithm"],
        "p_elbo": None if history.best is None else history.best.p_elbo,
        "evidence": _evidence(run, history),
        "treatment": _treatment(run["treatment"], searched),
        "pag": [edge.to_json() for edge in pag.edges()],
    }


def _evidence(run: Mapping[str, Any], history: History) -> list[dict[str, Any]]:
    """The evidence with all about the latents, which format 1 only named."""
    if run["evidence_of"] is None:
        return []
    latents = {one.name: one.to_json() for one in history.dag(run["evidence_of"]).latents}
    return [{**latents[own["latent"]], **own} for own in run["evidence"]]


def _treatment(content: Mapping[str, Any], searched: MixedGraph) -> Any:
    diff = tuple(
        (before and Edge.from_json(before), after and Edge.from_json(after)) for before, after in content["diff"]
    )
    return encode(PagHandling(searched, content["kind"], tuple(content["reasons"]), diff))
