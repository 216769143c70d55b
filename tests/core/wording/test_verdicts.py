"""What a search claims, and what it says that it tried and did not try."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.plain_text import plain
from support.small_runs import small_run

from latconf_core.control import StopReason
from latconf_core.dag.latent_dag import Latent
from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.search.outcome.evidence import LatentEvidence, Support
from latconf_core.search.outcome.history import History
from latconf_core.search.outcome.restarts import Restarts
from latconf_core.search.outcome.result import SearchResult
from latconf_core.wording.verdicts import claim_sentence, tried_sentence, verdict

NODES = "ABCDEF"
PLAIN = BitDag((0,) * 6)


def over(*children: int) -> BitDag:
    """No edges, and a latent over each set of children."""
    return BitDag((0,) * 6, tuple(Hidden(mask) for mask in children))


def result_with(
    candidates: dict[BitDag, float], *, supports: tuple[Support | None, ...] = (), is_chosen: bool = False
) -> SearchResult:
    """A result of these visits, its best the highest, or the last where the search chose it."""
    history = History(NODES)
    for candidate, p_elbo in candidates.items():
        history.add(candidate, p_elbo, level=len(candidate.latents))
    history.chosen = len(history) - 1 if is_chosen else None
    best = history[-1] if is_chosen else history.best
    shown = best if best is not None and best.n_latents else history.best_with_latents
    latents = () if shown is None else history.dag(shown.index).latents
    evidence = tuple(LatentEvidence(latent, (), 1.0, support) for latent, support in zip(latents, supports))
    return replace(
        small_run(),
        history=history,
        best=None if best is None else history.dag(best.index),
        evidence=evidence,
        reference=None,
    )


def test_that_a_search_of_pairs_says_that_larger_groups_were_not_tried() -> None:
    result = result_with({PLAIN: -10.0, over(0b11): -11.0, over(0b110): -12.0}, supports=("none",))
    assert plain(verdict(result)) == (
        "No hidden cause of two variables improves the model: the best DAG with one scores 1.00 nats below "
        "it. 2 groups of two variables were tried; groups of three or more were not."
    )


def test_that_a_search_that_drops_what_is_not_supported_names_the_bar() -> None:
    result = result_with({over(0b111): -9.0, PLAIN: -10.0}, is_chosen=True)
    assert claim_sentence(result).startswith("No hidden cause of three variables is supported: none gains 3 nats")


@pytest.mark.parametrize(
    ("supports", "said"),
    [
        (("strong", "strong"), "The data support 2 hidden causes (of A and B; of C, D and E)."),
        (
            ("strong", "weak"),
            "The data support a hidden cause of A and B. Weak evidence: a hidden cause of C, D and E.",
        ),
        (("none", "weak"), "Weak evidence only: a hidden cause of C, D and E."),
        ((None, None), "Not judged: the search stopped early (2 hidden causes (of A and B; of C, D and E))."),
    ],
)
def test_that_only_what_is_supported_is_claimed(supports: tuple[Support | None, ...], said: str) -> None:
    assert claim_sentence(result_with({PLAIN: -10.0, over(0b11, 0b11100): -5.0}, supports=supports)) == said


def test_that_latents_of_the_best_dag_that_are_not_supported_are_named() -> None:
    said = claim_sentence(result_with({PLAIN: -10.0, over(0b11): -5.0}, supports=("none",)))
    assert said.startswith(
        "No hidden cause is supported. The best DAG visited has a hidden cause of A and B, but it is"
    )


def test_that_a_hidden_cause_that_explains_more_than_the_one_found_is_named() -> None:
    result = result_with({PLAIN: -10.0, over(0b11): -5.0}, supports=("none",))
    (one,) = result.evidence
    better = replace(one, density=-9.0, beside=(("A", "B", "C", "D", "E"),), better_by=41.0)
    other = "A hidden cause of A, B, C, D and E explains more than the one of A and B: 41.00 nats. Try Auto or Refine."
    assert plain(claim_sentence(replace(result, evidence=(better,)))) == (
        f"The best DAG visited has a hidden cause of A and B, but it is not supported. {other}"
    )
    below = replace(result_with({PLAIN: -10.0, over(0b11): -11.0}), evidence=(better,))
    assert plain(claim_sentence(below)).endswith(f"1.00 nats below it. {other}")


def test_that_groups_are_counted_once_by_their_size() -> None:
    result = result_with({over(0b11): -1.0, over(0b11, 0b1110): -2.0, over(0b111111): -3.0})
    assert result.tried == {2: 1, 3: 1, 6: 1}
    assert tried_sentence(result) == "3 groups of two to six variables were tried."


def test_that_nothing_tried_and_nothing_scored_are_said() -> None:
    assert verdict(result_with({PLAIN: -1.0})) == "No hidden cause was tried: none of the visited DAGs has one."
    assert verdict(result_with({})) == "The search ended before it scored a DAG."


def test_that_json_has_the_verdict_and_the_sizes() -> None:
    content = result_with({PLAIN: -10.0, over(0b11): -5.0}, supports=("strong",)).to_json()
    assert content["verdict"].startswith("The data support a hidden cause of A and B.")
    assert content["tried"] == {"2": 1}


def test_that_many_hidden_causes_are_not_all_named() -> None:
    latents = tuple(Latent(f"L{k}", 2, ("A", "B")) for k in range(5))
    result = result_with({over(0b11): -5.0})
    result = replace(result, evidence=tuple(LatentEvidence(latent, (), 5.0, "strong") for latent in latents))
    assert claim_sentence(result).endswith("(of A and B; of A and B; of A and B; …).")


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (StopReason.TIME_LIMIT, "This run was cut short by its time limit: a longer one may find something else."),
        (StopReason.WORK_LIMIT, "This run was cut short by its work limit: a longer one may find something else."),
        (StopReason.CANCELLED, "This run was cut short because it was stopped: a longer one may find something else."),
    ],
)
def test_that_a_run_that_was_cut_short_says_so_first(reason: StopReason, said: str) -> None:
    whole = result_with({PLAIN: -10.0, over(0b11): -5.0}, supports=("strong",))
    assert "cut short" not in verdict(whole)
    assert verdict(replace(whole, stop_reason=reason)).startswith(said)


def test_that_a_run_whose_judging_was_cut_short_says_so_too() -> None:
    whole = result_with({PLAIN: -10.0, over(0b11): -5.0}, supports=("strong",))
    cut = replace(whole, evidence=tuple(one.limited("cut short") for one in whole.evidence))
    assert verdict(cut).startswith("This run was cut short by its time limit")


@pytest.mark.parametrize(
    ("restarts", "said"),
    [
        (None, ""),
        (Restarts(3, 3, 3), ""),
        (Restarts(3, 1, 1), ""),
        (Restarts(3, 3, 2), "Only two of three restarts agree on this"),
        (Restarts(3, 3, 1), "Only one of three restarts agrees on this"),
    ],
)
def test_that_restarts_that_disagree_are_told(restarts: Restarts | None, said: str) -> None:
    told = verdict(replace(result_with({PLAIN: -10.0, over(0b11): -5.0}, supports=("strong",)), restarts=restarts))
    assert (said in told) if said else "restart" not in told
