"""What the searches that need no PAG are expected to take: a little of each is tried on the data themselves."""

from __future__ import annotations

from statistics import fmean

from latconf_core.score.scorer import Scorer
from latconf_core.search.algorithms.auto import MOST_SEARCH_SECONDS, SEARCH_SHARE, choose_search
from latconf_core.search.catalogue import SEARCHES, SearchMethod
from latconf_core.search.estimate.looks import TimedLooks
from latconf_core.search.estimate.probe import Estimate, Probe, until_time
from latconf_core.search.refining.refiner import (
    N_RENEWALS,
    N_RENEWED,
    N_THOROUGH,
    N_THOROUGH_LARGE,
    N_WEAK_BEST,
    N_WEAK_FIRST,
)
from latconf_core.structure.best_dag import N_RANDOM_ORDERS, N_SHAKEN, reach_best_by

N_STEPS = 2 + N_RANDOM_ORDERS + N_SHAKEN  # a climb, one order from it, some random ones, and the best one shaken
RANDOM_ORDER, SHAKEN_ORDER = 0.6, 0.15  # of the first order's time, as measured: most families are known by then
UNKNOWN_CLIMB = 10.0  # times the time that was spent where not even the climb has ended
FIRST_LOOKS = 2.5  # times those at the first candidates, weak links and later rounds included: 1.3 to 3.4 measured
THOROUGH_LOOKS = N_THOROUGH + N_THOROUGH_LARGE + N_WEAK_BEST + N_WEAK_FIRST  # of a round that ends Refine
RENEWALS = N_RENEWED * N_RENEWALS  # of such a round; one that puts a latent in makes fewer of them, and polishes
RENEWAL_PER_THOROUGH = 0.5  # seconds, where there was no time for any: 0.2 to 1.5 measured where latents gain
UNSEEN_LOOKS = 40.0  # the whole by first looks alone, where there was no second: the median of 42 tables


def estimate_no_latents(probe: Probe, _method: SearchMethod, time_limit: float) -> Estimate:
    """As much of the search as there is time for; what is left, by the time of what was done."""
    control = probe.control.child(time_limit=time_limit)
    scorer = Scorer(probe.dataset, probe.vbem, control=control)
    steps: list[float] = []
    probe.reached.clear()
    with until_time():
        for dag in reach_best_by(scorer, seed=probe.options.seed, checkpoint=control.checkpoint, known=probe.known):
            probe.reached.append(dag)
            if not dag.is_on_the_way:
                steps.append(control.seconds())
    return Estimate(expect_all_steps(steps, control.seconds()))


def expect_all_steps(ends: list[float], spent: float) -> float:
    """The seconds of the whole search for the best DAG without latents.

    ends : when each step that was made ended; spent : all seconds, those of a step that did not end included
    """
    if len(ends) == N_STEPS:
        return ends[-1]
    if not ends:
        return UNKNOWN_CLIMB * spent
    climb = ends[0]
    made = ends if len(ends) > 1 else [climb, climb + max(climb, spent - climb)]  # an order takes longer than the climb
    first_order = made[1] - climb
    n_left = N_STEPS - len(made)
    n_shaken = min(n_left, N_SHAKEN)
    left = RANDOM_ORDER * (n_left - n_shaken) + SHAKEN_ORDER * n_shaken
    return max(spent, made[-1] + left * first_order)


def estimate_refining(probe: Probe, _method: SearchMethod, time_limit: float) -> Estimate:
    """The best DAG without latents, and looks at hidden causes as often as Refine makes them.

    Measured with Auto on 42 tables, on a busy machine: within a factor of two on 30 of them; on 37 the search took half
    to four times the figure. Hidden causes that only later looks show add rounds that are not foreseen.
    """
    before = probe.estimates["no-latents"].seconds
    if not probe.reached:
        return Estimate(UNKNOWN_CLIMB * before)
    looks = TimedLooks(probe, time_limit)
    looks.look()
    return Estimate(before + expect_looks(looks))


def expect_looks(looks: TimedLooks) -> float:
    """The seconds of all looks that Refine makes, by those that were timed."""
    first = looks.n_candidates * _mean(looks.first)
    if not looks.thorough:
        return UNSEEN_LOOKS * first
    thorough = _mean(looks.thorough)
    renewal = _mean(looks.renewal) if looks.renewal else RENEWAL_PER_THOROUGH * thorough
    return FIRST_LOOKS * first + looks.n_far * _mean(looks.far) + THOROUGH_LOOKS * thorough + RENEWALS * renewal


def estimate_auto(probe: Probe, _method: SearchMethod, time_limit: float) -> Estimate:
    """A search of the PAG, as far as it is let, then Refine as often as it is made anew."""
    refining = probe.options.restarts * probe.estimates["refine"].seconds
    return Estimate(refining + _expect_pag_search(probe, time_limit))


def _expect_pag_search(probe: Probe, time_limit: float) -> float:
    """The seconds of ILC-V or HCLC-V under the objective of Auto, as far as it is let."""
    name = "hclc-v"
    with until_time():
        name = choose_search(probe.make_trial(probe.make_scores(), time_limit))
    expected = SEARCHES[name].load_estimate()(probe, SEARCHES[name], time_limit).seconds
    limit = probe.options.time_limit
    return min(expected, MOST_SEARCH_SECONDS, float("inf") if limit is None else SEARCH_SHARE * limit)


def _mean(seconds: list[float]) -> float:
    return fmean(seconds) if seconds else 0.0
