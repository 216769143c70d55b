"""The readers of what the window keeps: recovery files, their list, settings, and graphs that are dragged."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from PySide6.QtCore import QMimeData, QSettings
from support.small_runs import GRAPH

from fuzz.reader import Reader
from latconf_core.control import RunControl
from latconf_core.errors import LatconfError
from latconf_gui.application.compared_graph import MIME, ComparedGraph, dragged_graph
from latconf_gui.application.recovering import _listed, _read_one
from latconf_gui.application.settings import Settings

_INI = b"""[General]
recent_files=/x/a.csv, /x/b.latconf
colour_scheme=dark
text_percent=120
is_projecting=true
shows_inspector=false
geometry=@ByteArray(\\x1\\xd9\\xd0\\xcb\\0\\x3)
dock_state=@ByteArray(\\0\\0\\0\\xff)
folder=@Variant(\\0\\0\\0\\x7f)
"""


def window_readers(project: bytes) -> Iterator[Reader]:
    """project : a project file"""
    yield Reader("recovery file", ".recovery", _read_recovery, tuple(_recoveries(project)))
    yield Reader("recovery list", ".json", _listed, (b'["/x/a.recovery", "/x/b.recovery"]',))
    yield Reader("settings", ".ini", _read_settings, (_INI,))
    dragged = ComparedGraph("A", "PAG", GRAPH).to_item("PAG").to_json()
    yield Reader("dragged graph", ".json", _take_drag, (json.dumps(dragged).encode(),))


def _recoveries(project: bytes) -> Iterator[bytes]:
    for note in ({"project": None, "stamp": None}, {"project": "/x/a.latconf", "stamp": [5, 6, "digest"]}):
        held = BytesIO(project)
        with zipfile.ZipFile(held, "a") as archive:
            archive.writestr("recovery.json", json.dumps(note))
        yield held.getvalue()


def _read_recovery(path: Path) -> object:
    """As the window does at its start: what is damaged is passed over, what is read can be described."""
    found = list(_read_one(path, None, None, RunControl()))
    return [one.recovery.describe() for one in found]  # type: ignore[attr-defined]


def _read_settings(path: Path) -> object:
    """Everything that the window asks of its settings, and that it can keep them again."""
    place = path.parent / "latconf"
    place.mkdir(exist_ok=True)
    (place / "latconf.ini").write_bytes(path.read_bytes())
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(path.parent))
    settings = Settings()
    asked = (
        settings.recent_files,
        settings.colour_scheme,
        settings.text_percent,
        settings.is_projecting,
        settings.shows_inspector,
    )
    layout = settings.window_layout()
    settings.remember_file(path)
    settings.keep_window_layout(*layout)
    return asked, settings.recent_files, str(settings.value("folder", ""))


def _take_drag(path: Path) -> object:
    mime = QMimeData()
    mime.setData(MIME, path.read_bytes())
    graph = dragged_graph(mime)
    if graph is None:
        raise LatconfError("it carries something else")
    return graph.to_mime()
