"""A run that lies in a folder with the table it searched, and what it had its PAG from, so that it can be repeated."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from latconf_core.graph.mixed import MixedGraph
    from latconf_core.options.learning import PagOptions
    from latconf_core.search.outcome.result import SearchResult


def add_run_with_data(parser: ArgumentParser) -> None:
    """The folder of a run, and the table that it searched."""
    parser.add_argument("result", type=Path, metavar="RESULT", help="run folder that latconf run --out wrote")
    parser.add_argument("data", type=Path, metavar="DATA", help="the table that was searched")


def pag_source(folder: Path, result: SearchResult) -> tuple[MixedGraph | None, PagOptions | None]:
    """The PAG that the search keeps to, or how one is learned; neither where it needs none."""
    from latconf_core.report.sources import read_about
    from latconf_core.search.catalogue import SEARCHES

    about = read_about(folder)
    learner = None if about is None else about.learner
    has_pag = about is not None and bool(about.pag_origin)
    keeps_pag = learner is None and (has_pag or (result.algorithm in SEARCHES and SEARCHES[result.algorithm].needs_pag))
    return (result.pag if keeps_pag else None), learner
