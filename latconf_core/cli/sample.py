"""`latconf sample`: data drawn from a network, with some of its variables hidden."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from latconf_core.cli.terminal.arguments import ExamplesFormatter, positive, seed
from latconf_core.files import has_file

if TYPE_CHECKING:
    from latconf_core.dag.bayes_net import BayesNet
    from latconf_core.data.sampling import Sample

EXAMPLES = """examples:
  latconf sample asia --rows 10000 --hide smoke --out asia.csv
  latconf sample my-network.bif --rows 500 --seed 7 --out data.arff --truth truth.bif"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "sample",
        help="draw data from a Bayesian network, hiding any variables",
        description=(
            "Draw rows from a Bayesian network. Hidden variables are drawn and then dropped, so the same seed "
            "gives the same values whichever variables are hidden."
        ),
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    parser.add_argument("network", metavar="NETWORK", help="a BIF file, or the name of an example such as asia")
    parser.add_argument("--rows", type=positive, required=True, metavar="N", help="number of rows")
    parser.add_argument("--hide", nargs="+", default=[], metavar="NAME", help="variables to leave out of the data")
    parser.add_argument("--seed", type=seed, default=0, metavar="S", help="seed of the random numbers (default 0)")
    parser.add_argument(
        "--out", required=True, metavar="DATA", help="the file to write; its extension determines the format (.csv, …)"
    )
    parser.add_argument("--truth", metavar="BIF", help="also write the true network, with its hidden variables marked")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Draw, write, and say what was written."""
    import numpy as np

    from latconf_core.data.reading.write import write_dataset
    from latconf_core.data.sampling import sample
    from latconf_core.formats.networks.registry import write_network

    rng = np.random.default_rng(args.seed)
    drawn = sample(load_network(args.network), args.rows, rng=rng, hide=args.hide)
    write_dataset(drawn.dataset, args.out)
    if args.truth:
        write_network(drawn.network, args.truth)
    print(json.dumps(as_json(drawn, args)) if args.json else as_text(drawn, args.out))
    return 0


def load_network(text: str) -> BayesNet:
    """The network of a file, or the example of this name where there is no such file."""
    from latconf_core.formats.examples import load_named_example
    from latconf_core.formats.networks.registry import read_network

    return read_network(text) if has_file(Path(text)) else load_named_example(text)


def as_json(drawn: Sample, args: argparse.Namespace) -> dict[str, object]:
    """What was drawn, and the truth behind it."""
    truth = drawn.truth
    return {
        "out": args.out,
        "rows": drawn.dataset.n_rows,
        "seed": args.seed,
        "variables": list(drawn.dataset.names),
        "hidden": list(drawn.hidden_columns.names),
        "edges": [list(edge) for edge in truth.edges],
        "latents": [
            {"name": latent.name, "states": latent.n_states, "children": list(latent.children)}
            for latent in truth.latents
        ],
    }


def as_text(drawn: Sample, out: str) -> str:
    """What was drawn, in words."""
    from latconf_core.phrases import counted

    data = drawn.dataset
    lines = [f"{counted(data.n_rows, 'row')} of {counted(data.n_variables, 'variable')} written to {out}"]
    lines += [f"hidden: {sentence}" for sentence in hidden_sentences(drawn)]
    return "\n".join(lines)


def hidden_sentences(drawn: Sample) -> list[str]:
    """For every hidden variable, what it does to the visible ones."""
    children = {latent.name: latent.children for latent in drawn.truth.latents}
    return [
        f"{name}, a common cause of {', '.join(children[name])}"
        if name in children
        else f"{name}, not a common cause of two visible variables"
        for name in drawn.hidden_columns.names
    ]
