"""A seeded small share of the fuzzing; hours of it by `python -m fuzz.trial`, which says how."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from fuzz.growth import grow
from fuzz.mutations import mutate
from fuzz.odd import MAX_BYTES
from fuzz.reader import Reader
from fuzz.readers import readers
from fuzz.trial import Limits, find_failures, make_input
from latconf_core.errors import FileFormatError

TESTS = Path(__file__).resolve().parent.parent
SHORT = Limits(seconds=1.0, megabytes=50)


@pytest.mark.slow
def test_that_no_damaged_file_breaks_a_reader() -> None:
    path = os.pathsep.join([str(TESTS), str(TESTS.parent)])
    done = subprocess.run(
        [sys.executable, "-m", "fuzz.trial", "--seed", "7", "--inputs", "10"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" 0 wrong") == len(readers())


def _refuse(path: Path) -> None:
    raise FileFormatError("it is refused", path)


def _fail(path: Path) -> None:
    raise KeyError(path)


def _spin(path: Path) -> None:
    while True:
        pass


def _swell(path: Path) -> None:
    assert len(b"x" * 100_000_000) > 0


def _die(path: Path) -> None:
    os.kill(os.getpid(), 9)


@pytest.mark.parametrize(
    ("read", "says"),
    [
        (_refuse, None),
        (_fail, "KeyError"),
        (_spin, "too much processor time"),
        (_swell, "MB of memory"),
        (_die, "died by SIGKILL"),
    ],
)
def test_that_a_reader_that_breaks_is_noticed(read: object, says: str | None) -> None:
    """And the inputs after it are read all the same, by another worker."""
    reader = Reader("own", ".txt", lambda path: None if path.read_bytes() == b"good" else read(path), (b"good",))  # type: ignore[operator]
    failures = list(find_failures(reader, 1, range(3), limits=SHORT))
    assert [one.number for one in failures] == ([] if says is None else [0, 1, 2])
    assert all(says is not None and says in one.problem for one in failures)


def test_that_a_file_written_elsewhere_is_noticed(tmp_path: Path) -> None:
    reader = Reader("own", ".txt", lambda path: (tmp_path / "outside").write_text("x"), (b"ab",))
    failures = list(find_failures(reader, 1, range(2), limits=SHORT))
    assert ["beyond its place: open" in one.problem for one in failures] == [True, True]


def test_that_an_input_depends_on_its_seed_and_number_alone() -> None:
    reader = readers()[0]
    first = [make_input(reader, 1, number) for number in range(50)]
    assert [make_input(reader, 1, number) for number in range(50)] == first
    assert [make_input(reader, 2, number) for number in range(50)] != first


def test_that_no_input_is_larger_than_a_megabyte() -> None:
    rng = random.Random(1)
    assert max(len(grow(b"A,B\n1,2\n", rng)) for _ in range(10)) <= MAX_BYTES + 100
    assert len(mutate(b"x" * (MAX_BYTES + 5), rng)) <= MAX_BYTES
