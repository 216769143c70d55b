"""Every reader of the program."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from fuzz.command_lines import command_readers
from fuzz.folder_readers import folder_readers
from fuzz.graph_readers import graph_readers
from fuzz.kept_readers import archive_readers, document_readers, small_project
from fuzz.reader import Reader
from fuzz.table_readers import table_readers
from fuzz.teaching_readers import teaching_readers
from fuzz.window_readers import window_readers
from fuzz.word_readers import word_readers
from latconf_core.control import RunControl
from latconf_core.formats.projects.opening import open_file
from latconf_core.formats.projects.project_state import ProjectState


@cache
def readers() -> tuple[Reader, ...]:
    """Tables, graphs, networks, knowledge, options, results, projects, lessons, words, the window's files, commands."""
    own = (
        *(*table_readers(), *graph_readers(), *document_readers(), *archive_readers(), *folder_readers()),
        *(*teaching_readers(), *word_readers(), *window_readers(small_project()), *command_readers()),
    )
    texts = tuple(seed for reader in own for seed in reader.seeds[:1] if b"\0" not in seed)
    return tuple(replace(one, others=texts) for one in (*own, *_any_files(own)))


def _any_files(own: tuple[Reader, ...]) -> Iterator[Reader]:
    """The opener of the window, which guesses what a file is."""
    seeds = tuple(seed for reader in own if reader.name.startswith(("table", "graph")) for seed in reader.seeds)
    for suffix in ("", ".dat", ".csv", ".txt", ".json", ".xml"):
        yield Reader(f"any file {suffix or 'without a suffix'}", suffix, _open_any, seeds)


def _open_any(path: Path) -> object:
    return list(open_file(path, None, RunControl(), post=lambda _: None, before=ProjectState()))
