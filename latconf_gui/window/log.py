"""The log: a rotating file, and the dock that shows what is written to it."""

from __future__ import annotations

import logging
import os
from collections import deque
from logging.handlers import RotatingFileHandler
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDockWidget, QPlainTextEdit, QWidget

MAX_LINES = 2000
TAIL_LINES = 200
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_OURS = ("latconf_core", "latconf_gui")


def log_folder() -> Path:
    """The folder of the program's own files; `LATCONF_LOG_FOLDER` names another one."""
    named = os.environ.get("LATCONF_LOG_FOLDER")
    return Path(named or QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation))


def start_file_log(folder: Path) -> logging.Handler | None:
    """Write the log of both packages to a rotating file; None where the folder cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(folder / "latconf.log", maxBytes=1_000_000, backupCount=3, encoding="utf-8")
    except OSError:
        return None
    attach(handler)
    return handler


def attach(handler: logging.Handler) -> None:
    handler.setFormatter(logging.Formatter(FORMAT))
    for name in _OURS:
        logging.getLogger(name).addHandler(handler)
        logging.getLogger(name).setLevel(logging.INFO)


def detach(handler: logging.Handler) -> None:
    for name in _OURS:
        logging.getLogger(name).removeHandler(handler)
    handler.close()


class _Bridge(QObject):
    written = Signal(str)


class _SignalHandler(logging.Handler):
    """Passes each line on as a signal, so that lines of any thread arrive on the window's."""

    def __init__(self) -> None:
        super().__init__()
        self.bridge = _Bridge()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self.bridge.written.emit(self.format(record))
        except RuntimeError:  # the window is gone already
            self.handleError(record)


class LogDock(QDockWidget):
    """The lines of the log since the start."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Log", parent)
        self.setObjectName("log_dock")
        self._tail: deque[str] = deque(maxlen=TAIL_LINES)
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setMaximumBlockCount(MAX_LINES)
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._text.setAccessibleName("Log")
        self.setWidget(self._text)
        self._handler = _SignalHandler()
        self._handler.bridge.written.connect(self._on_written)
        attach(self._handler)

    def tail(self) -> str:
        """The last lines."""
        return "\n".join(self._tail)

    def close_log(self) -> None:
        """Stop listening; called when the window closes."""
        detach(self._handler)

    def _on_written(self, line: str) -> None:
        self._tail.append(line)
        self._text.appendPlainText(line)
