"""What CIL, GLSL and hill-climbing are expected to take: each is begun on the data, which tells of the rest."""

from __future__ import annotations

from typing import NamedTuple

from latconf_core.control import StopRequested
from latconf_core.errors import GraphError
from latconf_core.search.catalogue import SearchMethod
from latconf_core.search.estimate.probe import CUT, Estimate, Probe, pass_on_cancelling
from latconf_core.search.outcome.events import CandidateScored, LevelStarted, StatesTried
from latconf_core.search.runner import prepare_run

MOVES_PER_VARIABLE = 2  # of a climb, about
STEPS_PER_PAIR = 4  # visits of GLSL for each pair that it tries


class _Begun(NamedTuple):
    """A search that was begun: its seconds, visits and levels, and whether it came to its end."""

    seconds: float
    n_visits: int
    n_levels: int
    is_complete: bool


def estimate_hill_climbing(probe: Probe, method: SearchMethod, time_limit: float) -> Estimate:
    """A climb, or by the moves that it made."""
    return _expect(_begin(probe, method, time_limit), MOVES_PER_VARIABLE * probe.dataset.n_variables)


def estimate_glsl(probe: Probe, method: SearchMethod, time_limit: float) -> Estimate:
    """The search itself, or by how many of the visits of one iteration it made."""
    return _expect(_begin(probe, method, time_limit), STEPS_PER_PAIR * probe.options.glsl.n_pairs)


def estimate_cil(probe: Probe, method: SearchMethod, time_limit: float) -> Estimate:
    """The search itself, or by how many of its rounds it made."""
    begun = _begin(probe, method, time_limit)
    if begun.is_complete:
        return Estimate(begun.seconds)
    return Estimate(begun.seconds * max(CUT, probe.dataset.n_variables / max(begun.n_levels, 1)))


def estimate_glsl_from_cil(probe: Probe, _method: SearchMethod, _time_limit: float) -> Estimate:
    """CIL and GLSL, which were tried before."""
    return Estimate(probe.estimates["cil"].seconds + probe.estimates["glsl"].seconds)


def _expect(begun: _Begun, n_visits: int) -> Estimate:
    if begun.is_complete:
        return Estimate(begun.seconds)
    return Estimate(begun.seconds * max(CUT, n_visits / max(begun.n_visits, 1)))


def _begin(probe: Probe, method: SearchMethod, time_limit: float) -> _Begun:
    control = probe.control.child(time_limit=time_limit)
    n_visits, n_levels, is_complete = 0, 0, False
    try:
        run = prepare_run(
            probe.dataset,
            probe.pag_handling.graph,
            method.name,
            options=probe.options,
            control=control,
            knowledge=probe.knowledge,
        )
        for event in method.load_search()(run):
            n_levels += isinstance(event, LevelStarted)
            n_visits += isinstance(event, CandidateScored | StatesTried)
        is_complete = True
    except GraphError:  # nothing of its kind obeys the knowledge: the search says so at once
        is_complete = True
    except StopRequested as stop:
        pass_on_cancelling(stop)
    return _Begun(control.seconds(), n_visits, n_levels, is_complete)
