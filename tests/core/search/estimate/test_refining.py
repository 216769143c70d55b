"""Refine and Auto are expected to take what looks at hidden causes take, under the objective that they maximise."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from support.builders import mixed

from latconf_core.control import RunControl, StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.search.algorithms.auto import SEARCH_SHARE
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.estimate.looks import N_SECOND, TimedLooks
from latconf_core.search.estimate.preflight import preflight
from latconf_core.search.estimate.probe import Probe
from latconf_core.search.estimate.refining import estimate_no_latents, estimate_refining, expect_looks

PAG = mixed("A o-> B", "B <-> C", "D o-> C")
AMPLE = 60.0


def chain_data() -> Dataset:
    """Each variable repeats the one before it nine times in ten, so that neighbours are joined."""
    rng = np.random.default_rng(5)
    columns = [rng.integers(2, size=300)]
    for _ in range(3):
        columns.append(np.where(rng.random(300) < 0.9, columns[-1], 1 - columns[-1]))
    return Dataset(list("ABCD"), [["no", "yes"]] * 4, np.stack(columns, axis=1))


DATA = chain_data()


def prepared_probe(control: RunControl | None = None) -> Probe:
    """A probe that knows the best DAG without latents."""
    probe = Probe(DATA, PAG, SearchOptions(), control or RunControl()).under(SEARCHES["refine"])
    probe.estimates["no-latents"] = estimate_no_latents(probe, SEARCHES["no-latents"], AMPLE)
    return probe


@pytest.mark.parametrize("name", list(SEARCHES))
def test_that_a_search_is_tried_under_the_objective_that_it_maximises(name: str) -> None:
    probe = Probe(DATA, PAG, SearchOptions(), RunControl())
    tried = probe.under(SEARCHES[name])
    assert tried.options.objective == SEARCHES[name].objective
    assert tried.vbem.prior == {"paper": "empirical", "calibrated": "flat"}[SEARCHES[name].objective]
    assert probe.options.objective is None


def test_that_an_objective_that_was_chosen_is_the_one_of_every_search() -> None:
    probe = Probe(DATA, PAG, SearchOptions(objective="calibrated"), RunControl())
    assert {probe.under(method).vbem.prior for method in SEARCHES.values()} == {"flat"}


def test_that_with_ample_time_every_candidate_gets_a_first_look_and_few_a_second() -> None:
    looks = TimedLooks(prepared_probe(), AMPLE)
    looks.look()
    assert len(looks.first) == looks.n_candidates >= 3  # a chain of four has three links
    assert looks.n_far == 11  # every group of two and more of four variables
    assert 0 < len(looks.thorough) <= N_SECOND
    assert looks.renewal
    assert min(looks.first + looks.far + looks.thorough + looks.renewal) > 0


def test_that_without_time_what_was_begun_tells_of_the_rest() -> None:
    control = RunControl(clock=count().__next__)  # at every look at the clock a second is gone
    looks = TimedLooks(prepared_probe(control), 1.0)
    looks.look()
    assert len(looks.first) == 1
    assert expect_looks(looks) >= looks.n_candidates * looks.first[0]


def test_that_dearer_looks_of_any_kind_are_expected_to_take_longer() -> None:
    looks = TimedLooks(prepared_probe(), AMPLE)
    looks.first, looks.far, looks.thorough, looks.renewal = [0.1], [0.1], [0.1], [0.1]
    before = expect_looks(looks)
    for kind in ("first", "far", "thorough", "renewal"):
        setattr(looks, kind, [0.2])
        assert expect_looks(looks) > before
        before = expect_looks(looks)


def test_that_refine_takes_longer_than_the_best_dag_without_latents() -> None:
    probe = prepared_probe()
    assert estimate_refining(probe, SEARCHES["refine"], AMPLE).seconds > probe.estimates["no-latents"].seconds


def test_that_auto_adds_no_more_for_the_pag_than_it_is_let() -> None:
    said = preflight(DATA, PAG, options=SearchOptions(time_limit=1e-3, restarts=4))
    assert said.seconds["auto"] - 4 * said.seconds["refine"] <= SEARCH_SHARE * 1e-3 + 1e-9


def test_that_cancelling_passes_through_a_look() -> None:
    probe = prepared_probe()
    probe.control = RunControl(lambda: True)
    with pytest.raises(StopRequested, match="cancelled"):
        TimedLooks(probe, AMPLE).look()


def test_that_a_probe_without_time_tells_something_of_every_search() -> None:
    said = preflight(DATA, PAG, options=SearchOptions(vbem=VbemOptions(restarts=1)), probe_seconds=1e-9)
    assert said.n_invariant == 1
    assert min(said.levels) == 1
    assert set(said.seconds) == set(SEARCHES)
