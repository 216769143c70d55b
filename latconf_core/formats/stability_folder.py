"""Stability as files: everything as stability.json, and the tables as CSV for a spreadsheet."""

from __future__ import annotations

import json
from pathlib import Path

from latconf_core.comparison.tables import to_csv
from latconf_core.errors import FileFormatError
from latconf_core.files import has_folder, read_text, write_text_atomically
from latconf_core.json_form import Notes, parse_json
from latconf_core.stability.stability_result import Stability
from latconf_core.whole_folders import finish_replacing, replace_files
from latconf_core.wording.stability_tables import tabulate_latents, tabulate_pairs

STABILITY, PAG_EDGES, DAG_EDGES, LATENTS = "stability.json", "pag_edges.csv", "dag_edges.csv", "latents.csv"


def stability_text(stability: Stability) -> str:
    """All of it as JSON: the same in a folder and in a project."""
    return json.dumps(stability.to_json(), ensure_ascii=False) + "\n"


def write_stability(stability: Stability, folder: str | Path) -> tuple[str, ...]:
    """Write it into a folder, which is made; the names of the files."""
    texts = {}
    if stability.options.learner is not None:
        texts[PAG_EDGES] = to_csv(tabulate_pairs(stability.pag_pairs))
    if stability.options.search is not None:
        texts[DAG_EDGES] = to_csv(tabulate_pairs(stability.dag_pairs))
        texts[LATENTS] = to_csv(tabulate_latents((*stability.latents, *stability.new_latents)))
    texts[STABILITY] = stability_text(stability)
    with replace_files(Path(folder), old=(STABILITY, PAG_EDGES, DAG_EDGES, LATENTS), last=STABILITY) as staged:
        for name, text in texts.items():
            write_text_atomically(staged / name, text)
    return tuple(texts)


def parse_stability(text: str, notes: Notes | None = None) -> Stability:
    """What `stability_text` gave; FileFormatError where it is none."""
    content = parse_json(text)
    if not isinstance(content, dict):
        raise FileFormatError("this is not a stability result: it is not a JSON object")
    stability = Stability.from_json(content, notes)
    stability.count_shares()  # here, not while the window draws
    return stability


def read_stability(folder: str | Path, *, notes: Notes | None = None) -> Stability:
    """What `write_stability` wrote; `folder` is the folder or its stability.json."""
    path = Path(folder) / STABILITY if has_folder(Path(folder)) else Path(folder)
    finish_replacing(path.parent)
    try:
        return parse_stability(read_text(path), notes)
    except FileFormatError as error:
        raise FileFormatError(error.problem, error.path or path, error.line) from None
