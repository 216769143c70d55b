"""What a command does before its clock starts."""

from __future__ import annotations

import gc

NEW_OBJECTS = 100_000  # until the collector looks at them: the visits of a search hold no cycles and are many


def get_ready() -> None:
    """Load or compile every kernel, and keep the collector of garbage from looking through all of it in the middle."""
    from latconf_core.families.discrete import warm_up as warm_up_refining
    from latconf_core.score.scorer import warm_up

    warm_up()
    warm_up_refining()
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 20, 20)
