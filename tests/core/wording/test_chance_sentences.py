"""A run beside chance, in words: the share of draws, its p-value, the grades, and what is too little."""

from __future__ import annotations

from dataclasses import replace

from support.plain_text import plain
from support.small_runs import small_run

from latconf_core.search.outcome.result import SearchResult
from latconf_core.wording.chance_sentences import MAX_NUMBERS, chance_lines
from latconf_core.wording.verdicts import verdict


def compared(*gains: float, gain: float = 5.0) -> SearchResult:
    """A run whose hidden cause gains so much, beside what draws gained."""
    result = small_run()
    evidence = tuple(replace(one, density=gain, over_local=None, held_out=None) for one in result.evidence)
    return replace(result, evidence=evidence).with_null_gains(gains)


def test_that_a_run_which_was_not_compared_says_nothing() -> None:
    assert chance_lines(small_run()) == []
    assert chance_lines(compared()) == []
    assert "drawn from" not in verdict(small_run())


def test_that_nineteen_smaller_gains_give_a_p_value_of_one_in_twenty() -> None:
    result = compared(3.5, *[0.0] * 18)
    lines = [plain(line) for line in chance_lines(result, {"L1": "smoking"})]
    assert lines[:2] == [
        "In 19 tables drawn from the best model without hidden causes, the same search gained at most 3.50 nats.",
        "This run gained 5.00 nats; no draw gained at least as much (p = 0.05).",
    ]
    assert lines[2].startswith("Smoking is supported: +5.00 nats")
    assert lines[3:] == ["Gains of the draws in nats: 3.50; 0.00 in 18 draws."]
    assert lines[0] in plain(verdict(result))


def test_that_draws_which_gain_as_much_are_counted_and_few_draws_are_called_few() -> None:
    lines = [plain(line) for line in chance_lines(compared(5.0, 9.0, 1.0))]
    assert lines[1] == "This run gained 5.00 nats; 2 of 3 draws gained at least as much (p = 0.75)."
    assert "supported" not in lines[2]
    assert lines[-1] == "19 draws or more are needed for p ≤ 0.05."


def test_that_only_the_largest_of_many_gains_are_listed() -> None:
    lines = chance_lines(compared(*(number / 10 for number in range(99))))
    assert lines[-1].count(";") == MAX_NUMBERS
    assert lines[-1].endswith("less in the others.")
