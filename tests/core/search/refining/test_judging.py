"""What a latent is worth beside other hidden causes, where it does not pay alone."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from latconf_core.data.dataset import Dataset
from latconf_core.model.bit_dag import Hidden
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.judging import LEAST_CLAIM, Judge, Judgement, better
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.structure.best_dag import choose_best, search_best_dag
from latconf_core.structure.family_table import FamilyTable

FIRST, SECOND = 0b11110, 0b11100001  # B, C, D and E; A, F, G and H: A depends on the first one's child B, too
FALSE = 0b1010000  # E and G
TRUE_PARENTS = (0b10, 0, 0, 0, 0, 0, 0, 0)


@cache
def two_causes() -> Dataset:
    """Two hidden causes of four variables each; A has an effect of the first as a cause."""
    rng = np.random.default_rng(3)
    n_rows = 3000
    first, second = rng.integers(2, size=n_rows), rng.integers(2, size=n_rows)

    def follow(source: np.ndarray) -> np.ndarray:
        return np.where(rng.random(n_rows) < 0.8, source, rng.integers(2, size=n_rows))

    b, c, d, e = (follow(first) for _ in range(4))
    f, g, h = (follow(second) for _ in range(3))
    a = follow(np.where(b == 1, second, 1 - second))
    return Dataset("ABCDEFGH", [["0", "1"]] * 8, np.stack([a, b, c, d, e, f, g, h], axis=1))


@cache
def make_judge() -> tuple[Judge, Fitting]:
    scorer = Scorer(two_causes(), VbemOptions(seed=1))
    fitting = Fitting(scorer, max_states=3, checkpoint=lambda: None)
    table = FamilyTable(8, scorer.family_score, max_parents=5)
    (best,) = choose_best(search_best_dag(table, rng=np.random.default_rng(1)))
    return Judge(fitting, Scored(SoftModel(best.parents), best.score)), fitting


@cache
def model_with(*groups: int) -> Scored:
    _, fitting = make_judge()
    return fitting.fit_latents(TRUE_PARENTS, [Hidden(children, 2) for children in groups])


def test_that_a_true_cause_gains_beside_another_and_a_made_up_one_does_not() -> None:
    judge, fitting = make_judge()
    companion = fitting.climb(model_with(FIRST), (1 << 8) - 1)
    assert companion.score > judge.reference.score + LEAST_CLAIM
    true = judge.judge_beside(companion, model_with(SECOND).model.latents[0])
    assert true.density >= LEAST_CLAIM
    assert true.beside == (FIRST,)
    both = judge.judge_beside(model_with(SECOND, FIRST), model_with(FALSE).model.latents[0])
    assert both.density < 0


def test_that_a_model_no_better_than_the_best_dag_without_latents_is_no_companion() -> None:
    judge, _ = make_judge()
    latent = model_with(SECOND).model.latents[0]
    for companion in (judge.reference, Scored(model_with(FIRST).model, judge.reference.score + LEAST_CLAIM / 2)):
        assert judge.judge_beside(companion, latent).support == float("-inf")


def test_that_a_cause_the_companion_has_is_worth_what_its_removal_loses() -> None:
    judge, _ = make_judge()
    companion = model_with(SECOND, FIRST)
    index = [latent.children for latent in companion.model.latents].index(SECOND)
    beside = judge.judge_beside(companion, companion.model.latents[index])
    lost = companion.score - max(judge.without(companion, index).score, judge.reference.score)
    assert beside.density == pytest.approx(lost, abs=0.1)
    assert beside.beside == (FIRST,)


def test_that_a_cause_stays_what_it_was_where_it_pays_beside_one_that_explains_more() -> None:
    judge, fitting = make_judge()
    rival = fitting.climb(model_with(FIRST), (1 << 8) - 1)
    latent = model_with(SECOND).model.latents[0]
    judgement = Judgement(12.0, 11.0, best=Scored(rival.model, rival.score - 20.0))
    assert judge.judge_over(rival, latent, judgement) is judgement


def test_that_a_part_of_what_explains_more_is_judged_beside_it() -> None:
    judge, fitting = make_judge()
    rival = fitting.climb(model_with(FIRST), (1 << 8) - 1)
    latent = model_with(0b110).model.latents[0]
    over = judge.judge_over(rival, latent, Judgement(12.0, 11.0, best=Scored(rival.model, rival.score - 20.0)))
    assert over.density < 0
    assert (over.beside, over.better_by) == ((FIRST,), pytest.approx(20.0))


def test_that_what_takes_the_place_of_the_better_one_is_worth_what_it_is_below_it() -> None:
    judge, fitting = make_judge()
    rival = fitting.climb(model_with(0b110), (1 << 8) - 1)
    large = model_with(0b1111110)
    judgement = Judgement(12.0, 11.0, best=large)
    over = judge.judge_over(rival, large.model.latents[0], judgement)
    assert over.density <= large.score - rival.score < 0
    assert over.best is large


def test_that_edges_which_are_better_without_a_latent_too_are_not_counted_for_it() -> None:
    _, fitting = make_judge()
    empty = fitting.refit(SoftModel((0,) * 8))
    alone = Judge(fitting, empty).judge_alone(model_with(FALSE), 0)
    assert alone.best is not None
    assert alone.best.score > empty.score + LEAST_CLAIM
    assert alone.density < 0


def test_that_a_companion_keeps_only_what_pays() -> None:
    judge, fitting = make_judge()
    held = fitting.climb(model_with(SECOND, FIRST, FALSE), (1 << 8) - 1)
    assert sorted(latent.children for latent in judge.without_idle(held).model.latents) == [FIRST, SECOND]


def test_that_what_pays_alone_is_judged_alone() -> None:
    judge, _ = make_judge()
    assert judge.judge(model_with(SECOND, FIRST), 1).beside == ()


def test_that_the_higher_support_counts() -> None:
    alone, beside = Judgement(-9.8, -9.8), Judgement(33.0, 29.0, (0b11,))
    assert better(alone, beside) is beside
    assert better(Judgement(4.0, 4.0), Judgement(4.0, 1.0, (0b11,))).beside == ()


def test_that_a_judgement_says_whose_table_is_too_large_to_try_local_structure() -> None:
    rng = np.random.default_rng(4)
    n_states, n_rows = 18, 400  # 324 configurations of two parents
    cause = rng.integers(2, size=n_rows)
    first, second = rng.integers(n_states, size=(2, n_rows))
    effects = [np.where(rng.random(n_rows) < 0.9, cause, 1 - cause) for _ in range(3)]
    many = [str(k) for k in range(n_states)]
    codes = np.stack([first, second, *effects], axis=1)
    scorer = Scorer(Dataset("ABCDE", [many, many, *[["0", "1"]] * 3], codes), VbemOptions(seed=1))
    fitting = Fitting(scorer, max_states=2, checkpoint=lambda: None)
    parents = (0, 0, 0b11, 0b100, 0b1000)  # C has A and B as parents
    model = fitting.fit_latents((0, 0, 0b11, 0, 0), [Hidden(0b11100, 2)])
    judgement = Judge(fitting, fitting.refit(SoftModel(parents))).judge_alone(model, 0)
    assert judgement.untried == 0b00100
