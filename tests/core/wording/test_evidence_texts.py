"""Differences of scores in nats, and evidence in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.plain_text import plain

from latconf_core.control import StopReason
from latconf_core.dag.latent_dag import Latent
from latconf_core.inference.held_out_gain import HeldOutGain
from latconf_core.phrases import counted
from latconf_core.search.outcome.evidence import LatentEvidence, PairEvidence, Support, Verdict
from latconf_core.wording.evidence_texts import (
    END_REASONS,
    WARNINGS,
    asked_gain,
    better_clause,
    chance_clause,
    gain_text,
    held_out_clause,
    latent_sentence,
    nats_apart,
    warning_sentences,
)


def test_that_gains_are_said_in_nats_with_what_is_asked_for() -> None:
    assert plain(nats_apart(-1.03)) == "1.03 nats"
    assert plain(gain_text(-1.03)) == "−1.03 nats"
    assert plain(asked_gain(49)) == "+49.00 nats (at least 3 required)"
    assert asked_gain(-145.7) == "−145.70 nats (at least 3 required)"


@pytest.mark.parametrize(
    ("verdicts", "gain", "support", "said"),
    [
        (("requires",), 4.7, "strong", "L1 is supported: +4.70 nats (at least 3 required); the PAG requires it"),
        (("requires",), 1.0, "weak", "L1 has weak evidence: +1.00 nats (at least 3 required); the PAG requires it"),
        (
            ("requires", "allows"),
            -145.7,
            "none",
            "L1 is not supported: −145.70 nats (at least 3 required); the PAG allows it",
        ),
        (
            ("allows", "contradicts"),
            None,
            None,
            "L1 was not judged; the PAG rules it out for 1 of the 2 pairs of its children",
        ),
        ((), 4.7, "strong", "L1 is supported: +4.70 nats (at least 3 required)"),
    ],
)
def test_that_a_latent_is_judged_by_the_data_and_by_the_pag_apart(
    verdicts: tuple[Verdict, ...], gain: float | None, support: Support | None, said: str
) -> None:
    pairs = tuple(PairEvidence("A", other, verdict) for other, verdict in zip("BC", verdicts))
    assert plain(latent_sentence(LatentEvidence(Latent("L1", 2, ("A", "B")), pairs, gain, support))) == said


def test_that_a_latent_is_called_by_the_name_given_to_it() -> None:
    evidence = LatentEvidence(Latent("L1", 2, ("A", "B")), (PairEvidence("A", "B", "allows"),), 5.0, "strong")
    assert latent_sentence(evidence, "Smoking").startswith("Smoking is supported: +5.00 nats")


def test_that_each_warning_has_its_words() -> None:
    evidence = LatentEvidence(
        Latent("L1", 2, ("A", "B")), (PairEvidence("A", "B", "contradicts"),), 5.0, "weak", 1.0, 9.0, over_ordinal=1.0
    )
    assert warning_sentences(evidence) == [*WARNINGS.values(), "the PAG rules it out"]


def test_that_a_coarse_measurement_names_the_variable() -> None:
    evidence = LatentEvidence(Latent("L1", 3, ("A", "B", "C")), (), 5.0, "strong", proxy="B")
    assert warning_sentences(evidence) == [
        "alternatively, B is measured coarsely and the hidden cause is its exact value"
    ]
    assert LatentEvidence.from_json(evidence.to_json()) == evidence


def test_that_what_ordered_families_leave_decides_the_grade() -> None:
    judged = LatentEvidence(Latent("L1", 3, ("A", "B", "C")), (), 40.0, None, 30.0)
    assert judged.graded().support == "strong"
    assert replace(judged, over_ordinal=2.9).graded().support == "weak"
    assert replace(judged, over_ordinal=3.0).graded().support == "strong"


def test_that_every_way_to_end_has_its_words_and_one_is_one() -> None:
    assert set(END_REASONS) == set(StopReason)
    assert (counted(1, "DAG"), counted(1200, "DAG")) == ("1 DAG", "1,200 DAGs")


def test_that_a_latent_that_pays_only_beside_others_says_beside_which() -> None:
    latent_evidence = LatentEvidence(Latent("L1", 2, ("A", "B")), (), 33.0, "strong", 29.0, None, (("B", "C", "D"),))
    assert warning_sentences(latent_evidence)[-1] == (
        "it gains this only together with a hidden cause of B, C and D, and depends on it"
    )
    two = LatentEvidence(Latent("L1", 2, ("A", "B")), (), 33.0, "strong", 29.0, None, (("B", "C"), ("D", "E")))
    assert warning_sentences(two)[-1].endswith(
        "a hidden cause of B and C; a hidden cause of D and E, and depends on them"
    )
    assert LatentEvidence.from_json(two.to_json()) == two
    old = {key: value for key, value in two.to_json().items() if key != "beside"}  # written before it was known
    assert LatentEvidence.from_json(old).beside == ()


def test_that_a_latent_that_others_explain_better_names_them() -> None:
    pair, wide = Latent("L1", 2, ("A", "B")), ("A", "B", "C", "D", "E")
    latent_evidence = LatentEvidence(pair, (), -9.0, "none", -9.0, None, (wide,), 41.0)
    assert plain(warning_sentences(latent_evidence)[-1]) == (
        "a hidden cause of A, B, C, D and E explains the data better, by 41.00 nats"
    )
    assert "others" not in latent_evidence.warnings  # it does not stand with them
    two = LatentEvidence(pair, (), -9.0, "none", -9.0, None, (("B", "C"), ("D", "E")), 4.0)
    assert plain(warning_sentences(two)[-1]) == (
        "a hidden cause of B and C; a hidden cause of D and E together explain the data better, by 4.00 nats"
    )
    assert LatentEvidence.from_json(latent_evidence.to_json()) == latent_evidence
    old = {
        key: value for key, value in latent_evidence.to_json().items() if key != "better_by"
    }  # written before it was known
    assert LatentEvidence.from_json(old).better_by is None
    assert better_clause(LatentEvidence(pair, (), 4.0, "strong")) == ""


def test_that_rows_left_out_chance_and_untried_tables_are_said_with_their_numbers() -> None:
    latent = Latent("L1", 2, ("A", "B", "C"))
    loses, gains = HeldOutGain(-0.0012, 0.002), HeldOutGain(0.05, 0.01)
    evidence = LatentEvidence(latent, (), 3.2, "weak", held_out=loses, null_gains=(0.0, 3.5), untried=("A", "C"))
    assert [plain(sentence) for sentence in warning_sentences(evidence)] == [
        "merged states of A and C could not be tried: their tables have too many configurations",
        "it gains nothing on held-out rows: −0.0012 ± 0.0020 nats per row",
        "in 2 tables drawn from the best model without hidden causes, the same search gained at most 3.50 nats",
    ]
    assert plain(held_out_clause(LatentEvidence(latent, (), 9.0, "strong", held_out=gains))) == (
        "it gains on held-out rows: +0.0500 ± 0.0100 nats per row"
    )
    assert held_out_clause(LatentEvidence(latent, ())) == chance_clause(LatentEvidence(latent, ())) == ""
