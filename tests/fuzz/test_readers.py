"""A seeded small share of the fuzzing; hours of it by `python -m fuzz.trial`, which says how."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from fuzz.growth import grow
from fuzz.mutations import mutate
from fuzz.odd import MAX_BYTES
from fuzz.reader import Reader
from fuzz.readers import readers
from fuzz.texts import TEXT_MUTATIONS
from fuzz.trial import Totals, find_failures, make_input
from fuzz.worker import Limits
from latconf_core.errors import FileFormatError

TESTS = Path(__file__).resolve().parent.parent
SHORT = Limits(seconds=0.3, megabytes=50)


@pytest.mark.slow
def test_that_no_damaged_file_breaks_a_reader() -> None:
    """Other inputs each day, the same all day long; a failure prints its seed."""
    seed = os.environ.get("LATCONF_FUZZ_SEED", f"{datetime.now(UTC):%Y%m%d}")
    path = os.pathsep.join([str(TESTS), str(TESTS.parent)])
    done = subprocess.run(
        [sys.executable, "-m", "fuzz.trial", "--seed", seed, "--inputs", "10"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"LATCONF_FUZZ_SEED={seed}\n{done.stdout}{done.stderr}"
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
    assert [failure.number for failure in failures] == ([] if says is None else [0, 1, 2])
    assert all(says is not None and says in failure.problem for failure in failures)


def test_that_a_file_written_elsewhere_is_noticed(tmp_path: Path) -> None:
    reader = Reader("own", ".txt", lambda path: (tmp_path / "outside").write_text("x"), (b"ab",))
    failures = list(find_failures(reader, 1, range(2), limits=SHORT))
    assert ["beyond its place: open" in failure.problem for failure in failures] == [True, True]


def test_that_an_input_depends_on_its_seed_and_number_alone() -> None:
    reader = Reader("own", ".csv", _refuse, (b"A,B\n1,2\n", b'{"a": [1, 2]}'))
    first = [make_input(reader, 1, number) for number in range(50)]
    assert [make_input(reader, 1, number) for number in range(50)] == first
    assert [make_input(reader, 2, number) for number in range(50)] != first


def test_that_no_input_is_larger_than_a_megabyte() -> None:
    rng = random.Random(1)
    assert max(len(grow(b"A,B\n1,2\n", rng)) for _ in range(10)) <= MAX_BYTES + 100
    assert len(mutate(b"x" * (MAX_BYTES + 5), rng)) <= MAX_BYTES


class _Largest(random.Random):
    """Chooses whatever makes an input largest."""

    def choice(self, seq: Sequence[Any]) -> Any:
        return max(seq, key=_size)

    def randrange(self, *bounds: int) -> int:  # type: ignore[override]
        return bounds[-1] - 1


def _size(one: Any) -> int:
    if isinstance(one, re.Match):
        return -len(one.group())  # a short word stands in more places
    if isinstance(one, int):
        return one
    if callable(one):
        return 0
    return sum(map(len, one)) if isinstance(one, list) else len(one)


@pytest.mark.parametrize("change", [*TEXT_MUTATIONS, grow], ids=lambda change: change.__name__)
def test_that_no_change_makes_an_input_that_memory_cannot_hold(change: Callable[..., bytes]) -> None:
    """A word of one letter that is replaced by 70,000 others, in every line, grew to gigabytes once."""
    assert len(change(b"a,1,b,2\n" * 20_000, _Largest(1))) <= 10 * MAX_BYTES


def test_that_totals_are_written_as_the_trial_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzz.trial.BATCH", 5)
    heard: list[int] = []
    reader = Reader("own", ".txt", _refuse, (b"good",))
    assert list(find_failures(reader, 1, range(7), limits=SHORT, on_batch=heard.append)) == []
    assert heard == [5, 2]
    totals = Totals(tmp_path / "log")
    totals.add(reader, 5)
    totals.add(reader, 2)
    assert (tmp_path / "log").read_text().endswith("own: 2 more; 7 inputs in all, 0 wrong\n")


def test_that_an_error_of_the_fuzzer_itself_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bytes:
        raise MemoryError

    monkeypatch.setattr("fuzz.trial.make_input", fail)
    reader = Reader("own", ".txt", _refuse, (b"good",))
    assert ["the fuzzer itself" in failure.problem for failure in find_failures(reader, 1, range(2))] == [True, True]
