"""Three hundred things a person might do in More data, Guess the hidden and the Help, at fixed seeds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from support.lab_acts import open_in_window
from support.learn_acts import settle

from latconf_core.teaching.glossary import glossary
from latconf_gui.pages.learn.guess.guess_activity import GuessActivity
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.learn.more_data.more_data_activity import MoreDataActivity
from latconf_gui.window.main_window import MainWindow

N_ACTIONS = 300
KEYS = (
    *(Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Space, Qt.Key.Key_E),
    *(Qt.Key.Key_M, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Tab, Qt.Key.Key_Return, Qt.Key.Key_F1, Qt.Key.Key_F9),
)
SMALL = ("asia", "cancer", "earthquake", "survey")


class Person:
    """Chooses what to do next."""

    def __init__(self, window: MainWindow, qtbot: QtBot, rng: np.random.Generator) -> None:
        self.window, self.qtbot, self.rng = window, qtbot, rng
        self.page = window.page(LearnPage)
        self.more = self.page.activity("more_data")
        self.guess = self.page.activity("guess")
        assert isinstance(self.more, MoreDataActivity)
        assert isinstance(self.guess, GuessActivity)
        self.acts: tuple[Callable[[], None], ...] = (
            *(self.switch, self.press_a_key, self.press_a_key, self.click_the_stage, self.slide, self.tick),
            *(self.choose_a_network, self.pose, self.reveal, self.ask_for_help, self.stop, self.wait, self.keep),
        )

    def one_of(self, *things: object) -> object:
        return things[self.rng.integers(len(things))]

    def act(self) -> None:
        self.acts[self.rng.integers(len(self.acts))]()

    def switch(self) -> None:
        self.page.open_activity(str(self.rng.choice(("more_data", "guess"))))

    def press_a_key(self) -> None:
        targets: list[QWidget] = [self.more.form.rows.slider, self.more.form.alpha.slider, self.more.chart]
        targets += [self.guess.marks, self.guess.stage.panes[0].view, self.more.stage.panes[0].view]
        target = targets[self.rng.integers(len(targets))]
        if target.isVisible():
            target.setFocus()
            QTest.keyClick(target, KEYS[self.rng.integers(len(KEYS))])

    def click_the_stage(self) -> None:
        current = self.page.current
        if isinstance(current, (MoreDataActivity, GuessActivity)):
            view = current.stage.panes[0].view.viewport()
            q_point = QPoint(int(self.rng.integers(view.width())), int(self.rng.integers(view.height())))
            nodes = current.stage.scenes[0].node_items()
            if nodes and self.rng.random() < 0.7:
                node = nodes[self.rng.integers(len(nodes))]
                q_point = current.stage.panes[0].view.mapFromScene(node.pos())
            QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=q_point)

    def slide(self) -> None:
        slider = self.more.form.rows.slider if self.rng.random() < 0.7 else self.more.form.alpha.slider
        slider.setValue(int(self.rng.integers(slider.maximum() + 1)))

    def tick(self) -> None:
        listed = self.more.form.hidden if self.page.current is self.more else self.guess.marks
        if listed.count():
            item = listed.item(int(self.rng.integers(listed.count())))
            if item.flags() & Qt.ItemFlag.ItemIsUserCheckable:
                item.setCheckState(Qt.CheckState.Checked if self.rng.random() < 0.5 else Qt.CheckState.Unchecked)

    def choose_a_network(self) -> None:
        name = str(self.rng.choice(SMALL))
        if self.page.current is self.more:
            self.more.form.choose_network(name)
            self.more.form.network_chosen.emit(name)
        else:
            self.guess.form.source.setCurrentIndex(self.guess.form.source.findData(name))
            self.guess.form.chosen.emit()

    def pose(self) -> None:
        self.guess.form.source.setCurrentIndex(0)
        self.guess.form.new_button.click()

    def reveal(self) -> None:
        self.guess.reveal_button.click()

    def ask_for_help(self) -> None:
        words = str(self.rng.choice(("", "edge", "zzz", "hidden", "ctrl")))
        self.window.help.show_term(str(self.rng.choice(list(glossary()))))
        self.window.help.field.setText(words)
        self.window.help.tabs.setCurrentIndex(int(self.rng.integers(2)))
        if self.rng.random() < 0.5:
            self.window.help.close()

    def stop(self) -> None:
        (self.more if self.rng.random() < 0.5 else self.guess).stop_button.click()

    def wait(self) -> None:
        for _ in range(int(self.rng.integers(1, 20))):
            QApplication.processEvents()

    def keep(self) -> None:
        """What is kept brings back the same."""
        activity = self.more if self.rng.random() < 0.5 else self.guess
        kept = activity.state()
        activity.restore(kept)
        assert activity.state() == kept


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.exhaustive)])
def test_that_anything_can_be_done_in_any_order(window: MainWindow, qtbot: QtBot, seed: int) -> None:
    open_in_window(window, qtbot, "more_data")
    n_before = window.problems.n_reported
    person = Person(window, qtbot, np.random.default_rng(seed))
    for _ in range(N_ACTIONS):
        person.act()
        points, rounds = person.guess.points, person.guess.rounds
        assert 0 <= points <= 10 * rounds
        assert person.guess.is_revealed or not person.guess.score_text.text()
    person.page.stop()
    for activity in (person.more, person.guess):
        settle(activity, qtbot)
    assert window.problems.n_reported == n_before
    if window.settings.is_projecting:
        window.actions_by_id["view.projector"].trigger()
