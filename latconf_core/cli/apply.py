"""`latconf apply`: what a model says of the rows of a table."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from latconf_core.cli.terminal.arguments import ExamplesFormatter, add_cell_options, read_raw

if TYPE_CHECKING:
    from latconf_core.inference.applying import Applied

EXAMPLES = """examples:
  latconf apply results/asia new-patients.csv --out posteriors.csv
  latconf apply model.bif table.csv --json"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "apply",
        help="apply a model to new rows: log-likelihood and posteriors of hidden causes",
        description=(
            "Compute the log-likelihood of every row of a table and the posterior of every hidden cause in it. "
            "Missing cells, states unknown to the model and variables absent from the table are summed out; "
            "other columns are ignored."
        ),
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    parser.add_argument(
        "model",
        metavar="MODEL",
        help="the folder of a run, a project, a network (.bif, .xdsl, .net, .xmlbif, .json) or the name of an example",
    )
    parser.add_argument("table", metavar="TABLE", type=Path, help="the table to apply the model to")
    parser.add_argument(
        "--out",
        metavar="CSV",
        type=Path,
        help="write each row's log-likelihood and the probability of every state of every hidden cause",
    )
    add_cell_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Apply the model, write the rows, and print the sums."""
    from latconf_core.cli.terminal.bars import make_bar
    from latconf_core.files import check_writable
    from latconf_core.formats.applied_rows import write_applied_rows
    from latconf_core.formats.projects.applied_models import read_applied_model
    from latconf_core.inference.applying import apply_network

    if args.out is not None:
        check_writable(args.out)
    network = read_applied_model(args.model)
    with make_bar() as bar:
        raw, preparation = read_raw(args.table, args, on_progress=bar.show)
        applied = apply_network(network, raw, preparation=preparation, on_progress=bar.show)
        if args.out is not None:
            write_applied_rows(applied, args.out, on_progress=bar.show)
    content = {"model": args.model, "table": str(args.table), **applied.to_json()}
    if args.out is not None:
        content["out"] = str(args.out)
    print(json.dumps(content) if args.json else "\n".join(_text(applied)))
    if args.out is not None and not args.json:
        print(f"the rows are in {args.out}", file=sys.stderr)
    return 0


def _text(applied: Applied) -> Iterator[str]:
    from latconf_core.wording.applied_sentences import applied_sentences

    yield from applied_sentences(applied)
