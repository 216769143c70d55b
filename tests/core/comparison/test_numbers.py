"""The numbers of one graph on its own, and against the reference."""

from __future__ import annotations

from math import log

import pytest
from support.builders import mixed
from support.small_runs import confounded

from latconf_core.comparison.compare import compare_pair
from latconf_core.comparison.measures import MEASURES, OWN_NUMBERS
from latconf_core.comparison.numbers import Numbers, describe_subject, relate_to_reference
from latconf_core.comparison.subject import Subject
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer

PLAIN = Subject("plain", LatentDag("ABC", [("A", "C"), ("B", "C")]))
HIDDEN = Subject("hidden", LatentDag("ABC", [("A", "C"), ("B", "C")], [Latent("L1", 2, ("A", "B"))]))
WIDE = Subject("wide", LatentDag("ABC", [], [Latent("L1", 3, ("A", "B", "C"))]))


def value(title: str, numbers: Numbers) -> object:
    return next(one.of(numbers) for one in OWN_NUMBERS if one.title == title)


def measure(title: str, reference: Subject, other: Subject) -> object:
    return next(one.of(compare_pair(reference, other)) for one in MEASURES if one.title == title)


def test_that_the_difference_to_a_is_that_of_the_scores() -> None:
    scorer = Scorer(confounded(), VbemOptions())
    known = {one.name: describe_subject(one, scorer) for one in (PLAIN, HIDDEN)}
    related = relate_to_reference(known, "plain")
    expected = scorer.score(HIDDEN.content).p_elbo - scorer.score(PLAIN.content).p_elbo  # type: ignore[arg-type]
    assert value("Difference from A", related["hidden"]) == pytest.approx(expected, abs=1e-9)
    assert value("Difference from A", related["plain"]) == 0
    assert value("Difference from A", relate_to_reference({"hidden": known["hidden"]}, "plain")["hidden"]) is None


def test_that_parameters_likelihood_and_bic_belong_together() -> None:
    data = confounded()
    numbers = describe_subject(HIDDEN, Scorer(data, VbemOptions()))
    by_hand = 1 + 2 * 1 + 2 * 1 + 4 * 2  # L1, A and B given L1, C given both
    assert numbers.n_parameters == by_hand
    assert numbers.log_likelihood is not None
    assert numbers.bic == pytest.approx(numbers.log_likelihood - by_hand / 2 * log(data.n_rows))


def test_that_only_graphs_with_marks_are_valid_pags_or_not() -> None:
    right = Subject("right", mixed("A o-> B", "C o-> B", nodes=list("ABC")))
    wrong = Subject("wrong", mixed("A --> B", "C o-> B", nodes=list("ABC")))
    assert [value("Valid PAG", describe_subject(one)) for one in (right, wrong, HIDDEN)] == ["yes", "no", None]


def test_that_latents_are_counted_exact_in_part_missed_and_by_overlap() -> None:
    titles = ("Latents exact", "Latents partial", "Latents missed", "Latents wrong", "States right", "Latent overlap")
    assert [measure(title, HIDDEN, HIDDEN) for title in titles] == [1, 0, 0, 0, 1, 1.0]
    assert [measure(title, HIDDEN, WIDE) for title in titles] == [0, 1, 0, 0, 0, pytest.approx(2 / 3)]
    assert [measure(title, HIDDEN, PLAIN) for title in titles] == [0, 0, 1, 0, 0, 0.0]
    assert [measure(title, PLAIN, HIDDEN) for title in titles] == [0, 0, 0, 1, 0, None]


def test_that_arrowheads_on_common_edges_leave_the_others_out() -> None:
    reference = Subject("a", mixed("A --> B", "B --> C", nodes=list("ABCD")))
    other = Subject("b", mixed("A --> B", "B <-- C", "C --> D", nodes=list("ABCD")))
    assert measure("Arrowhead F1, common", reference, other) == pytest.approx(0.5)
    assert measure("Arrowhead F1", reference, other) == pytest.approx(0.4)
