"""Costs are those of the scorer where there is time, and grow with the size of what is judged."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from support.builders import random_dataset

from latconf_core.control import RunControl, StopRequested
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.model.component import Component
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.naming import split, to_bits
from latconf_core.score.scorer import Scorer
from latconf_core.search.estimate.costs import CostedScores, Costs

DATA = random_dataset(np.random.default_rng(4), 2000, [4, 4, 4, 4])
LATENT = LatentDag("ABCD", [("C", "D")], [Latent("L1", 2, ("A", "B"))])
LARGER = LatentDag("ABCD", [("C", "A"), ("C", "B")], [Latent("L1", 2, ("A", "B", "D"))])


def component(dag: LatentDag) -> Component:
    return split(dag, DATA).components[0]


def costs(fit_seconds: float, control: RunControl | None = None) -> Costs:
    result = Costs(DATA, VbemOptions(), control=control or RunControl())
    result.fit_seconds = fit_seconds
    return result


def test_that_what_there_is_time_for_has_the_score_of_the_scorer() -> None:
    book = costs(60.0)
    scores = CostedScores(book)
    assert scores.p_elbo(to_bits(LATENT)) == pytest.approx(Scorer(DATA, VbemOptions()).score(LATENT).p_elbo)
    assert book.is_fitted(LATENT)
    assert scores.seconds <= book.spent
    assert book.fit_seconds < 60.0
    assert scores.posterior(LATENT) is not None


def test_that_what_there_is_no_time_for_explains_nothing_and_costs_more_the_larger_it_is() -> None:
    book = costs(0.0)
    apart = Scorer(DATA, VbemOptions()).score(LatentDag("ABCD", [("C", "D")])).p_elbo
    scores = CostedScores(book)
    assert scores.p_elbo(to_bits(LATENT)) == pytest.approx(apart)
    assert scores.posterior(LATENT) is None
    assert 0 < book.of_component(component(LATENT))[1] < book.of_component(component(LARGER))[1]


def test_that_a_fit_that_takes_longer_than_is_left_is_given_up() -> None:
    book = costs(0.0, RunControl(clock=count().__next__))  # at every look at the clock a second is gone
    expected = book.of_component(component(LARGER))[1]
    book.fit_seconds = 0.6 * expected
    assert book.of_component(component(LARGER))[1] == expected
    assert not book.is_fitted(LARGER)


def test_that_every_search_pays_for_a_part_once() -> None:
    book = costs(60.0)
    first, second = CostedScores(book), CostedScores(book)
    for scores in (first, first, second):
        scores.p_elbo(to_bits(LATENT))
    assert first.seconds == second.seconds > 0


def test_that_cancelling_passes_through() -> None:
    with pytest.raises(StopRequested, match="cancelled"):
        costs(60.0, RunControl(lambda: True)).of_component(component(LATENT))


def test_that_more_restarts_cost_more() -> None:
    few, many = (
        Costs(DATA, VbemOptions(restarts=restarts), control=RunControl()).of_component(component(LARGER))[1]
        for restarts in (10, 100)
    )
    assert few < many


def test_that_large_fits_are_judged_alike() -> None:
    data = random_dataset(np.random.default_rng(4), 20_000, [6, 6, 6, 6])
    book = Costs(data, VbemOptions(), control=RunControl())
    prices = [book.of_component(split(_over(data, n), data).components[0])[1] for n in (4, 8)]
    assert max(prices) < 2 * min(prices)  # the dearer an evaluation, the fewer, but for the moves of each run


def _over(data: Dataset, n_states: int) -> LatentDag:
    return LatentDag(data.names, [], [Latent("L1", n_states, data.names)])
