from __future__ import annotations

import errno

import pytest

from latconf_core.errors import DataError, FileFormatError, GraphError, OptionError
from latconf_gui.application.messages import diagnostics, explain


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (FileFormatError("3 cells where 2 are expected", "a.csv", 7), "a.csv, line 7: 3 cells where 2 are expected."),
        (DataError("column 'Age' has 812 states; discretise it first"), "column 'Age' has 812 states"),
        (GraphError("the graph has a cycle"), "the graph has a cycle."),
        (OptionError("alpha is 2; it must lie between 0 and 1"), "alpha is 2"),
        (FileNotFoundError(errno.ENOENT, "x", "/a/b.csv"), "The file '/a/b.csv' does not exist."),
        (PermissionError(errno.EACCES, "x", "/a/b.csv"), "You may not read or write '/a/b.csv'."),
        (OSError(errno.ENOSPC, "No space left on device", "/a"), "No space left on device"),
        (MemoryError(), "There is not enough memory"),
    ],
)
def test_that_a_known_error_is_a_sentence_with_a_remedy_and_no_details_where_the_user_can_mend_it(
    error: Exception, what: str
) -> None:
    message = explain(error, "Opening a.csv")
    assert what in message.what
    assert message.what.endswith(".")
    assert message.remedy
    assert message.where == "Opening a.csv"
    assert "Traceback" not in message.what + message.remedy


def test_that_an_unknown_error_keeps_its_traceback_in_the_details() -> None:
    try:
        {}["x"]
    except KeyError as error:
        message = explain(error, "The window")
    assert "KeyError" in message.what
    assert "Traceback" in message.details
    assert "copy the diagnostics" in message.remedy


def test_that_diagnostics_hold_versions_problems_and_the_log() -> None:
    text = diagnostics([explain("opening only one file", "Drop")], "the last line")
    assert "Python 3." in text
    assert "numpy " in text
    assert "opening only one file" in text
    assert "the last line" in text
