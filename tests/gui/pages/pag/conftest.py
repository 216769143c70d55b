"""What the tests of the pages share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from support.pag_acts import Host


@pytest.fixture(scope="module")
def whole_host(qapp: QApplication) -> Iterator[Host]:
    host = Host()
    host.show()
    yield host
    host.runs.stop_all()
    host.page.stop()
    host.close()
    host.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def host(whole_host: Host, qtbot: QtBot) -> Iterator[Host]:
    """The window with the PAG page alone, nothing open."""
    whole_host.start_anew()
    whole_host.activateWindow()
    yield whole_host
    whole_host.start_anew()
