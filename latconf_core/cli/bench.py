"""`latconf bench`: data sets × learners × searches in one table, resumable."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from latconf_core.cli.terminal.arguments import ExamplesFormatter, add_table_options, load_data, positive, seed
from latconf_core.cli.terminal.cluster_options import add_cluster_options, read_scheduler
from latconf_core.cli.terminal.interrupting import hear_signals
from latconf_core.cli.terminal.keeping import keep_result
from latconf_core.cli.terminal.knowledge_option import add_knowledge_option, read_knowledge_option
from latconf_core.control import Progress, RunControl, StopReason
from latconf_core.density.baselines import CANNOT_SAY, DENSITIES
from latconf_core.errors import LatconfError, OptionError
from latconf_core.options.scoring import ObjectiveName
from latconf_core.options.searching import SearchOptions
from latconf_core.search.catalogue import SEARCHES
from latconf_core.whole_folders import check_folder

if TYPE_CHECKING:
    from latconf_core.bench.bench_plan import BenchPlan
    from latconf_core.bench.bench_run import BenchFinished
    from latconf_core.bench.bench_table import BenchTable
    from latconf_core.cluster.scheduler import Scheduler
    from latconf_core.data.dataset import Dataset

DEFAULTS = SearchOptions()
PRESETS = ("default", "paper")
VIEWS: dict[str, Literal["PAG", "MAG"]] = {"pag": "PAG", "mag": "MAG"}
LEFT = ("Data", "Method")  # columns of words
EXAMPLES = """examples:
  latconf bench tables/ --learn fci gfci --search ilc-v hclc-v refine --workers 2 --out results
  latconf bench asia_smoke_1000 alarm_ERRCAUTER_1000 --time-limit 60 --json
  latconf bench my.csv --truth truths/ --out results      (run again to resume)"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "bench",
        help="compare searches on many data sets",
        description=(
            "Hold out a fifth of the rows of every data set and learn and search on the rest. One table with "
            "mean ranks shows scores, times, accuracy against the truth, and the likelihood of held-out rows "
            "(also of fresh rows if the network is known). Searches that need a PAG run on the PAG of every "
            "learner. With --out every finished cell is kept: after Ctrl-C the same command resumes there."
        ),
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    _add_methods(parser)
    _add_settings(parser)
    add_knowledge_option(parser)
    parser.add_argument("--seed", type=seed, default=DEFAULTS.seed, metavar="S", help="default: %(default)s")
    parser.add_argument("--workers", type=positive, metavar="N", help="cores to use (default: 1)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep finished cells and write the tables here")
    add_table_options(parser)
    add_cluster_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def _add_methods(parser: argparse.ArgumentParser) -> None:
    """What is laid side by side: tables, learners, searches and densities."""
    from latconf_core.pag.learners.catalogue import LEARNERS

    parser.add_argument(
        "data",
        nargs="+",
        metavar="DATA",
        help="tables of discrete data, folders of tables, or examples such as asia_smoke_1000 (network, hidden "
        "variables joined by +, rows)",
    )
    parser.add_argument(
        "--learn",
        nargs="+",
        choices=tuple(LEARNERS),
        default=["fci", "gfci"],
        metavar="METHOD",
        help="learners of PAGs (default: fci gfci): %(choices)s",
    )
    parser.add_argument(
        "--search",
        nargs="+",
        choices=tuple(SEARCHES),
        metavar="SEARCH",
        help="searches (default: all but auto): %(choices)s",
    )
    parser.add_argument(
        "--density",
        nargs="+",
        choices=tuple(DENSITIES),
        default=[],
        metavar="METHOD",
        help=(
            f"density baselines, for the held-out column only: %(choices)s. {CANNOT_SAY} They need latconf[density]."
        ),
    )


def _add_settings(parser: argparse.ArgumentParser) -> None:
    """How they run and what they are compared with."""
    parser.add_argument(
        "--preset",
        choices=PRESETS,
        default="default",
        help="default: split the rows first; paper: scores of the whole table and the paper's settings of the learners",
    )
    parser.add_argument(
        "--as",
        dest="compared_as",
        choices=tuple(VIEWS),
        default="pag",
        help="compare DAGs with the truth by their PAGs (default) or their MAGs",
    )
    parser.add_argument(
        "--truth",
        type=Path,
        metavar="FOLDER",
        help=(
            "folder of true graphs or networks, each named like its data set or like the part before _ or -; "
            "examples need none"
        ),
    )
    parser.add_argument(
        "--objective",
        choices=get_args(ObjectiveName),
        help="what searches maximise; default: each search's own (refine and auto have no other)",
    )
    parser.add_argument(
        "--time-limit", type=float, default=DEFAULTS.time_limit, metavar="SECONDS", help="of one cell (default: 12 h)"
    )


