"""Runs a layout beside the window: a program of its own, so that graphviz can neither block nor crash it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QProcess, QProcessEnvironment, Signal

import latconf_gui
from latconf_core.children import module_command
from latconf_core.errors import LatconfError
from latconf_core.graph.marks import Edge, Mark
from latconf_gui.drawing.content.graph_drawing import Drawing, Positions
from latconf_gui.drawing.layout.graphviz_layout import Engine, LayoutRequest

_MODULE = "latconf_gui.drawing.layout.graphviz_layout"


class LayoutError(LatconfError):
    """A layout that could not be computed."""


class LayoutProcess(QObject):
    """One layout at a time; a new request ends the one under way.

    `finished` carries name → centre; `failed` carries the error. Neither comes after `cancel`.
    """

    finished = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        app = QCoreApplication.instance()
        if app is not None:
            app.aboutToQuit.connect(self.cancel)

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def start(self, request: LayoutRequest) -> None:
        """Begin a layout; the answer comes as a signal."""
        self.cancel()
        process = QProcess(self)
        process.setProcessEnvironment(_environment())
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        self._process = process
        program, *words = module_command(_MODULE)
        process.start(program, words)
        process.write(request.to_json().encode())
        process.closeWriteChannel()

    def cancel(self) -> None:
        """End the layout under way, if any; no signal follows."""
        process = self._release()
        if process is not None:
            process.kill()
            process.waitForFinished(1000)

    def _release(self) -> QProcess | None:
        """The process under way, no longer ours: Qt deletes it when it is safe."""
        process, self._process = self._process, None
        if process is not None:
            process.finished.disconnect(self._on_finished)
            process.errorOccurred.disconnect(self._on_error)
            process.deleteLater()
        return process

    def _on_finished(self, code: int, _status: object) -> None:
        process = self._release()
        if process is None:
            return
        output = bytes(process.readAllStandardOutput().data())
        complaint = bytes(process.readAllStandardError().data()).decode(errors="replace").strip()
        if code != 0 or not output:
            reason = complaint.splitlines()[-1] if complaint else f"graphviz ended with code {code}"
            self.failed.emit(LayoutError(f"the layout failed ({reason}); try another one"))
            return
        self.finished.emit({name: (float(x), float(y)) for name, (x, y) in json.loads(output).items()})

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart and self._release() is not None:
            self.failed.emit(LayoutError("the layout program could not be started; try again or move nodes manually"))


def _environment() -> QProcessEnvironment:
    """Ours, with this package first on the path and nothing of the folder one happens to be in."""
    environment = QProcessEnvironment.systemEnvironment()
    folder = str(Path(latconf_gui.__file__).resolve().parent.parent)
    others = environment.value("PYTHONPATH")
    environment.insert("PYTHONPATH", f"{folder}{os.pathsep}{others}" if others else folder)
    environment.insert("PYTHONSAFEPATH", "1")
    return environment


def layout_request(
    drawing: Drawing,
    sizes: dict[str, tuple[float, float]],
    *,
    engine: Engine,
    frame: tuple[float, float],
    places: Positions | None = None,
    is_layered: bool = False,
) -> LayoutRequest:
    """The request that lays out a drawing whose nodes have these sizes, or fits its places to the frame.

    is_layered : in rows, arrows downwards and latents on top
    """
    index = {name: i for i, name in enumerate(drawing.names)}
    return LayoutRequest(
        engine,
        drawing.names,
        tuple(sizes[name] for name in drawing.names),
        tuple(_downwards(index, drawn.edge) for drawn in drawing.edges),
        frame,
        () if places is None else tuple(places[name] for name in drawing.names),
        is_layered,
        tuple(i for i, node in enumerate(drawing.nodes) if node.is_latent) if is_layered else (),
    )


def _downwards(index: Mapping[str, int], edge: Edge) -> tuple[int, int]:
    """The two ends of an edge, the one that may cause the other first."""
    points_back = edge.at_first == Mark.ARROW and edge.at_second != Mark.ARROW
    ends = (edge.second, edge.first) if points_back else (edge.first, edge.second)
    return index[ends[0]], index[ends[1]]
