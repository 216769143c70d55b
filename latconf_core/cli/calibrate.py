"""`latconf calibrate`: how often chance does as well as a run, by the same search on tables with nothing hidden."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from latconf_core.cli.terminal.arguments import ExamplesFormatter, add_table_options, load_data, positive
from latconf_core.cli.terminal.cluster_options import add_cluster_options, read_scheduler
from latconf_core.cli.terminal.interrupting import hear_signals
from latconf_core.cli.terminal.run_source import add_run_with_data, pag_source
from latconf_core.control import RunControl, StopReason
from latconf_core.errors import OptionError

if TYPE_CHECKING:
    from latconf_core.cluster.scheduler import Scheduler
    from latconf_core.data.dataset import Dataset
    from latconf_core.search.outcome.result import SearchResult
    from latconf_core.stability.calibration import Calibration

EXAMPLES = """examples:
  latconf calibrate results data.csv --draws 19 --workers 2
  latconf calibrate results data.csv --draws 99 --json"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "calibrate",
        help="test how often chance does as well as a run",
        description=(
            "Draw tables from the best model without hidden causes, repeat the search on each, and report its "
            "gains. The gains are saved in the run folder, and a hidden cause counts as supported only if its "
            "gain exceeds all of them. Ctrl-C keeps the finished draws and exits with 130."
        ),
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    add_run_with_data(parser)
    parser.add_argument(
        "--draws", type=positive, default=19, metavar="N", help="how many tables (default: %(default)s)"
    )
    parser.add_argument(
        "--workers", type=positive, metavar="N", help="draws at a time, each in a process of its own (default: 1)"
    )
    add_cluster_options(parser)
    add_table_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Draw and search, write what was gained, and say it."""
    from latconf_core.formats.run_folder import read_run, write_null_gains

    scheduler = read_scheduler(args)  # refused before the data are read
    if scheduler is not None and args.workers is not None:
        raise OptionError("--workers is for this computer and --scheduler for a cluster; give only one of them")
    result = read_run(args.result)
    dataset = load_data(args.data, args)
    with hear_signals() as stop:
        calibration = _calibrate(args, result, dataset, RunControl(stop.is_set), scheduler)
        if calibration.null_gains:
            write_null_gains(args.result, calibration.null_gains)
    print(json.dumps(calibration.to_json()) if args.json else "\n".join(as_text(calibration)))
    return stop.exit_code if calibration.stop_reason is StopReason.CANCELLED else 0


def _calibrate(
    args: argparse.Namespace,
    result: SearchResult,
    dataset: Dataset,
    control: RunControl,
    scheduler: Scheduler | None,
) -> Calibration:
    from latconf_core.cli.terminal.bars import ProgressBar
    from latconf_core.cli.terminal.ready import get_ready
    from latconf_core.stability.calibration import CalibrationFinished, start_calibration
    from latconf_core.stability.draw_workers import open_draw_workers
    from latconf_core.stability.repeats import RepeatProgress

    pag, learner = pag_source(args.result, result)
    with ProgressBar() as bar, open_draw_workers(scheduler) as workers:
        events = start_calibration(
            result,
            dataset,
            draws=args.draws,
            pag=pag,
            learner=learner,
            control=control,
            workers=workers,
            n_workers=args.workers or 1,
        )
        if args.workers in (None, 1) and scheduler is None:
            get_ready()
        progress = RepeatProgress("draw")
        for event in events:
            if isinstance(event, CalibrationFinished):
                return event.calibration
            bar.show(progress.see(event))
    raise AssertionError("a calibration ends with its result")


def as_text(calibration: Calibration) -> Iterator[str]:
    """What chance gains, what the run gained, and what that means, in lines."""
    gains = calibration.null_gains
    if not gains:
        yield "no draw finished, so there is no result"
        return
    yield f"{len(gains)} of {calibration.asked} draws done in {calibration.seconds:.1f} s"
    yield f"largest gain of a hidden cause in each: {', '.join(f'{gain:.2f}' for gain in gains)}"
    yield f"the run gained {calibration.gain:.2f} nats; {calibration.share_at_least:.0%} of the draws at least as much"
    yield from (f"note: one draw was left out: {failure}" for failure in sorted(set(calibration.failures)))
