"""An activity of the Lessons page in the whole window, for tests that need its other pages too."""

from __future__ import annotations

from pytestqt.qtbot import QtBot
from support.learn_acts import settle

from latconf_gui.pages.learn.activity import Activity
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.window.main_window import MainWindow


def open_in_window(window: MainWindow, qtbot: QtBot, key: str) -> Activity:
    """The activity on the screen, with nothing running any more."""
    window.show_page("Lessons")
    activity = window.page(LearnPage).open_activity(key)
    settle(activity, qtbot)
    return activity
