"""What the searches that need no PAG are expected to take, by the size of the data."""

from __future__ import annotations

from latconf_core.search.estimate.probe import Estimate, Probe
from latconf_core.search.methods import SearchMethod

SECONDS_PER_FAMILY = 2e-9  # and row: of the families of pairs of variables, all orders together
REFINING = 20.0  # times as long: a rough figure for tables of 10 to 37 variables


def estimate_no_latents(probe: Probe, _method: SearchMethod, _time_limit: float) -> Estimate:
    """The search over orders looks at families of all pairs of variables again and again."""
    dataset = probe.dataset
    return Estimate(0.05 + SECONDS_PER_FAMILY * dataset.n_variables**2 * 50 * dataset.n_rows)


def estimate_refining(probe: Probe, method: SearchMethod, time_limit: float) -> Estimate:
    """Insertions and judgements take a multiple of the search without latents."""
    return Estimate(REFINING * estimate_no_latents(probe, method, time_limit).seconds)
