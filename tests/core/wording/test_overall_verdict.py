"""The verdict in three sentences, each made of the values of a result."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.builders import mixed
from support.plain_text import plain
from support.small_runs import small_run
from support.small_stability import small_stability

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.column_order import ColumnOrder
from latconf_core.data.dataset import Dataset
from latconf_core.data.facts import TableFacts
from latconf_core.families.objectives import OBJECTIVES
from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.search.outcome.about_rows import CompletionReport
from latconf_core.search.outcome.evidence import LatentEvidence, PairEvidence, Support
from latconf_core.search.outcome.history import History
from latconf_core.search.outcome.left_out import left_out_pairs
from latconf_core.search.outcome.reference import Reference
from latconf_core.search.outcome.result import SearchResult
from latconf_core.wording.overall_verdict import overall_verdict
from latconf_core.wording.run_ranking import NOT_COMPARED, ranking_sentences

PAG = mixed("A <-> B", "A o-> C", nodes=list("ABC"))


def result(
    support: Support | None, *, score: float = -10.0, reference: float = -20.0, objective: str = "calibrated"
) -> SearchResult:
    """A run whose best DAG has a hidden cause of A and B, of this support; the best without any joins B and C."""
    history = History("ABC")
    history.add(BitDag((0, 0, 0), (Hidden(0b11),)), score, level=1)
    best = history.dag(0)
    pair = PairEvidence("A", "B", "requires")
    latent_evidence = LatentEvidence(best.latents[0], (pair,), 7.0 if support == "strong" else 1.0, support)
    without = LatentDag("ABC", [("A", "C"), ("B", "C")])
    vbem = next(each for name, each in OBJECTIVES.items() if name == objective).apply(VbemOptions())
    return replace(
        small_run(),
        history=history,
        best=best,
        evidence=(latent_evidence,),
        options=SearchOptions(vbem=vbem),
        pag=PAG,
        pag_handling=replace(small_run().pag_handling, graph=PAG, kind="valid"),
        reference=Reference(without, reference, reference, "calibrated", reference),
    )


def test_that_a_supported_hidden_cause_in_a_result_below_the_reference_is_no_contradiction() -> None:
    first, _, _ = overall_verdict(result("strong", score=-2557.0, reference=-20.0))
    assert plain(first) == (
        "The data support a hidden cause of A and B, which gains 7.00 nats over the best DAG without hidden causes; "
        "the result as a whole scores 2,537.00 nats less than that DAG, because the PAG lacks 1 of its edges, so trust "
        "the hidden cause more than the other edges."
    )
    assert plain(overall_verdict(result("strong"))[0]).endswith("over the best DAG without hidden causes.")


@pytest.mark.parametrize("objective", ["calibrated", "paper"])
@pytest.mark.parametrize("gain", [1.0, 13.4])
def test_that_a_visited_hidden_cause_that_edges_fit_as_well_is_no_contradiction(objective: str, gain: float) -> None:
    claimless = result(None, score=-20.0 + gain, objective=objective)
    claimless.history.add(BitDag((0, 0, 0), ()), -20.0, level=0)
    claimless.history.chosen = 1
    claimless = replace(claimless, best=claimless.history.dag(1), evidence=())
    first = plain(overall_verdict(claimless)[0])
    assert first.startswith("No hidden cause is supported: ")
    is_named = objective == "calibrated" and gain > 3
    assert ("with one of A and B, the best visited DAG scores 13.40 nats more" in first) == is_named
    assert ("none gains 3 nats" in first) != is_named


@pytest.mark.parametrize(("n_latents", "verb"), [(1, "was"), (2, "were")])
def test_that_hidden_causes_that_were_not_judged_are_counted_by_the_verb(n_latents: int, verb: str) -> None:
    unjudged = result(None)
    pairs = (Latent("L1", 2, ("A", "B")), Latent("L2", 2, ("B", "C")))[:n_latents]
    evidence = tuple(LatentEvidence(latent, (), 1.0, None) for latent in pairs)
    unjudged = replace(unjudged, best=LatentDag("ABC", (), pairs), evidence=evidence)
    assert f" {verb} found but not judged" in overall_verdict(unjudged)[0]


def test_that_an_objective_that_prefers_what_is_not_supported_is_named() -> None:
    first, _, _ = overall_verdict(result("none", objective="paper"))
    assert first.startswith("The data do not support a hidden cause of A and B, although the result has it")
    assert "10.00\u00a0nats under the objective Paper" in first or "10.00 nats under the objective Paper" in plain(
        first
    )
    assert "Calibrated" in first
    second = overall_verdict(result("none", score=-30.0))[0]
    assert "the best DAG without hidden causes scores 10.00 nats more" in plain(second)


@pytest.mark.parametrize("support", ["strong", "weak", "none", None])
def test_that_three_sentences_are_said_whatever_was_found(support: Support | None) -> None:
    sentences = overall_verdict(result(support))
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in sentences)
    assert all(sentence.count(". ") == 0 for sentence in sentences)
    assert "A and B" in sentences[0]


def test_that_the_second_sentence_says_what_the_pag_does_and_what_it_leaves_out() -> None:
    second = overall_verdict(result("strong"))[1]
    assert "the PAG requires a hidden cause for 1" in second
    assert "B – C" in second
    assert left_out_pairs(result("strong")) == (("B", "C"),)
    assert "not measured" in second
    none = replace(result("strong"), evidence=(), best=LatentDag("ABC", []))
    assert "1 bidirected edge" in overall_verdict(none)[1]


def test_that_stability_is_counted_in_samples() -> None:
    stability = small_stability()
    share = stability.latents[0]
    run = result("strong")
    (found,) = run.evidence
    latent = replace(found.latent, children=share.children)
    second = overall_verdict(replace(run, evidence=(replace(found, latent=latent),)), stability=stability)[1]
    assert f"was recovered in {share.n_half} of {stability.n_samples} samples" in second


def test_that_the_third_sentence_names_only_what_these_data_need() -> None:
    states = [("0", "1")] * 3
    data = Dataset("ABC", states, np.array([[0, 0, 1], [1, 1, 0]]))
    third = overall_verdict(result("strong"), data=data)[2]
    assert "faithfulness" in third
    assert not any(word in third for word in ("missing", "interval", "filled", "said"))
    cut = Dataset(
        "ABC", states, data.codes, facts=TableFacts(frozenset("C"), n_dropped=4), ordered={"A": ColumnOrder((3.5,))}
    )
    report = CompletionReport(10, 4, 5, 8, 0.0, 0, 1, True, 0.0)
    third = overall_verdict(replace(result("strong"), completion=report), data=cut)[2]
    assert all(
        word in third for word in ("5 cells are missing at random", "discretising A", "4 rows dropped", "1 variable")
    )


def test_that_runs_are_ranked_under_each_objective_apart() -> None:
    runs = [("one", result("strong", score=-12.0)), ("two", result("none", score=-10.0))]
    (said,) = ranking_sentences(runs)
    assert plain(said) == "Under Calibrated, two scores −10.00 nats, 2.00 nats more than the next, one."
    *both, last = ranking_sentences([*runs, ("three", result("none", score=-1.0, objective="paper"))])
    assert [sentence.split(",")[0] for sentence in both] == ["Under Paper", "Under Calibrated"]
    assert last == NOT_COMPARED
    assert ranking_sentences(runs[:1]) == []
