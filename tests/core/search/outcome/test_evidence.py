"""The two kinds of evidence for a latent, each against what can be said by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from support.builders import mixed
from support.search_runs import written

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.inference.held_out_gain import HeldOutGain
from latconf_core.score.naming import to_bits, to_dag
from latconf_core.search.outcome.evidence import (
    LatentEvidence,
    ScoresOf,
    largest_gain,
    orientation_evidence,
    replace_latents,
)


def each(score: Callable[[LatentDag], float]) -> ScoresOf:
    return lambda dags: [score(to_dag(dag, "ABCD")) for dag in dags]


@pytest.mark.parametrize(
    ("edge", "verdict"),
    [
        ("A <-> B", "requires"),
        ("A o-> B", "allows"),
        ("A o-o B", "allows"),
        ("A --> B", "contradicts"),
        ("A <-- B", "contradicts"),
        ("C --> B", "contradicts"),
    ],
)
def test_that_the_pag_requires_allows_or_contradicts(edge: str, verdict: str) -> None:
    pag = mixed(edge, nodes=["A", "B", "C"])
    (pair,) = orientation_evidence(Latent("L", 2, ("A", "B")), pag)
    assert (pair.first, pair.second, pair.verdict) == ("A", "B", verdict)


def test_that_every_pair_of_three_children_is_judged() -> None:
    pag = mixed("A <-> B", "B o-> C")
    evidence = orientation_evidence(Latent("L", 2, ("A", "B", "C")), pag)
    assert [(one.first + one.second, one.verdict) for one in evidence] == [
        ("AB", "requires"),
        ("AC", "contradicts"),
        ("BC", "allows"),
    ]


def test_that_the_rival_joins_the_children_in_the_best_of_all_ways() -> None:
    latent = Latent("L", 2, ("A", "B", "C"))
    dag = LatentDag("ABCD", [("D", "A")], [latent])
    asked: list[str] = []

    def score(rival: LatentDag) -> float:
        asked.append(written(rival))
        return 5.0 if written(rival) == "D>A A>B C>B |" else -float(len(rival.edges))

    assert replace_latents(to_bits(dag), each(score))[0] == 5.0
    assert len(set(asked)) == 25  # 3³ ways, two of them cycles
    assert all(not one.split("|")[1] for one in asked)


def test_that_four_children_are_joined_one_edge_at_a_time() -> None:
    latent = Latent("L", 2, ("A", "B", "C", "D"))
    wanted = {("A", "B"): 3.0, ("C", "D"): 2.0, ("B", "C"): 1.0}

    def score(rival: LatentDag) -> float:
        return sum(wanted.get(edge, -1.0) for edge in rival.edges)

    assert replace_latents(to_bits(LatentDag("ABCD", [], [latent])), each(score))[0] == 6.0


def test_that_edges_outside_the_latents_stay() -> None:
    dag = LatentDag("ABCD", [("A", "C")], [Latent("L1", 2, ("A", "B")), Latent("L2", 3, ("C", "D"))])

    def score(rival: LatentDag) -> float:
        assert ("A", "C") in rival.edges
        return 0.5 * (("A", "B") in rival.edges)

    reached, rival = replace_latents(to_bits(dag), each(score))
    assert (reached, rival.latents) == (0.5, ())


def judged(density: float | None, **known: Any) -> LatentEvidence:
    latent = Latent("L1", 2, ("A", "B", "C"))
    return LatentEvidence(
        latent, orientation_evidence(latent, mixed("A <-> B", "A <-> C", "B <-> C")), density, **known
    )


def test_that_a_gain_under_three_nats_is_weak_and_none_is_not_judged() -> None:
    assert [judged(density).is_weak for density in (2.9, 3.1, None)] == [True, False, False]


def test_that_each_warning_is_given_where_it_holds_and_nowhere_else() -> None:
    assert judged(5.0, over_local=4.0, spread=1.0).warnings == ()
    assert judged(5.0, over_local=2.0, spread=1.0).warnings == ("merged states",)
    assert judged(5.0, over_local=4.0, spread=6.0).warnings == ("spread",)
    assert judged(-5.0, over_local=-6.0, spread=6.0).warnings == ()  # there is no gain to doubt
    pair = Latent("L1", 2, ("A", "B"))
    assert LatentEvidence(pair, orientation_evidence(pair, mixed("A --> B"))).warnings == ("two children", "PAG")
    assert LatentEvidence(pair, orientation_evidence(pair, mixed(nodes=["A", "B"]))).verdict is None


LOSES, GAINS = HeldOutGain(-0.001, 0.002), HeldOutGain(0.001, 0.002)


@pytest.mark.parametrize(
    ("evidence", "support"),
    [
        (judged(5.0, over_local=4.0), "strong"),
        (judged(5.0), "strong"),
        (judged(2.9, over_local=2.9), "weak"),
        (judged(5.0, over_local=2.0), "weak"),
        (judged(-0.1, over_local=-0.1), "none"),
        (judged(5.0, over_local=4.0, held_out=GAINS), "strong"),
        (judged(50.0, over_local=49.0, held_out=LOSES), "weak"),
        (judged(-1.0, held_out=GAINS), "none"),  # a veto, never a support
        (judged(5.0, null_gains=(0.0, 4.9)), "strong"),
        (judged(5.0, null_gains=(5.0, 0.0)), "weak"),  # it must gain more than all of them
        (judged(-1.0, null_gains=(0.0,)), "none"),
        (judged(None, null_gains=(0.0,)), None),
    ],
)
def test_that_support_asks_for_three_nats_and_can_be_vetoed(evidence: LatentEvidence, support: str | None) -> None:
    assert evidence.graded().support == support


def test_that_what_vetoes_a_latent_is_a_warning() -> None:
    assert judged(5.0, held_out=LOSES).warnings == ("held out",)
    assert judged(5.0, null_gains=(7.0, 0.0)).warnings == ("chance",)
    assert judged(5.0, untried=("A",)).warnings == ("untried",)
    assert judged(-5.0, held_out=LOSES, null_gains=(7.0,), untried=("A",)).warnings == ()


def test_that_more_draws_judge_anew() -> None:
    doubted = replace(judged(5.0), null_gains=(6.0,)).graded()
    assert replace(doubted, null_gains=(1.0, 2.0)).graded().support == "strong"


def test_that_what_was_measured_comes_back_from_json() -> None:
    evidence = judged(5.0, over_local=4.0, held_out=GAINS, untried=("A", "C")).graded()
    assert LatentEvidence.from_json(evidence.to_json()) == evidence


def test_that_the_largest_gain_is_never_below_none_and_unknown_where_one_was_not_judged() -> None:
    assert largest_gain([]) == 0.0
    assert largest_gain([judged(-3.0)]) == 0.0
    assert largest_gain([judged(2.0), judged(4.0)]) == 4.0
    assert largest_gain([judged(2.0), judged(None)]) is None


def test_that_what_was_not_judged_to_the_end_is_weak_evidence_at_most() -> None:
    judged = LatentEvidence(Latent("L1", 2, ("A", "B")), (), density=50.0, over_local=40.0).graded()
    assert judged.support == "strong"
    cut = judged.limited("cut short")
    assert cut.support == "weak"
    assert cut.limited("cut short") == cut
    assert "cut short" in cut.warnings
    assert LatentEvidence.from_json(cut.to_json()).limits == ("cut short",)
    assert LatentEvidence(Latent("L1", 2, ("A", "B")), ()).limited("cut short").support is None
