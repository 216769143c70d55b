"""Command lines drawn from the parser itself: every option of a sub-command, with what it asks for or something odd.

An input is the words of one command line as JSON; wrong is any end but an answer, or a sentence and exit code 2.
"""

from __future__ import annotations

import argparse
import io
import json
import random
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache, partial
from pathlib import Path

from support.small_runs import GRAPH, confounded, small_run

from fuzz.odd import NUMBERS, ODD
from fuzz.reader import Reader
from latconf_core.cli.main import build_parser, main
from latconf_core.data.reading.write import write_dataset
from latconf_core.formats.examples import load_example
from latconf_core.formats.networks.network_json import network_text
from latconf_core.formats.run_folder import graph_text, write_run

COMMANDS = ("ask", "compare", "mags", "convert", "apply", "score", "report")  # that end by themselves, soon
HEAVY = ("--scheduler", "--tls-ca", "--tls-cert", "--tls-key", "--restarts", "--draws", "--workers", "--help")
FILES = ("data.csv", "run", "run/result.json", "asia.json", "pag.txt", "dag.txt", "odd.bin", "empty.csv", "no.csv")
NAMES = ("A", "B", "C", "L1", "asia", "smoke", "lung", "X", "")
STATES = ("no", "yes", "0", "1", "2", "3", "")
TARGETS = ("out.csv", "out.txt", "out.json", "out.bif", "out.html", "out.dot", "out", "no/out.txt", "run")


def command_readers() -> Iterator[Reader]:
    """A reader for every sub-command that is tried."""
    for command in COMMANDS:
        seed = json.dumps([command, *_plain(command)]).encode()
        yield Reader(f"command {command}", ".json", _run, (seed,), make=partial(make_command, command))


def make_command(command: str, rng: random.Random) -> bytes:
    """One command line: most of its required arguments, and any of its options, in any order."""
    options, words = [], []
    for action in actions_of(command):
        is_required = not action.option_strings or action.required
        if rng.random() > (0.97 if is_required else 0.15) or set(action.option_strings) & set(HEAVY):
            continue
        values = [_value(action, i, rng) for i in range(_number(action, rng))]
        if action.option_strings:
            options.append([rng.choice(action.option_strings), *values])
        else:
            words += values
    rng.shuffle(options)
    flat = [word for option in options for word in option]
    return json.dumps([command, *words, *flat] if rng.random() < 0.8 else [command, *flat, *words]).encode()


@cache
def actions_of(command: str) -> tuple[argparse.Action, ...]:
    """What the parser of a sub-command takes."""
    (commands,) = (each for each in build_parser()._actions if isinstance(each, argparse._SubParsersAction))
    return tuple(commands.choices[command]._actions)


def _number(action: argparse.Action, rng: random.Random) -> int:
    """How many values an argument gets."""
    if action.nargs == 0:
        return 0
    usual = action.nargs if isinstance(action.nargs, int) else 1 if action.nargs in (None, "?") else rng.randint(1, 3)
    return usual if rng.random() < 0.95 else rng.randint(0, 4)


def _value(action: argparse.Action, index: int, rng: random.Random) -> str:
    """A value of the kind that an argument asks for, as far as the parser tells; now and then of any kind."""
    metavar = action.metavar[index % len(action.metavar)] if isinstance(action.metavar, tuple) else action.metavar or ""
    kind = rng.random()
    if kind < 0.06:
        return rng.choice((*ODD, *NUMBERS)).decode("utf-8", "surrogateescape").replace("\0", "")
    if kind < 0.12:
        return rng.choice((*FILES, *NAMES, *STATES, "x" * 300))
    if action.choices is not None:
        return str(rng.choice(list(action.choices)))
    if action.dest in ("out", "target"):
        return rng.choice(TARGETS)
    if "=" in metavar:
        return "=".join((rng.choice(NAMES), ",".join(rng.choice(STATES) for _ in range(rng.choice((1, 1, 2, 3))))))
    if action.type is not None and action.type is not Path:
        return rng.choice(("0", "1", "2", "3", "0.05", "0.5", "10", "-1", "nan", "1e9"))
    return rng.choice(FILES) if metavar not in ("X", "Y", "COLUMN") else rng.choice(NAMES)


def _plain(command: str) -> tuple[str, ...]:
    """A command line that is right."""
    return {
        "ask": ("run",),
        "compare": ("pag.txt", "run"),
        "mags": ("pag.txt",),
        "convert": ("pag.txt", "out.dot"),
        "apply": ("run", "data.csv"),
        "score": ("data.csv", "--dag", "dag.txt"),
        "report": ("run",),
    }[command]


def _run(path: Path) -> object:
    """Run a command line where its files are; what it says must be what other programs rely on."""
    words = json.loads(path.read_bytes())
    _lay_out(path.parent)
    answer, told = io.StringIO(), io.StringIO()
    with redirect_stdout(answer), redirect_stderr(told):
        try:
            code: object = main(words)
        except SystemExit as end:  # how argparse refuses
            code = end.code
    if code not in (0, 2):
        raise AssertionError(f"exit code {code!r}")
    if code == 2 and not _has_sentence(told.getvalue()):
        raise AssertionError(f"no sentence says why: {told.getvalue()!r}")
    if code == 0 and "--json" in words and answer.getvalue().strip():
        json.loads(answer.getvalue())
    return code


def _has_sentence(told: str) -> bool:
    return any(len(part.strip()) > 10 for sign in ("latconf: ", ": error: ") for part in told.split(sign)[1:])


def _lay_out(folder: Path) -> None:
    """The files that command lines name, as they were."""
    for name, content in _contents():
        latent = folder / name
        latent.parent.mkdir(exist_ok=True)
        if not latent.is_file() or latent.stat().st_size != len(content):
            latent.write_bytes(content)


@cache
def _contents() -> Sequence[tuple[str, bytes]]:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as name:
        folder = Path(name)
        write_dataset(confounded(60), folder / "data.csv")
        write_run(small_run(), folder / "run")
        (folder / "asia.json").write_text(network_text(load_example("asia")))
        (folder / "pag.txt").write_text(graph_text(GRAPH))
        (folder / "dag.txt").write_text("A --> C\nB --> C\n")
        (folder / "odd.bin").write_bytes(b"\xff\x00\x80PAR1" * 9)
        (folder / "empty.csv").write_bytes(b"")
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return [(str(path.relative_to(folder)), path.read_bytes()) for path in files]