def run(args: argparse.Namespace) -> int:
    """Run what is missing, write the tables, and say what was found."""
    from latconf_core.bench.writing.bench_files import write_bench

    _place(args)  # refused before the data are read
    if args.out:
        check_folder(args.out)
    plan = _plan(args)
    with hear_signals() as stop:
        table, end = _fill(plan, args, RunControl(stop.is_set))
        print(json.dumps(table.to_json()) if args.json else "\n".join(as_text(table)))
        if args.out:
            keep_result(
                lambda: write_bench(table, args.out, painter=args.painter),
                args.out,
                rescue=lambda: {"bench.json": json.dumps(table.to_json()) + "\n"},
                is_quiet=args.json,
            )
    if end.sentence:
        raise LatconfError(end.sentence)
    return stop.exit_code if end.stop_reason is StopReason.CANCELLED else 0


def _plan(args: argparse.Namespace) -> BenchPlan:
    from latconf_core.bench.bench_data import find_tables, gather
    from latconf_core.bench.bench_plan import BenchOptions, default_searches, make_plan
    from latconf_core.density.fit_density import check_installed

    if args.density:
        check_installed()
    options = BenchOptions(
        learners=tuple(args.learn),
        searches=tuple(args.search or default_searches()),
        densities=tuple(args.density),
        preset=args.preset,
        compared_as=VIEWS[args.compared_as],
        options=replace(DEFAULTS, time_limit=args.time_limit, seed=args.seed, objective=args.objective),
        knowledge=read_knowledge_option(args),
    )

    def load(path: Path) -> Dataset:
        return load_data(path, args)

    return make_plan(gather(find_tables(args.data), load, truths=args.truth), options)


def _fill(plan: BenchPlan, args: argparse.Namespace, control: RunControl) -> tuple[BenchTable, BenchFinished]:
    """The table with all that could be run, and how it ended."""
    from latconf_core.bench.bench_run import BenchFinished, CellFinished, run_bench
    from latconf_core.bench.bench_table import BenchTable
    from latconf_core.bench.cell_store import CellStore
    from latconf_core.bench.opening_lanes import open_lanes
    from latconf_core.bench.time_left import TimeLeft
    from latconf_core.cli.terminal.bars import ProgressBar
    from latconf_core.cli.terminal.ready import get_ready

    store, work_place = CellStore(args.out), _place(args)
    with ProgressBar() as bar, open_lanes(work_place, plan, control) as lanes:
        table, left = BenchTable(plan), TimeLeft(plan, lanes.n_workers)
        bar.show(Progress(0, None, "preparing"))
        if lanes.n_workers == 1 and args.scheduler is None:
            get_ready()
        for event in run_bench(plan, lanes, store=store, control=control):
            table.see(event)
            left.see(event)
            if sys.stderr.isatty() or isinstance(event, CellFinished):  # elsewhere a line per cell
                bar.show(left.progress())
            if isinstance(event, BenchFinished):
                return table, event
    raise AssertionError("a bench ends with its last event")


def _place(args: argparse.Namespace) -> int | Scheduler:
    """Cores of this computer, or a cluster."""
    scheduler = read_scheduler(args)
    if scheduler is not None and args.workers is not None:
        raise OptionError("--workers counts cores of this computer; omit it when you use a cluster")
    return scheduler or args.workers or 1


def as_text(table: BenchTable) -> Iterator[str]:
    """The short table, mean ranks and notes, in lines."""
    from latconf_core.bench.bench_table import tabulate_ranks, tabulate_short
    from latconf_core.bench.writing.bench_words import findings, headline
    from latconf_core.cli.terminal.text_table import align

    rows = table.rows()
    yield headline(table)
    yield ""
    yield from align(tabulate_short(rows), left=LEFT)
    yield ""
    yield from align(tabulate_ranks(rows), left=LEFT)
    yield ""
    yield from findings(table)
    yield from table.notes
