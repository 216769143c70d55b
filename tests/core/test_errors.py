"""Errors: one family, and a place in every message about a file."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from latconf_core.errors import DataError, FileFormatError, GraphError, LatconfError, OptionError


@pytest.mark.parametrize("kind", [DataError, GraphError, OptionError, FileFormatError])
def test_that_every_kind_is_bad_input(kind: type[Exception]) -> None:
    assert issubclass(kind, LatconfError)


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (FileFormatError("two names"), "two names"),
        (FileFormatError("two names", "/a/b.csv"), "b.csv: two names"),
        (FileFormatError("two names", Path("b.csv"), 3), "b.csv, line 3: two names"),
        (FileFormatError("two names", line=3), "line 3: two names"),
    ],
)
def test_that_the_place_comes_first(error: FileFormatError, message: str) -> None:
    assert str(error) == message
    assert error.problem == "two names"


def test_that_a_file_error_survives_pickling() -> None:
    again = pickle.loads(pickle.dumps(FileFormatError("two names", "b.csv", 3)))
    assert str(again) == "b.csv, line 3: two names"
    assert (again.path, again.line) == (Path("b.csv"), 3)
