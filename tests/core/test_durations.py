"""Lengths of time as people write them, and what is none."""

from __future__ import annotations

import pytest

from latconf_core.durations import seconds_of
from latconf_core.errors import OptionError


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 90.0),
        (" 5 min ", 300.0),
        ("1 h 30 min", 5400.0),
        ("1h30m5s", 5405.0),
        ("2.5 days", 216_000.0),
        ("0", 0.0),
    ],
)
def test_that_units_are_read_and_added(text: str, seconds: float) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "x",
        "5 min x",
        "-1",
        "1,5 s",
        "1²",
        "9" * 400,
        "9" * 5000 + " d",
        " " * 500_000 + "x",
        "1 " * 200_000 + "x",
    ],
)
def test_that_what_is_none_is_refused_in_a_short_sentence_and_no_time(text: str) -> None:
    """Blanks before a wrong letter took minutes: each was the start of another look at all the rest."""
    with pytest.raises(OptionError, match="is no length of time") as refused:
        seconds_of(text)
    assert len(str(refused.value)) < 200
