"""Names and numbers as sentences give them, and lengths of time as people write them."""

from __future__ import annotations

import numpy as np
import pytest

from latconf_core.errors import OptionError
from latconf_core.phrases import (
    counted,
    duration,
    first_upper,
    list_names,
    nats,
    number_text,
    p_text,
    percent,
    rough_duration,
    seconds_of,
    show_controls,
    show_unprintable,
)


def test_that_names_are_listed_as_one_speaks() -> None:
    assert [list_names("ABC"[:n]) for n in range(4)] == ["nothing", "A", "A and B", "A, B and C"]
    assert list_names(("A", "B", "C"), "or") == "A, B or C"


def test_that_a_long_list_names_the_first_and_counts_the_rest() -> None:
    assert [list_names("ABCDE"[:n], most=3) for n in (2, 3, 4, 5)] == [
        "A and B",
        "A, B and C",
        "A, B and 2 more",
        "A, B and 3 more",
    ]


def test_that_numbers_have_thousands_apart_and_a_proper_minus() -> None:
    assert (counted(1, "DAG"), counted(1200, "DAG"), counted(2, "axis", "axes")) == ("1 DAG", "1,200 DAGs", "2 axes")
    assert (nats(-12345.678), number_text(-1234.5, 1), number_text(-7)) == ("−12,345.68", "−1,234.5", "−7")
    assert (p_text(0.0764), p_text(0.00099), percent(0.625)) == ("p = 0.076", "p < 0.001", "62%")


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.4, "less than 1 s"),
        (59.2, "59 s"),
        (61, "1 min 1 s"),
        (3600, "1 h"),
        (5400, "1 h 30 min"),
        (40 * 86400, "40 days"),
    ],
)
def test_that_a_length_of_time_is_said_in_at_most_two_units(seconds: float, said: str) -> None:
    assert duration(seconds) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.2, "a few seconds"),
        (14.0, "about 10 seconds"),
        (44.0, "about 40 seconds"),
        (61.0, "about a minute"),
        (130.0, "about 2 minutes"),
        (1216.0, "about 20 minutes"),
        (2950.0, "about 50 minutes"),
        (3100.0, "about an hour"),
        (10 * 3600.0, "about 10 hours"),
        (86_400.0, "about 24 hours"),
        (40 * 3600.0, "about 2 days"),
        (1e8, "about 1,157 days"),
    ],
)
def test_that_an_estimate_is_said_in_round_words(seconds: float, said: str) -> None:
    assert rough_duration(seconds) == said


def test_that_estimates_grow_with_what_they_estimate_and_stay_within_a_third() -> None:
    units = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}
    before = 0.0
    for seconds in np.geomspace(8, 1e7, 400):
        _, number, unit = rough_duration(seconds).split()
        value = (1 if number in ("a", "an") else float(number.replace(",", ""))) * units[unit.rstrip("s")]
        assert value >= before
        assert 2 / 3 <= value / seconds <= 4 / 3
        before = value


def test_that_only_the_first_letter_becomes_a_capital() -> None:
    assert first_upper("about PAGs") == "About PAGs"
    assert first_upper("") == ""


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
    with pytest.raises(OptionError, match="is not a duration") as refused:
        seconds_of(text)
    assert len(str(refused.value)) < 200


def test_that_characters_that_turn_or_hide_others_are_written_out() -> None:
    assert show_controls("a\u202eb\u200bc") == "a[U+202E]b[U+200B]c"
    assert show_controls("Größe → 5 ≥ é") == "Größe → 5 ≥ é"


def test_that_nothing_that_a_terminal_acts_on_reaches_it() -> None:
    assert show_unprintable("\x1b[31mred\r\u202eA\n\tä\udc80") == "[U+001B][31mred[U+000D][U+202E]A\n\tä[U+DC80]"
