"""What is said before a search, on graphs small enough to know it."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from support.builders import mixed, random_dataset
from support.random_knowledge import contradictions, draw_knowledge, edges_of

from latconf_core.control import RunControl, StopRequested
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.estimate.preflight import preflight
from latconf_core.search.estimate.probe import Probe
from latconf_core.search.estimate.refining import estimate_no_latents
from latconf_core.search.runner import run_search

DATA = random_dataset(np.random.default_rng(2), 100, [2, 2, 2, 2])
QUICK = SearchOptions(vbem=VbemOptions(restarts=1))


def test_that_circles_levels_and_the_invariant_edges_are_counted() -> None:
    pag = mixed("A o-> B", "B <-> C", "D o-> C")
    said = preflight(DATA, pag, options=QUICK)
    assert said.n_circles == 2
    assert said.n_invariant == 1
    assert dict(said.levels) == {1: 1, 2: 2, 3: 1, 4: 0}
    assert said.warnings == ()
    assert said.recommended == "auto"
    assert set(said.seconds) == set(SEARCHES)


def test_that_the_expected_last_level_is_where_the_search_stops() -> None:
    pag = mixed("A o-> B", "C o-> B", nodes=list("ABCD"))
    said = preflight(DATA, pag, options=QUICK)
    assert said.last_levels["ilc-v"] == max(run_search(DATA, pag, "ilc-v", options=QUICK).history.per_level())


def test_that_an_invalid_pag_is_told_with_its_reason_and_what_is_done() -> None:
    said = preflight(DATA, mixed("A <-> B", "A --> C", "C --> B", nodes=list("ABCD")), options=QUICK)
    assert said.pag_handling.kind == "repaired"
    assert said.standing.check.reasons


def test_that_levels_above_the_cap_are_warned_of() -> None:
    options = SearchOptions(max_candidates=2, vbem=VbemOptions(restarts=1))
    said = preflight(DATA, mixed("A o-o B", "B o-o C", "C o-o D"), options=options)
    assert any("more than 2 MAGs with 0 bidirected edges" in warning for warning in said.warnings)


def test_that_a_pag_with_more_bidirected_edges_than_allowed_is_warned_of() -> None:
    said = preflight(DATA, mixed("A <-> B", "C <-> D"), options=SearchOptions(max_bidirected=1))
    assert any("the PAG has 2 bidirected edges and the maximum is 1" in warning for warning in said.warnings)


def test_that_cancelling_passes_through() -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(StopRequested):
        preflight(DATA, mixed("A o-> B", nodes=list("ABCD")), control=RunControl(stop.is_set))


def test_that_a_search_whose_first_score_takes_longer_than_the_probe_is_expected_to_take_longer() -> None:
    data = random_dataset(np.random.default_rng(2), 20_000, [6, 6, 6, 6])
    said = preflight(data, mixed("A <-> B", "B <-> C", "C <-> D"), probe_seconds=0.1)
    assert min(said.seconds[name] for name, method in SEARCHES.items() if method.needs_pag) > 0.5


def test_that_the_whole_search_without_latents_is_told_from_its_first_steps() -> None:
    from latconf_core.search.estimate.refining import N_STEPS, expect_all_steps

    whole = [1.0 + step for step in range(N_STEPS)]
    assert expect_all_steps(whole, whole[-1]) == whole[-1]  # it was made
    assert expect_all_steps([], 0.5) > 0.5  # not even the climb has ended
    assert expect_all_steps([1.0, 3.0], 3.5) > expect_all_steps([1.0, 3.0, 4.0], 4.5) - 2.0 > 3.0


def test_that_auto_is_expected_to_take_at_least_what_refine_takes() -> None:
    said = preflight(DATA, mixed("A o-> B", "B <-> C", "D o-> C"), options=QUICK)
    assert said.seconds["auto"] >= said.seconds["refine"] >= said.seconds["no-latents"] > 0


def test_that_auto_is_not_recommended_where_it_would_take_too_long() -> None:
    options = SearchOptions(time_limit=1e-6, vbem=VbemOptions(restarts=1))
    said = preflight(DATA, mixed("A o-> B", "B <-> C", "D o-> C"), options=options)
    assert SEARCHES[said.recommended].needs_pag


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_that_nothing_is_tried_that_knowledge_rules_out(seed: int) -> None:
    """A trial raises where a visit contradicts the knowledge; CIL and GLSL may have nothing to try at all."""
    rng = np.random.default_rng(seed)
    data = random_dataset(rng, 60, [2, 2, 2, 2])
    knowledge = draw_knowledge(rng, data.names)
    pag = mixed("A o-o B", "B o-o C", "C o-o D", "A o-o C")
    said = preflight(data, pag, options=QUICK, probe_seconds=1.0, knowledge=knowledge)
    assert set(said.seconds) == set(SEARCHES)


def test_that_the_trial_of_the_best_dag_obeys_knowledge() -> None:
    knowledge = Knowledge(tiers=(("D",), ("A", "B"), ("C",)), required=(("D", "C"),))
    probe = Probe(DATA, mixed("A o-o B", nodes=list("ABCD")), QUICK, RunControl(), knowledge)
    estimate_no_latents(probe, SEARCHES["no-latents"], 60.0)
    assert probe.reached
    for reached in probe.reached:
        assert contradictions(knowledge, DATA.names, edges_of(DATA.names, reached.parents), []) == []


def test_that_a_search_longer_than_the_time_limit_is_named_by_its_title_with_a_round_duration() -> None:
    data = random_dataset(np.random.default_rng(2), 20_000, [6, 6, 6, 6])
    options = SearchOptions(time_limit=1e-3)
    said = preflight(data, mixed("A <-> B", "B <-> C", "C <-> D"), options=options, probe_seconds=0.1)
    longer = [warning for warning in said.warnings if "longer than the time limit" in warning]
    assert any(warning.startswith("HCLC-V is expected to take a") for warning in longer)
    assert not any(name in warning for warning in longer for name in ("hclc-v", "glsl+cil"))
