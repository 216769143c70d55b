"""Lets edges of a canvas blink a few times, and stay marked afterwards."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QObject, QTimer

from latconf_gui.drawing.canvas import GraphCanvas
from latconf_gui.drawing.content.graph_drawing import Pair
from latconf_gui.look.colours import Highlight

BLINK_MILLISECONDS = 220
N_BLINKS = 3
REASON = "changes"


class Blinking(QObject):
    """Shows the edges that have changed; the last state is lit, so that nothing depends on having looked in time."""

    def __init__(self, canvas: GraphCanvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._pairs: tuple[Pair, ...] = ()
        self._n_left = 0  # changes between lit and unlit
        self._timer = QTimer(self, interval=BLINK_MILLISECONDS)
        self._timer.timeout.connect(self._step)

    @property
    def is_blinking(self) -> bool:
        return self._timer.isActive()

    def show(self, pairs: Collection[Pair]) -> None:
        """Let these edges blink, and no others."""
        self._pairs = tuple(pairs)
        self._n_left = 2 * N_BLINKS
        self._light(True)
        if self._pairs:
            self._timer.start()
        else:
            self._timer.stop()

    def _step(self) -> None:
        self._n_left -= 1
        self._light(self._n_left % 2 == 0)
        if self._n_left <= 0:
            self._timer.stop()

    def _light(self, is_lit: bool) -> None:
        self._canvas.highlight(REASON, dict.fromkeys(self._pairs, Highlight.CHANGED) if is_lit else {})
