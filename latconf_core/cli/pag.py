"""`latconf pag`: learn a PAG from data, or from the d-separations of a DAG with latents."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from latconf_core.cli.terminal.arguments import ExamplesFormatter, add_table_options, described, load_data, natural
from latconf_core.cli.terminal.knowledge_option import add_knowledge_option, read_knowledge_option
from latconf_core.errors import OptionError
from latconf_core.json_form import encode
from latconf_core.options.learning import PAG_PRESETS, PRESET_NOTES, PagOptions, pag_preset

if TYPE_CHECKING:
    from latconf_core.knowledge.knowledge import Knowledge
    from latconf_core.pag.events import LearnedPag
    from latconf_core.pag.learners.catalogue import Source

EXAMPLES = """examples:
  latconf pag data.csv --method gfci --out pag.txt
  latconf pag data.csv --method fci --preset paper-fci --alpha 0.01
  latconf pag --oracle dag.json --method rfci"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    from latconf_core.independence.catalogue import INDEPENDENCE_TESTS
    from latconf_core.pag.learners.catalogue import LEARNERS

    parser = commands.add_parser(
        "pag",
        help="learn a PAG from data",
        description=(
            "Learn a partial ancestral graph from discrete data or, with --oracle, from the d-separations of a "
            "DAG with latents (infinite data)."
        ),
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("data", nargs="?", type=Path, metavar="DATA", help="table of discrete data")
    source.add_argument("--oracle", nargs="+", type=Path, metavar="DAG", help="DAGs with latents, instead of data")
    parser.add_argument(
        "--method", choices=tuple(LEARNERS), help=f"{described(LEARNERS)} Default: fci, or what the preset says"
    )
    notes = " ".join(f"{name}: {note}" for name, note in PRESET_NOTES.items())
    parser.add_argument("--preset", choices=tuple(PAG_PRESETS), default="default", help=f"{notes} Default: %(default)s")
    parser.add_argument(
        "--statistic",
        choices=tuple(INDEPENDENCE_TESTS),
        help=f"{described(INDEPENDENCE_TESTS)} Default: g-square, or what the preset says",
    )
    parser.add_argument("--alpha", type=float, help="significance level of the tests (default: 0.05)")
    parser.add_argument("--max-conditioning", type=natural, metavar="N", help="largest conditioning set")
    add_knowledge_option(parser)
    parser.add_argument("--out", type=Path, metavar="PAG", help="write the graph; the extension determines the format")
    add_table_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Learn from every source in the order given."""
    from latconf_core.formats.graphs.registry import check_graph_file, write_graph
    from latconf_core.pag.learners.catalogue import check_takes_oracle, find_learner

    options = _options(args)
    if args.out is not None and args.oracle and len(args.oracle) > 1:
        raise OptionError(f"--out takes one graph, but {len(args.oracle)} DAGs are given; give one at a time")
    if args.oracle:
        check_takes_oracle(find_learner(options.method))
    if args.out is not None:
        check_graph_file(args.out)  # before what may take long
    knowledge = read_knowledge_option(args)
    learned = ((str(path), _learn(source, options, knowledge)) for path, source in _sources(args))
    last: LearnedPag | None = None
    if args.json:
        results = list(learned)
        print(json.dumps({"pags": [_as_json(path, result) for path, result in results]}), flush=True)
        *_, (_, last) = results
    else:
        for path, last in learned:
            print("\n".join(_as_text(path, last)), flush=True)
    if args.out is not None and last is not None:
        write_graph(last.graph, args.out)
    return 0


def _options(args: argparse.Namespace) -> PagOptions:
    from latconf_core.pag.learners.catalogue import find_learner

    given = {name: getattr(args, name) for name in ("statistic", "alpha", "max_conditioning")}
    said = {name: value for name, value in given.items() if value is not None}
    options = pag_preset(args.preset, args.method)
    learner = find_learner(options.method)
    for name in said:
        if name not in learner.options:
            raise OptionError(f"{learner.title} does not use --{name.replace('_', '-')}; leave it out")
    return replace(options, **said)


def _sources(args: argparse.Namespace) -> Iterator[tuple[Path, Source]]:
    if args.oracle:
        from latconf_core.formats.graphs.registry import read_dag
        from latconf_core.independence.oracle import DSeparationOracle

        for path in args.oracle:
            yield path, DSeparationOracle(read_dag(path))
    else:
        yield args.data, load_data(args.data, args)


def _learn(source: Source, options: PagOptions, knowledge: Knowledge) -> LearnedPag:
    from latconf_core.cli.terminal.bars import ProgressBar
    from latconf_core.control import Progress
    from latconf_core.data.dataset import Dataset
    from latconf_core.inference.completing.learned_rows import learn_from_rows
    from latconf_core.pag.events import PagLearned

    result: LearnedPag | None = None
    is_data = isinstance(source, Dataset)  # an oracle answers at once
    with ProgressBar() as bar:
        for event in learn_from_rows(source, options, knowledge=knowledge):
            if is_data and isinstance(event, Progress):
                bar.show(event)
            elif isinstance(event, PagLearned):
                result = event.result
    assert result is not None, "a learning run ends with its result"
    return result


def _as_json(path: str, learned_pag: LearnedPag) -> dict[str, object]:
    from latconf_core.pag.validity import check_pag

    return {
        "source": path,
        "method": learned_pag.options.method,
        "nodes": list(learned_pag.graph.nodes),
        "edges": [[edge.first, edge.arrow, edge.second] for edge in learned_pag.graph.edges()],
        "valid": check_pag(learned_pag.graph).valid,
        "tests": learned_pag.n_tests,
        "truncated": learned_pag.truncated,
        "notes": list(learned_pag.notes),
        "conflicts": list(learned_pag.conflicts),
        "knowledge_conflicts": [encode(conflict) for conflict in learned_pag.knowledge_conflicts],
        "seconds": learned_pag.seconds,
    }


def _as_text(path: str, learned: LearnedPag) -> Iterator[str]:
    from latconf_core.pag.validity import check_pag
    from latconf_core.wording.knowledge_sentences import conflict_sentence

    check = check_pag(learned.graph)
    yield (
        f"{path}: {learned.options.method}, {len(learned.graph.nodes)} variables, {learned.graph.n_edges} edges, "
        f"{learned.n_tests} tests, {learned.seconds:.2f} s"
    )
    for edge in learned.graph.edges():
        yield f"  {edge}"
    for reason in check.reasons:
        yield f"not a valid PAG: {reason.sentence}"
    for note in learned.notes:
        yield f"note: {note}"
    for conflict in learned.conflicts:
        yield f"contradiction: {conflict}"
    for apart in learned.knowledge_conflicts:
        yield f"contradiction: {conflict_sentence(apart)}"
