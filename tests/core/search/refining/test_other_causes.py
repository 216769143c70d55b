"""A latent over some effects of a hidden cause is not supported where the cause of all of them explains more."""

from __future__ import annotations

from functools import cache
from threading import Event

import numpy as np
import pytest

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.model.bit_dag import Hidden
from latconf_core.model.soft_latent import SoftLatent
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.judging import LEAST_CLAIM, Judge, Judgement
from latconf_core.search.refining.other_causes import OtherCauses, is_like
from latconf_core.search.refining.side_by_side import SideBySide
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.structure.best_dag import choose_best, search_best_dag
from latconf_core.structure.family_table import FamilyTable

N_VARIABLES, N_STATES, N_ROWS = 5, 4, 2000
ALL, PART, MOST = 0b11111, 0b01001, 0b01111


@cache
def five_effects() -> Dataset:
    """Five variables of four states with one binary hidden cause and no edges."""
    rng = np.random.default_rng(5)
    hidden = rng.integers(2, size=N_ROWS)
    columns = []
    for _ in range(N_VARIABLES):
        below = rng.dirichlet([0.7] * N_STATES, size=2).cumsum(axis=1)
        columns.append((rng.random(N_ROWS)[:, None] > below[hidden][:, :-1]).sum(axis=1))
    states = [[str(k) for k in range(N_STATES)]] * N_VARIABLES
    return Dataset("ABCDE", states, np.stack(columns, axis=1))


def judge_again(*groups: int, workers: int = 1) -> tuple[list[Judgement], list[Judgement]]:
    """What latents over some variables are worth against the best DAG without any, and against other latents."""
    scorer = Scorer(five_effects(), VbemOptions(seed=1))
    fitting = Fitting(scorer, max_states=3, checkpoint=lambda: None)
    table = FamilyTable(N_VARIABLES, scorer.family_score, max_parents=5)
    (best,) = choose_best(search_best_dag(table, rng=np.random.default_rng(1)))
    judge = Judge(fitting, Scored(SoftModel(best.parents), best.score))
    present = fitting.fit_latents((0,) * N_VARIABLES, [Hidden(children, 2) for children in groups])
    first = [judge.judge(present, index) for index in range(len(groups))]
    threads = SideBySide(workers, Event(), RunControl())
    others = OtherCauses(judge, present, first, fitting=fitting, threads=threads)
    assert set(others.judge_again()) <= set(range(len(groups)))
    return first, others.judged


def test_that_a_part_of_a_hidden_cause_is_worth_nothing_beside_the_whole() -> None:
    (first,), (again,) = judge_again(PART)
    assert first.support >= LEAST_CLAIM  # a hidden cause is there, so that it beats every DAG without
    assert again.density < 0
    assert again.beside == (ALL,)
    assert again.better_by is not None
    assert again.better_by > LEAST_CLAIM


@pytest.mark.parametrize("children", [ALL, MOST])
def test_that_the_whole_and_what_is_like_it_are_worth_what_they_were(children: int) -> None:
    first, again = judge_again(children)
    assert first[0].support >= LEAST_CLAIM
    assert again == first


@pytest.mark.parametrize("workers", [2, 4])
def test_that_others_are_the_same_with_several_workers(workers: int) -> None:
    assert judge_again(PART, workers=workers) == judge_again(PART)


def test_that_latents_are_alike_from_half_of_the_children_of_both() -> None:
    def over(children: int) -> SoftLatent:
        return SoftLatent(children, np.empty((1, 2)))

    assert is_like(over(0b0011), over(0b1111))
    assert not is_like(over(0b00011), over(0b11111))
    assert not is_like(over(0b00111), over(0b11100))
