"""What the Model page remembers of DAGs it has fitted."""

from __future__ import annotations

from dataclasses import replace

from pytestqt.qtbot import QtBot
from support.model_acts import small_result, state_with_data

from latconf_core.search.model_facts import ModelFacts
from latconf_gui.pages.model.fitting import ModelFitting


def test_that_a_dag_is_fitted_once_and_forgotten_with_its_document(qtbot: QtBot) -> None:
    fitting, state = ModelFitting(), state_with_data()
    result = small_result()
    assert result.best is not None
    seen: list[ModelFacts] = []
    fitting.fitted.connect(seen.append)
    fitting.ask(state, result, result.best)
    qtbot.waitUntil(lambda: bool(seen) and seen[-1].is_complete, timeout=60_000)
    qtbot.waitUntil(lambda: not fitting.is_busy)
    first = seen[-1]
    fitting.ask(state, result, result.best)
    assert seen[-1] is first
    other = replace(result, seconds=result.seconds + 1)
    fitting.ask(state_with_data(), other, result.best)  # another document, though the same table
    qtbot.waitUntil(lambda: not fitting.is_busy, timeout=60_000)
    assert [known for known, _ in fitting._known] == [other]
