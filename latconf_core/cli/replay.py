"""`latconf run --project FILE --run N`: a run of a project again, and whether it gives the same."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from latconf_core.cli.terminal.cluster_options import read_scheduler
from latconf_core.cli.terminal.interrupting import hear_signals
from latconf_core.cli.terminal.keeping import keep_result
from latconf_core.control import Progress, RunControl, StopReason, StopRequested
from latconf_core.errors import OptionError
from latconf_core.whole_folders import check_folder

if TYPE_CHECKING:
    from latconf_core.formats.projects.kept_items import KeptRun
    from latconf_core.formats.projects.project_state import ProjectState
    from latconf_core.search.outcome.result import SearchResult


def replay(args: argparse.Namespace) -> int:
    """Run a kept search again on the project's data with its PAG, options and seed, and say what is different."""
    from latconf_core.report.sources import choose_run, read_state
    from latconf_core.search.outcome.repeat import find_changes

    if args.data is not None:
        raise OptionError("a run of a project has its own data; leave DATA or --project out")
    if args.out:
        check_folder(args.out)
    state = read_state(args.project)
    kept = choose_run(state, args.number, args.project)
    with hear_signals() as stop:
        try:
            result = _search_again(state, kept, RunControl(stop.is_set), args)
        except StopRequested:
            return stop.exit_code
        changes = find_changes(kept.result, result)
        told = {**result.to_json(), "run": kept.name, "identical": not changes, "changes": list(changes)}
        print(json.dumps(told) if args.json else "\n".join(_say(kept, result, changes)))
        if args.out:
            _keep(result, args)
    return stop.exit_code if result.stop_reason is StopReason.CANCELLED else 0


def _keep(result: SearchResult, args: argparse.Namespace) -> None:
    from latconf_core.formats.run_folder import run_texts, write_run

    write = partial(write_run, result, args.out, painter=args.painter)
    keep_result(write, args.out, rescue=lambda: dict(run_texts(result)), is_quiet=args.json)


def _search_again(state: ProjectState, kept: KeptRun, control: RunControl, args: argparse.Namespace) -> SearchResult:
    from latconf_core.cli.terminal.bars import ProgressBar
    from latconf_core.cli.terminal.ready import get_ready
    from latconf_core.cli.terminal.search_bar import follow_with_bar
    from latconf_core.cluster.search_place import start_search_on
    from latconf_core.formats.projects.kept_items import difference

    if state.dataset is None or difference(kept.data, state.dataset):
        reason = difference(kept.data, state.dataset) or "the project has no data"
        raise OptionError(f"{kept.name} cannot be repeated: {reason}; open the project and undo that change first")
    before = kept.result
    options = replace(before.options, workers=max(args.workers, before.options.workers))
    with ProgressBar() as bar:
        bar.show(Progress(0, None, "preparing"))
        get_ready()
        events = start_search_on(
            read_scheduler(args),
            state.dataset,
            before.pag,
            before.algorithm,
            options=options,
            control=control,
            start=before.start,
        )
        return follow_with_bar(events, bar, quiet_seconds=0.2 if sys.stderr.isatty() else 10.0)


def _say(kept: KeptRun, result: SearchResult, changes: tuple[str, ...]) -> list[str]:
    score = "no DAG was scored" if result.score is None else f"score {result.score:,.3f}"
    said = [f"{kept.name}: {score}, {len(result.history):,} DAGs scored, seed {result.seed}"]
    if not changes:
        return [*said, "identical: the same DAG, the same score and the same visits as in the project"]
    limit = kept.result.stop_reason in (StopReason.TIME_LIMIT, StopReason.CANCELLED)
    why = ["the original run was stopped by its time limit or by you, so a repeat may differ"] if limit else []
    return [*said, "not identical:", *(f"  {change}" for change in changes), *why]
