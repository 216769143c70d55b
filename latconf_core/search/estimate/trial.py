"""What a search is expected to take, from a trial of the search itself."""

from __future__ import annotations

from itertools import chain

from latconf_core.search.catalogue import SearchMethod
from latconf_core.search.estimate.probe import CUT, FIT_SHARE, Estimate, Probe, read_result


def estimate_by_trial(probe: Probe, method: SearchMethod, time_limit: float) -> Estimate:
    """The seconds of a trial; where it does not end, by the share of its candidates that it scored."""
    scores = probe.make_scores()
    run = probe.make_trial(scores, time_limit)
    trial = probe.go_through(
        run, chain(method.load_search()(run), read_result(run)), fit_seconds=FIT_SHARE * time_limit
    )
    seconds = trial.seconds + scores.seconds + probe.seconds_of_full_fits(run.history)
    if trial.is_cut:
        n_scored = max(len(run.history), 1)
        seconds *= trial.n_expected / n_scored if n_scored < trial.n_expected else CUT
    return Estimate(seconds)
