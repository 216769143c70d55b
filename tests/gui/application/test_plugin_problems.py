"""A plug-in that cannot be used stands in the Problems dock, and the window opens as ever."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.toy_package import HOSTILE, install

from latconf_core.pag.learners.gfci import GFCI
from latconf_core.pag.learners.learner import Learner
from latconf_core.plugins import Catalogue
from latconf_gui import app
from latconf_gui.application import plugin_problems
from latconf_gui.window.main_window import MainWindow


def test_that_broken_plugins_are_named_in_problems(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(install(tmp_path, {"latconf.learners": HOSTILE}))
    learners = Catalogue("latconf.learners", (GFCI,), kind=Learner, check=lambda record: record.fault)
    monkeypatch.setattr(plugin_problems, "LEARNERS", learners)
    monkeypatch.setattr(app, "start_warm_up", lambda: None)
    app.begin(window, app.StartRequest())
    told = [message.what for message in window.problems.messages]
    assert len(told) == len(HOSTILE)
    assert all("of toy-plugins (latconf.learners) is left out" in what for what in told)
    assert {message.where for message in window.problems.messages} == {"Plug-ins"}
