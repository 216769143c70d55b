"""What the tests of the Lessons page share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot
from support.learn_acts import LearnHost


@pytest.fixture
def host(qtbot: QtBot) -> Iterator[LearnHost]:
    """A window with the Lessons page alone, which has reported nothing by the end of the test."""
    host = LearnHost()
    yield host
    assert host.problems == []
    host.end()
