"""The readers of words: what people write on the command line and in fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from fuzz.reader import Reader
from latconf_core.bench.bench_data import parse_example
from latconf_core.cli.terminal.arguments import parse_rule
from latconf_core.cluster.scheduler import Scheduler
from latconf_core.errors import LatconfError
from latconf_core.formats.examples import load_example, load_named_example
from latconf_core.graph.marks import Edge
from latconf_core.inference.question import parse_evidence
from latconf_core.phrases import seconds_of
from latconf_core.teaching.claims import SeparationClaim


def word_readers() -> Iterator[Reader]:
    """Evidence, rules of discretisation, examples, lengths of time, addresses, edges and separations."""
    network = load_example("asia")
    yield _words("evidence", lambda text: parse_evidence([text], network), b"smoke=yes", b"lung=no")
    yield _words("rule", parse_rule, b"age=equal-width:4", b"a=cut-points:1,2.5", b"x=y=equal-frequency:3")
    yield _words("example", _example, b"asia_smoke+lung_1000", b"asia")
    yield _words("duration", seconds_of, b"1 h 30 min", b"90", b"2.5 d")
    yield _words("scheduler", Scheduler, b"tcp://10.0.0.1:8786", b"tls://[::1]:80")
    yield _words("edge", _said(Edge.parse), b"A o-> B", b"x --> y")
    yield _words("separation", _said(SeparationClaim.parse), b"A, C | B, D", b"A, B")


def _words(name: str, parse: Callable[[str], object], *seeds: bytes) -> Reader:
    return Reader(f"words {name}", ".txt", lambda path: parse(_text(path)), seeds)


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def _example(text: str) -> object:
    """As `latconf bench` and `latconf sample` do with what is no file."""
    return parse_example(text) or load_named_example(text)


def _said(parse: Callable[[str], object]) -> Callable[[str], object]:
    """As the reader of lessons, which makes a sentence of a ValueError."""

    def read(text: str) -> object:
        try:
            return parse(text)
        except ValueError as error:
            raise LatconfError(str(error)) from None

    return read
