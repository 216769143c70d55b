"""`latconf compare`: graphs against a reference or a truth, and what each difference is worth."""

from __future__ import annotations

import argparse
import json
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from latconf_core.cli.terminal.arguments import ExamplesFormatter, seed
from latconf_core.errors import OptionError
from latconf_core.families.objectives import JUDGING, OBJECTIVES, Objective
from latconf_core.files import is_there

if TYPE_CHECKING:
    from latconf_core.comparison.compare import PairComparison
    from latconf_core.comparison.metrics import Agreement
    from latconf_core.data.dataset import Dataset
    from latconf_core.score.scorer import Scorer

EXAMPLES = """examples:
  latconf compare fci.txt gfci.txt
  latconf compare results/asia --truth asia
  latconf compare first.json second.json --data asia.csv --json"""
VIEWS = {"given": "as given", "dag": "DAG", "mag": "MAG", "pag": "PAG"}


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "compare",
        help="compare graphs with each other or with the truth",
        description="Each graph after the first is compared with the first, the reference; with --truth each with the "
        "truth. A graph is a file of any graph format, a network (.bif, .xdsl, .net, .xmlbif), or the folder of a run.",
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    parser.add_argument("graphs", metavar="GRAPH", type=Path, nargs="+", help="graphs to compare, the reference first")
    parser.add_argument("--data", type=Path, help="score DAGs on this table and show what each difference is worth")
    parser.add_argument(
        "--objective", choices=tuple(OBJECTIVES), default=JUDGING.name, help="of the scores; default: %(default)s"
    )
    parser.add_argument("--truth", metavar="NETWORK|GRAPH", help="the true graph, or the name of an example")
    parser.add_argument("--as", dest="view", choices=VIEWS, help="compare as DAGs, MAGs or PAGs instead of by kind")
    parser.add_argument("--seed", metavar="S", type=seed, default=0, help="of the scores; default: %(default)s")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compare, and print the measures and differences of each pair."""
    from latconf_core.comparison.compare import compare_all
    from latconf_core.formats.compared_files import read_compared, read_truth, to_subject, variables_of

    if len(args.graphs) < 2 and args.truth is None:
        raise OptionError("there is only one graph; give a second one, or the truth with --truth")
    dataset = _read_data(args.data)
    names = None if dataset is None else dataset.names
    files = [read_compared(path, nodes=names) for path in args.graphs]
    variables = variables_of(files) if names is None else names
    subjects = [to_subject(compared_file, variables) for compared_file in files]
    truth = None if args.truth is None else to_subject(read_truth(args.truth), variables, is_truth=True)
    view = None if args.view is None else VIEWS[args.view]
    scorer = _make_scorer(dataset, args.seed, OBJECTIVES[args.objective])
    kept = {} if scorer is None else _reported_scores(args.graphs, scorer)
    pairs = compare_all(subjects, truth=truth, scorer=scorer, view=view, kept=kept)  # type: ignore[arg-type]
    if args.json:
        print(
            json.dumps({"graphs": [subject.name for subject in subjects], "pairs": [pair.to_json() for pair in pairs]})
        )
    else:
        print("\n\n".join("\n".join(_text(pair)) for pair in pairs))
    return 0


def _read_data(path: Path | None) -> Dataset | None:
    from latconf_core.data.reading.load import load_dataset

    return None if path is None else load_dataset(path).dataset


def _make_scorer(dataset: Dataset | None, seed: int, objective: Objective) -> Scorer | None:
    from latconf_core.inference.completing.em_rounds import rows_to_score
    from latconf_core.options.scoring import VbemOptions
    from latconf_core.score.scorer import Scorer

    if dataset is None:
        return None
    return Scorer(rows_to_score(dataset, seed=seed), objective.apply(VbemOptions(seed=seed)))


def _reported_scores(graphs: Sequence[Path], scorer: Scorer) -> dict[Hashable, float]:
    """What the runs among the graphs have reported of their best DAGs, on the same data."""
    from latconf_core.comparison.parts import kept_scores
    from latconf_core.formats.run_folder import HISTORY, read_run

    return kept_scores([read_run(path) for path in graphs if is_there(path / HISTORY)], scorer)


def _text(pair: PairComparison) -> Iterator[str]:
    from latconf_core.wording.comparison_sentences import describe_pair

    yield describe_pair(pair)
    numbers = pair.metrics
    yield f"  compared {'as they are' if pair.view == 'as given' else f'by their {pair.view}s'}, {pair.a} as the truth"
    for title, agreement in (
        ("adjacencies", numbers.adjacency),
        ("arrowheads", numbers.arrowhead),
        ("arrowheads on common edges", numbers.arrowhead_on_common),
        ("<->", numbers.bidirected),
    ):
        yield f"  {title:<27} {_rates(agreement)}"
    yield f"  {'SHD':<27} {numbers.shd}"
    yield f"  {'BSF, skeleton and half':<27} {_number(numbers.bsf_skeleton)} and {_number(numbers.bsf_half)}"
    for edge in pair.edges:
        yield f"  {edge.kind}: {' / '.join(str(one_side) for one_side in (edge.a, edge.b) if one_side is not None)}"
    for match in numbers.latents:
        matched = f"{match.found} over {', '.join(match.found_children)}" if match.found else "not found"
        yield f"  latent {match.truth} over {', '.join(match.children)}: {matched}"
    if pair.parts is not None:
        yield from _parts(pair)


def _parts(pair: PairComparison) -> Sequence[str]:
    rows = [f"  {', '.join(part.variables)}: {part.difference:+.2f} nats" for part in pair.parts or ()]
    return ["  score of each difference, B minus A:", *("  " + row for row in rows)] if rows else []


def _rates(agreement: Agreement) -> str:
    rates = (agreement.precision, agreement.recall, agreement.f1)
    shown = " ".join(f"{name} {_number(value)}" for name, value in zip(("precision", "recall", "F1"), rates))
    return f"{shown}  ({agreement.right} right, {agreement.wrong} wrong, {agreement.missed} missed)"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
