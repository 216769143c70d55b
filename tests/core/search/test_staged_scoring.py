from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from support.builders import mixed

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.model.bit_dag import BitDag, Hidden
from latconf_core.model.component import Component
from latconf_core.options.scoring import Effort, VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.score.naming import to_dag
from latconf_core.score.scorer import Scorer
from latconf_core.search.algorithms.latent_states import search_states
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import prepare_run, run_search
from latconf_core.search.staged_scoring import LEAST_REACH

PAG = mixed("A o-o B", "A o-o C", "B o-o C", "C o-> D", "E o-> D", "F --> E")


def confounded(n_states: int, n_rows: int = 800) -> Dataset:
    """A, B and C, of some states, follow a hidden variable of three; D follows C and E, E follows F."""
    rng = np.random.default_rng(3)
    hidden = rng.integers(3, size=n_rows)

    def noisy(of: np.ndarray, n: int) -> np.ndarray:
        return np.where(rng.random(n_rows) < 0.8, of % n, rng.integers(n, size=n_rows))

    a, b, c = (noisy(hidden, n_states) for _ in range(3))
    f = rng.integers(2, size=n_rows)
    e = noisy(f, 2)
    columns = np.stack([a, b, c, noisy(c + e, 3), e, f], axis=1)
    return Dataset("ABCDEF", [[str(k) for k in range(n)] for n in (*[n_states] * 3, 3, 2, 2)], columns)


DATA = confounded(5)  # so many states that a full fit takes many tries
EASY = confounded(3)


@cache
def result_of(effort: Effort, search: str, *, workers: int = 1) -> SearchResult:
    options = SearchOptions(effort=effort, seed=2, workers=workers, max_states=4)
    return run_search(DATA, PAG, search, options=options)


@pytest.mark.parametrize("search", ["ilc-v", "hclc-v"])
def test_that_a_light_first_look_loses_nothing(search: str) -> None:
    light, full = (result_of(effort, search) for effort in ("light", "full"))
    assert {visit.effort for visit in full.history} == {"full"}
    for of_light, of_full in (
        (light.p_elbo, full.p_elbo),
        (light.best_with_latents, full.best_with_latents),
        (light.best_without_latents, full.best_without_latents),
    ):
        assert of_light is not None
        assert of_full is not None
        assert of_light >= of_full - 0.01


@pytest.mark.parametrize("search", ["ilc-v", "hclc-v"])
def test_that_what_was_only_looked_at_is_out_of_reach_or_below_the_best_with_full_effort_too(search: str) -> None:
    history, full = result_of("light", search).history, Scorer(DATA, VbemOptions(seed=2))
    best = history.best_with_latents
    assert best is not None
    assert best.effort == "full"
    assert history.best is not None
    assert history.best.effort == "full"
    light = [visit for visit in history if visit.effort == "light" and visit.kind == "candidate"]
    assert light
    assert all(visit.n_latents for visit in light)  # without latents a score is exact
    for visit in light:
        if visit.p_elbo > best.p_elbo - LEAST_REACH:
            assert full.score(to_dag(visit.candidate, DATA.names)).p_elbo <= best.p_elbo


@pytest.mark.parametrize("search", ["ilc-v", "hclc-v"])
def test_that_efforts_do_not_depend_on_the_number_of_workers(search: str) -> None:
    histories = [result_of("light", search, workers=workers).history for workers in (1, 2, 4)]
    assert histories[0] == histories[1] == histories[2]
    assert {visit.effort for visit in histories[0]} == {"light", "full"}


def test_that_one_state_more_begins_where_the_smaller_model_ended() -> None:
    scorer = Scorer(EASY, VbemOptions(seed=1))
    two, three = (Component(6, (Hidden(0b111, n_states),), (0, 0, 0)) for n_states in (2, 3))
    light = scorer.at_effort("light")
    poor = light.fit(three)
    light.known.components[three] = poor.__class__(**{**vars(poor), "elbo": -np.inf, "p_elbo": -np.inf})
    splitting = light.improve_by_splitting(two, scorer.fit(two), three)
    assert splitting.elbo == pytest.approx(scorer.fit(three).elbo, abs=0.1)
    assert light.fit(three) is splitting


