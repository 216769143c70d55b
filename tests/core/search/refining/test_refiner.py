"""The search for hidden causes: what is left of it where it is ended early."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count

import numpy as np
import pytest
from support.hidden_causes import confounded_data

from latconf_core.control import StopReason, StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.families.objectives import JUDGING
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.refining import refiner as refiner_module
from latconf_core.search.refining.fitting import Fitting
from latconf_core.search.refining.refiner import LEAST_CLAIM, RENEWED, Refiner, Trial, Trials
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


def two_hidden_causes() -> Dataset:
    """Two tables side by side, each with a hidden cause of its own over its first variables."""
    tables = [confounded_data(seed, n_children=4) for seed in (0, 3)]
    codes = np.concatenate([table.codes for table in tables], axis=1)
    return Dataset([f"V{k}" for k in range(12)], [["0", "1", "2"]] * 12, codes)


def begun(data: Dataset) -> tuple[Fitting, Scored]:
    scorer = Scorer(data, JUDGING.apply(VbemOptions(seed=1)))
    table = FamilyTable(data.n_variables, scorer.family_score, max_parents=5)
    (best,) = choose_best(search_best_dag(table, rng=np.random.default_rng(0), n_shaken=2))
    return Fitting(scorer, max_states=3, checkpoint=lambda: None), Scored(SoftModel(best.parents), best.score)


def test_that_among_many_variables_all_that_is_worth_it_is_put_in_before_a_round_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(refiner_module, "MANY_VARIABLES", 8)
    fitting, start = begun(two_hidden_causes())
    efforts: list[str] = []
    refiner = Refiner(fitting, start)
    tried = refiner._try

    def note(effort: str, firsts: Sequence[Trial]) -> Trials:
        efforts.append(effort)
        if effort == RENEWED:  # the round of all candidates begins only behind them
            raise StopRequested(StopReason.TIME_LIMIT)
        return tried(effort, firsts)

    refiner._try = note  # type: ignore[method-assign]
    with pytest.raises(StopRequested):
        list(refiner.refine())
    refiner.settle()
    found = [latent.children for latent in refiner.present.model.latents]
    assert len(found) >= 2
    assert any((one & 0b1111).bit_count() >= 3 for one in found)
    assert any((one >> 6 & 0b1111).bit_count() >= 3 for one in found)
    assert len(found) == len(set(found))
    assert refiner.present.score >= start.score + 2 * LEAST_CLAIM


def test_that_a_search_that_is_ended_says_how_many_candidates_had_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refiner_module, "MANY_VARIABLES", 8)
    monkeypatch.setattr(refiner_module, "AT_A_TIME", 3)
    fitting, start = begun(two_hidden_causes())
    rounds = count(1)

    def run_all(tasks: Sequence[Callable[[], Scored | None]]) -> Iterator[Scored | None]:
        if next(rounds) == 2:
            raise StopRequested(StopReason.TIME_LIMIT)
        return (task() for task in tasks)

    refiner = Refiner(fitting, start, run_all=run_all)
    with pytest.raises(StopRequested):
        list(refiner.refine())
    assert refiner.n_tried == 3
    assert refiner.n_listed > 3


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
