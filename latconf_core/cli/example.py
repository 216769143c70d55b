"""`latconf example`: an example from end to end, without a window."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from latconf_core.cli.sample import hidden_sentences
from latconf_core.cli.terminal.arguments import ExamplesFormatter, positive, seed
from latconf_core.errors import FileFormatError

if TYPE_CHECKING:
    from latconf_core.data.sampling import Sample
    from latconf_core.formats.examples import Example
    from latconf_core.formats.measured_examples import MeasuredExample

DEFAULT_ROWS = 10_000
DEFAULT_SEED = 1
EXAMPLES = """examples:
  latconf example                          list the examples
  latconf example asia --out results/asia  draw its data and describe them
  latconf example votes                    write a measured table and what is known about it"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "example",
        help="list the examples, or run one without a window",
        description="Draw data from an example network with a common cause hidden, describe the data, and write "
        "data.csv, network.bif (the truth) and description.txt. Of a measured table, write data.csv, the columns that "
        "are held back as held-back.csv, the experts' graph as graph.json where there is one, and description.txt.",
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="the example; without it the examples are listed")
    parser.add_argument(
        "--rows",
        type=positive,
        default=DEFAULT_ROWS,
        metavar="N",
        help=f"rows to draw (default {DEFAULT_ROWS:,}); a measured table has its own",
    )
    parser.add_argument("--seed", type=seed, default=DEFAULT_SEED, metavar="S", help=f"seed (default {DEFAULT_SEED})")
    parser.add_argument("--out", metavar="DIR", help="folder of the results (default results/NAME)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the examples, or run one and say where its results are."""
    from latconf_core.formats.examples import example, examples
    from latconf_core.formats.measured_examples import is_measured, measured_example, measured_examples

    if args.name is None:
        print(as_list(examples(), measured_examples(), as_json=args.json))
        return 0
    folder = Path(args.out or Path("results") / args.name)
    if is_measured(args.name):
        text = write_measured(measured_example(args.name), folder)
    else:
        text = run_example(example(args.name), folder, n_rows=args.rows, rng_seed=args.seed)
    print(json.dumps({"example": args.name, "out": str(folder), "description": text}) if args.json else text)
    return 0


def as_list(networks: Sequence[Example], tables: Sequence[MeasuredExample], *, as_json: bool) -> str:
    """The examples, one per line or as JSON."""
    if as_json:
        known = {"examples": [vars(each) for each in networks], "measured": [vars(each) for each in tables]}
        return json.dumps(known)
    width = max(len(name) for name in [*(each.name for each in networks), *(each.name for each in tables)])
    drawn = [f"{each.name:<{width}}  {each.description}" for each in networks]
    return "\n".join([*drawn, *(f"{each.name:<{width}}  {each.title}: measured" for each in tables)])


def write_measured(chosen: MeasuredExample, folder: Path) -> str:
    """Write a measured table, what is held back from a search, and what is known about it; the description."""
    from latconf_core.data.describe import describe
    from latconf_core.data.reading.write import write_dataset
    from latconf_core.files import write_text_atomically
    from latconf_core.formats.graphs.registry import write_dag
    from latconf_core.formats.measured_examples import load_measured

    table = load_measured(chosen.name)
    make_folder(folder)
    write_dataset(table.dataset, folder / "data.csv")
    if table.held:
        write_dataset(table.held_data, folder / "held-back.csv")
    if table.believed_graph is not None:
        write_dag(table.believed_graph, folder / "graph.json")
    lines = [f"{chosen.title}: {chosen.known}", f"Source: {chosen.source}. Licence: {chosen.licence}."]
    lines += [f"Held back: {', '.join(chosen.hide)}."] if chosen.hide else []
    text = "\n".join([*lines, "", describe(table.dataset)])
    write_text_atomically(folder / "description.txt", text + "\n")
    return text


def run_example(chosen: Example, folder: Path, *, n_rows: int, rng_seed: int) -> str:
    """Draw, describe and write an example; the description."""
    import numpy as np

    from latconf_core.cli.terminal.bars import ProgressBar
    from latconf_core.control import Progress
    from latconf_core.data.reading.write import write_dataset
    from latconf_core.data.sampling import sample
    from latconf_core.files import write_text_atomically
    from latconf_core.formats.examples import load_example
    from latconf_core.formats.networks.bif_text import write_bif
    from latconf_core.phrases import counted

    rng = np.random.default_rng(rng_seed)
    make_folder(folder)
    with ProgressBar() as bar:
        bar.show(Progress(0, 3, f"drawing {counted(n_rows, 'row')} of {chosen.title}"))
        drawn = sample(load_example(chosen.name), n_rows, rng=rng, hide=[chosen.hide])
        bar.show(Progress(1, 3, "writing data.csv and network.bif"))
        write_dataset(drawn.dataset, folder / "data.csv")
        write_bif(drawn.network, folder / "network.bif", comments=[f"Source: {chosen.source}."])
        bar.show(Progress(2, 3, "describing the data"))
        text = description(chosen, drawn, rng_seed)
        write_text_atomically(folder / "description.txt", text + "\n")
        bar.show(Progress(3, 3, "done"))
    return text


def description(chosen: Example, drawn: Sample, rng_seed: int) -> str:
    """The example, what is hidden in it, and its data, in words."""
    from latconf_core.data.describe import describe

    lines = [f"{chosen.title}: {chosen.description}", f"Source: {chosen.source}."]
    lines += [f"Hidden: {sentence}." for sentence in hidden_sentences(drawn)]
    return "\n".join([*lines, f"Seed {rng_seed}.", "", describe(drawn.dataset)])


def make_folder(folder: Path) -> None:
    """Make the folder of the results, or say why that cannot be done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileFormatError(f"the folder cannot be made: {error.strerror}", folder) from None
