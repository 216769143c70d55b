"""What a command does before its clock starts."""

from __future__ import annotations

import gc


def get_ready() -> None:
    """Load or compile every kernel, and keep the collector of garbage from looking through all of it in the middle."""
    from latconf_core.score.scorer import warm_up
    from latconf_core.search.refining.soft_scores import warm_up as warm_up_refining

    warm_up()
    warm_up_refining()
    gc.collect()
    gc.freeze()
