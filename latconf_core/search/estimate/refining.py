"""What the searches that need no PAG are expected to take: a little of each is tried on the data themselves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from latconf_core.control import StopRequested
from latconf_core.score.scorer import Scorer
from latconf_core.search.algorithms.auto import MOST_SEARCH_SECONDS
from latconf_core.search.catalogue import SearchMethod
from latconf_core.search.estimate.probe import Estimate, Probe, pass_on_cancelling
from latconf_core.search.judgement import as_scored, make_fitting
from latconf_core.search.references import reach_best
from latconf_core.search.refining.candidates import list_candidates
from latconf_core.search.refining.insertion import Insertion
from latconf_core.structure.best_dag import N_RANDOM_ORDERS, FoundDag

N_STEPS = N_RANDOM_ORDERS + 2  # a climb, then one order from it and some random ones
LATER_STEP = 0.6  # of the first order's time, because most families are known by then
UNKNOWN_CLIMB = 10.0  # times the time that was spent where not even the climb has ended
N_TRIED = 8  # insertions, spread over all candidates
LOOKS = 12.0  # times all first looks: second looks, polishing, what is tried again after a latent was put in
ORDERS = 10.0  # times the search without latents: orders are searched again with latents and where they led


def estimate_no_latents(probe: Probe, _method: SearchMethod, time_limit: float) -> Estimate:
    """As much of the search as there is time for; what is left, by the time of what was done."""
    control = probe.control.child(time_limit=time_limit)
    scorer = Scorer(probe.dataset, probe.vbem, control=control)
    steps: list[float] = []
    found: list[FoundDag] = []
    with _until_time():
        for reached in reach_best(
            probe.dataset.n_variables, scorer.family_score, seed=probe.options.seed, checkpoint=control.checkpoint
        ):
            found.append(reached)
            steps.append(control.seconds())
    probe.reference = max(found, key=lambda one: one.score, default=None)
    return Estimate(expect_all_steps(steps, control.seconds()))


def expect_all_steps(ends: list[float], spent: float) -> float:
    """The seconds of the whole search for the best DAG without latents.

    ends : when each step that was made ended; spent : all seconds, those of a step that did not end included
    """
    if len(ends) == N_STEPS:
        return ends[-1]
    if len(ends) < 2:
        return UNKNOWN_CLIMB * spent
    first_order = ends[1] - ends[0]
    return max(spent, ends[-1] + LATER_STEP * first_order * (N_STEPS - len(ends)))


def estimate_refining(probe: Probe, _method: SearchMethod, time_limit: float) -> Estimate:
    """First looks at some hidden causes, times how many there are to look at, and searches over orders.

    The multiples were measured on examples and random networks; the figure is right within a factor of three there.
    """
    before = probe.estimates["no-latents"].seconds
    if probe.reference is None:
        return Estimate(UNKNOWN_CLIMB * before)
    control = probe.control.child(time_limit=time_limit)
    scorer = Scorer(probe.dataset, probe.vbem, control=control)
    fitting = make_fitting(scorer, probe.options.max_states, control.checkpoint)
    base = as_scored(probe.reference)
    candidates = list_candidates([base.model])
    insertion = Insertion(fitting)
    n_tried = 0
    with _until_time():
        for children in candidates[:: max(1, len(candidates) // N_TRIED)]:
            insertion.quick(base, children)
            n_tried += 1
    each = control.seconds() / max(n_tried, 1)
    return Estimate(before + ORDERS * before + LOOKS * len(candidates) * each)


def estimate_auto(probe: Probe, _method: SearchMethod, _time_limit: float) -> Estimate:
    """A search of the PAG, as far as it is let, then Refine."""
    known = probe.estimates
    return Estimate(known["refine"].seconds + min(known["hclc-v"].seconds, MOST_SEARCH_SECONDS))


@contextmanager
def _until_time() -> Iterator[None]:
    """Lets the end of the time pass; other stops are told."""
    try:
        yield
    except StopRequested as stop:
        pass_on_cancelling(stop)
