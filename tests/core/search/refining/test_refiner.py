"""The search for hidden causes: what is left of it where it is ended early."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count

import numpy as np
import pytest
from support.hidden_causes import confounded_data

from latconf_core.control import StopReason, StopRequested
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.refiner import LEAST_CLAIM, Refiner, Trial, Trials
from latconf_core.search.refining.soft_model import Scored, SoftModel
from latconf_core.structure.best_dag import choose_best, search_best_dag
from latconf_core.structure.family_table import FamilyTable


def test_that_a_search_that_time_ends_goes_to_the_best_insertion_so_far() -> None:
    data = confounded_data(0)
    scorer = Scorer(data, VbemOptions(seed=1))
    table = FamilyTable(data.n_variables, scorer.family_score, max_parents=5)
    (best,) = choose_best(search_best_dag(table, rng=np.random.default_rng(0)))
    rounds = count(1)

    def run_all(tasks: Sequence[Callable[[], Scored | None]]) -> Iterator[Scored | None]:
        if next(rounds) == 3:  # after a first look and a thorough one
            raise StopRequested(StopReason.TIME_LIMIT)
        return (task() for task in tasks)

    start = Scored(SoftModel(best.parents), best.score)
    fitting = Fitting(scorer, max_states=3, checkpoint=lambda: None)
    refiner = Refiner(fitting, start, run_all=run_all)
    with pytest.raises(StopRequested):
        list(refiner.refine())
    assert refiner.present is start
    refiner.settle()
    assert len(refiner.present.model.latents) == 1
    assert refiner.present.score >= start.score + LEAST_CLAIM


def test_that_a_gain_that_the_model_has_by_now_is_not_believed_again() -> None:
    data = confounded_data(0)
    scorer = Scorer(data, VbemOptions(seed=1))
    fitting = Fitting(scorer, max_states=3, checkpoint=lambda: None)
    table = FamilyTable(data.n_variables, scorer.family_score, max_parents=5)
    (best,) = choose_best(search_best_dag(table, rng=np.random.default_rng(0)))
    refiner = Refiner(fitting, Scored(SoftModel(best.parents), best.score))
    list(refiner.refine())
    reached = refiner.present
    carried = Trial(0b1111, reached, Scored(reached.model, reached.score + 2 * LEAST_CLAIM))

    def try_only_that(effort: str, firsts: Sequence[Trial]) -> Trials:
        yield from ()
        return [carried]

    refiner._try = try_only_that  # type: ignore[method-assign]
    list(refiner.refine())  # ends, though that trial comes back each time
    assert refiner.present is reached


def test_that_a_model_without_latents_can_be_improved_no_further() -> None:
    data = confounded_data(0)
    scorer = Scorer(data, VbemOptions(seed=1))
    start = Scored(SoftModel((0,) * data.n_variables), sum(scorer.family_score(v, 0) for v in range(data.n_variables)))
    refiner = Refiner(Fitting(scorer, max_states=3, checkpoint=lambda: None), start)
    assert all(not shape.model.latents for shape in refiner.improve(start))
