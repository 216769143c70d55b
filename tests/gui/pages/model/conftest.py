"""What the tests of the Model page share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from support.open_window import open_window

from latconf_gui.application.settings import Settings
from latconf_gui.window.main_window import MainWindow


@pytest.fixture(scope="module")
def whole_window(qapp: QApplication) -> Iterator[MainWindow]:
    """One window for all tests of a module, each of which puts its own result into it."""
    with open_window(qapp, Settings()) as window:
        yield window
