"""`latconf cuts`: whether the claims and edges of a run survive other cut points."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import TYPE_CHECKING

from latconf_core.cli.terminal.arguments import ExamplesFormatter, add_table_options, positive, read_choices
from latconf_core.cli.terminal.interrupting import hear_signals
from latconf_core.cli.terminal.run_source import add_run_with_data, pag_source
from latconf_core.control import RunControl, StopReason

if TYPE_CHECKING:
    from latconf_core.search.outcome.result import SearchResult
    from latconf_core.stability.other_cuts import OtherCuts

EXAMPLES = """examples:
  latconf cuts results data.csv --discretise age=equal-width:4 income=k-means:3
  latconf cuts results data.csv --discretise age=cut-points:18,65 --workers 2 --json"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "cuts",
        help="test whether a run survives other cut points",
        description=(
            "Discretise columns of numbers with other cut points (equal width, equal frequency, one interval "
            "more, one fewer), repeat the search on each table, and report which hidden causes and edges of the "
            "run are recovered. Give the same table options as for the run. The results are saved in the run "
            "folder. Ctrl-C keeps the finished tables and exits with 130."
        ),
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    add_run_with_data(parser)
    parser.add_argument(
        "--workers",
        type=positive,
        default=1,
        metavar="N",
        help="tables searched at a time, each in a separate process (default: 1)",
    )
    add_table_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Cut, search, write what was found, and say it."""
    from latconf_core.formats.run_folder import read_run, write_other_cuts
    from latconf_core.stability.other_cuts import survival_of
    from latconf_core.wording.cut_sentences import cut_lines

    result = read_run(args.result)
    with hear_signals() as stop:
        cuts = _search_cuttings(args, result, RunControl(stop.is_set))
        if cuts.outcomes:
            write_other_cuts(args.result, cuts.outcomes)
    known = replace(result, other_cuts=cuts.outcomes)
    survival = survival_of(known)
    if args.json:
        told = {} if survival is None else survival.to_json()
        print(json.dumps({**told, "seconds": cuts.seconds, "asked": cuts.asked, "stop_reason": cuts.stop_reason.value}))
    else:
        lines = cut_lines(known) if cuts.outcomes else ["No table was searched, so there is no result."]
        print("\n".join(lines))
    return stop.exit_code if cuts.stop_reason is StopReason.CANCELLED else 0


def _search_cuttings(args: argparse.Namespace, result: SearchResult, control: RunControl) -> OtherCuts:
    from latconf_core.cli.terminal.bars import ProgressBar
    from latconf_core.cli.terminal.ready import get_ready
    from latconf_core.data.preparing.other_cuttings import other_cuttings
    from latconf_core.stability.other_cuts import OtherCutsFinished, start_other_cuts
    from latconf_core.stability.repeats import RepeatProgress

    raw, preparation = read_choices(args.data, args)
    cuttings = other_cuttings(raw, preparation, result.dataset_digest, control=control)
    pag, learner = pag_source(args.result, result)
    with ProgressBar() as bar:
        events = start_other_cuts(result, cuttings, pag=pag, learner=learner, control=control, n_workers=args.workers)
        if args.workers == 1:
            get_ready()
        progress = RepeatProgress("cutting")
        for event in events:
            if isinstance(event, OtherCutsFinished):
                return event.cuts
            bar.show(progress.see(event))
    raise AssertionError("the searches end with what they found")
