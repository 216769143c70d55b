"""Every reader of the program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from fuzz.graph_readers import graph_readers
from fuzz.kept_readers import archive_readers, document_readers, lesson_readers
from fuzz.reader import Reader
from fuzz.table_readers import table_readers
from latconf_core.control import RunControl
from latconf_core.formats.projects.opening import open_file
from latconf_core.formats.projects.project_state import ProjectState


@cache
def readers() -> tuple[Reader, ...]:
    """Every table, graph, network and knowledge format, options, results, histories, posteriors, projects, lessons."""
    own = (*table_readers(), *graph_readers(), *document_readers(), *archive_readers(), *lesson_readers())
    texts = tuple(seed for reader in own for seed in reader.seeds[:1] if b"\0" not in seed)
    return tuple(replace(one, others=texts) for one in (*own, *_any_files(own)))


def _any_files(own: tuple[Reader, ...]) -> Iterator[Reader]:
    """The opener of the window, which guesses what a file is."""
    seeds = tuple(seed for reader in own if reader.name.startswith(("table", "graph")) for seed in reader.seeds)
    for suffix in ("", ".dat", ".csv", ".txt", ".json", ".xml"):
        yield Reader(f"any file {suffix or 'without a suffix'}", suffix, _open_any, seeds)


def _open_any(path: Path) -> object:
    return list(open_file(path, None, RunControl(), post=lambda _: None, before=ProjectState()))
