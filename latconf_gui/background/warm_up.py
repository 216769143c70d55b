"""Imports and compiles in the background what the first run would wait for."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterator

from latconf_core.control import RunControl
from latconf_gui.background.run_thread import RunThread

_log = logging.getLogger(__name__)


def start_warm_up() -> RunThread:
    """A thread that warms every kernel; closing the window neither asks about it nor waits for it."""
    thread = RunThread(_warm, is_waited_for=False)
    thread.failed.connect(lambda error: _log.warning("the kernels could not be warmed: %s", error))
    thread.start()
    return thread


def _warm(control: RunControl) -> Iterator[object]:
    from latconf_core.families.discrete import warm_up as warm_up_refining
    from latconf_core.score.scorer import warm_up

    control.checkpoint()
    importlib.import_module("latconf_gui.charts.live_chart")  # brings matplotlib
    control.checkpoint()
    warm_up()
    warm_up_refining()
    yield "warm"