def test_that_a_fit_that_is_easy_is_full_at_the_first_look() -> None:
    easy, hard = Scorer(EASY, VbemOptions(seed=1)), Scorer(DATA, VbemOptions(seed=1))
    pair, group = Component(6, (Hidden(0b011),), (0, 0)), Component(6, (Hidden(0b111, 4),), (0, 0, 0))
    first_look = easy.at_effort("light").fit(pair)
    assert first_look.is_full
    assert first_look.elbo == easy.fit(pair).elbo
    assert hard.fit(group).is_full
    assert not hard.at_effort("light").fit(group).is_full


def test_that_a_glance_makes_no_moves_and_is_a_bound_of_what_more_effort_finds() -> None:
    group, scorer = Component(6, (Hidden(0b111, 4),), (0, 0, 0)), Scorer(DATA, VbemOptions(seed=1))
    glance, light = (scorer.at_effort(effort).fit(group) for effort in ("glance", "light"))
    assert not glance.is_full
    assert glance.iterations < light.iterations
    assert glance.elbo <= scorer.fit(group).elbo + 0.01  # the tolerance of a light fit


def test_that_parts_are_looked_at_again_where_a_better_fit_was_found() -> None:
    scorer = Scorer(EASY, VbemOptions(seed=1))
    candidate = BitDag((0, 0, 0, 0b010100, 0b100000, 0), (Hidden(0b111),))
    for child, parents in scorer.known.unknown_families(*candidate):
        scorer.family_score(child, parents)
    (part,) = scorer.known.parts(*candidate)
    assert scorer.known.p_elbo(*candidate) is None
    fit = scorer.fit(part)
    before = scorer.known.p_elbo(*candidate)
    assert before == pytest.approx(scorer.score(to_dag(candidate, EASY.names)).p_elbo)
    assert not scorer.known.look(*candidate)[0].is_final
    scorer.known.keep_final(part, fit.__class__(**{**vars(fit), "p_elbo": fit.p_elbo + 1.0}))
    assert scorer.known.p_elbo(*candidate) == pytest.approx(before + 1.0)
    assert scorer.known.look(*candidate)[0].is_final


def test_that_state_trials_below_the_bar_are_no_worse_with_full_effort() -> None:
    history, full = result_of("light", "ilc-v").history, Scorer(DATA, VbemOptions(seed=2))
    best = history.best_with_latents
    assert best is not None
    left = [visit for visit in history if visit.kind == "states" and visit.effort == "light"]
    assert left
    for visit in left:
        assert full.score(to_dag(visit.candidate, DATA.names)).p_elbo <= best.p_elbo


def test_that_a_smaller_model_of_other_latents_is_no_start() -> None:
    scorer = Scorer(EASY, VbemOptions(seed=1))
    two, other = Component(6, (Hidden(0b111),), (0, 0, 0)), Component(6, (Hidden(0b011, 3),), (0, 0))
    with pytest.raises(ValueError, match="one state more"):
        scorer.improve_by_splitting(two, scorer.fit(two), other)


def test_that_the_states_of_the_best_dag_are_found_from_a_light_look() -> None:
    run = prepare_run(EASY, PAG, "ilc-v", options=SearchOptions(seed=2), control=RunControl())
    candidate = BitDag((0, 0, 0, 0b010100, 0b100000, 0), (Hidden(0b111),))
    list(run.visit([candidate], level=3))
    trials = list(search_states(run))
    best = run.history.best_with_latents
    assert best is not None
    assert best.candidate.latents[0].n_states == 3
    assert best.effort == "full"
    assert trials[0].n_states == 3
