"""`latconf report`: a result as one HTML file to read, print and hand on."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from latconf_core.cli.terminal.arguments import ExamplesFormatter, positive
from latconf_core.files import check_writable, has_folder

if TYPE_CHECKING:
    from latconf_core.report.contents import ReportContents

EXAMPLES = """examples:
  latconf report results/asia --out asia.html
  latconf report survey.latconf --run 2 --truth truth.bif"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "report",
        help="write a result as one HTML file: model, evidence, chart, data, methods",
        description=(
            "Write everything about one run to a single file that opens in any browser, prints well and loads "
            "nothing from the network."
        ),
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    parser.add_argument("source", type=Path, metavar="RESULT", help="a run folder, its result.json, or a project")
    parser.add_argument(
        "--run", dest="number", type=positive, metavar="N", help="number of the run in a project, from 1"
    )
    parser.add_argument("--truth", metavar="NETWORK|GRAPH", help="the true graph: a file or the name of an example")
    parser.add_argument("--out", type=Path, metavar="FILE", help="output file (default: report.html beside the result)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the report, and say where."""
    from latconf_core.report.render import write_report
    from latconf_core.report.sources import read_contents

    out = args.out or _default_place(args.source)
    check_writable(out)
    contents = read_contents(args.source, run=args.number)
    if args.truth is not None:
        contents = _with_truth(contents, args.truth)
    write_report(contents, out, painter=args.painter)
    told = {"out": str(out), "title": contents.title}
    print(json.dumps(told) if args.json else f"{contents.title}: report written to {out}")
    return 0


def _default_place(source: Path) -> Path:
    from latconf_core.formats.run_folder import REPORT

    return source / REPORT if has_folder(source) else source.with_name(f"{source.stem}-{REPORT}")


def _with_truth(contents: ReportContents, text: str) -> ReportContents:
    from latconf_core.formats.compared_files import read_truth, to_subject

    return replace(contents, truth=to_subject(read_truth(text), contents.result.history.nodes, is_truth=True).content)
