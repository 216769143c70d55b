"""A stability that is measured once for all tests."""

from __future__ import annotations

from functools import cache

from support.small_runs import confounded, small_run

from latconf_core.options.learning import PagOptions
from latconf_core.options.resampling import StabilityOptions
from latconf_core.stability.stability_result import Stability
from latconf_core.stability.stability_run import StabilityFinished, Whole, start_stability


@cache
def small_stability(*, searches: bool = True) -> Stability:
    """Three samples of the small data, learned from and, where asked for, searched."""
    result = small_run()
    options = StabilityOptions(
        samples=3,
        learner=PagOptions(method="gfci"),
        search="hclc-v" if searches else None,
        search_options=result.options,
    )
    *_, last = start_stability(confounded(), options, whole=Whole(result.pag, result.best))
    assert isinstance(last, StabilityFinished)
    return last.stability
