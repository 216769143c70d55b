"""`latconf example`: an example from end to end, without a window."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from latconf_core.cli.sample import hidden_sentences
from latconf_core.cli.terminal.arguments import ExamplesFormatter, positive, seed
from latconf_core.errors import FileFormatError

if TYPE_CHECKING:
    from latconf_core.data.sampling import Sample
    from latconf_core.formats.examples import Example

DEFAULT_ROWS = 10_000
DEFAULT_SEED = 1
EXAMPLES = """examples:
  latconf example                          list the examples
  latconf example asia --out results/asia  draw its data and describe them"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "example",
        help="list the examples, or run one without a window",
        description="Draw data from an example network with a common cause hidden, describe the data, and write "
        "data.csv, network.bif (the truth) and description.txt.",
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="the example; without it the examples are listed")
    parser.add_argument(
        "--rows", type=positive, default=DEFAULT_ROWS, metavar="N", help=f"rows (default {DEFAULT_ROWS:,})"
    )
    parser.add_argument("--seed", type=seed, default=DEFAULT_SEED, metavar="S", help=f"seed (default {DEFAULT_SEED})")
    parser.add_argument("--out", metavar="DIR", help="folder of the results (default results/NAME)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the examples, or run one and say where its results are."""
    from latconf_core.formats.examples import example, examples

    if args.name is None:
        print(as_list(examples(), as_json=args.json))
        return 0
    chosen = example(args.name)
    folder = Path(args.out or Path("results") / chosen.name)
    text = run_example(chosen, folder, n_rows=args.rows, rng_seed=args.seed)
    print(json.dumps({"example": chosen.name, "out": str(folder), "description": text}) if args.json else text)
    return 0


def as_list(known: tuple[Example, ...], *, as_json: bool) -> str:
    """The examples, one a line or as JSON."""
    if as_json:
        return json.dumps({"examples": [vars(one) for one in known]})
    width = max(len(one.name) for one in known)
    return "\n".join(f"{one.name:<{width}}  {one.description}" for one in known)


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
