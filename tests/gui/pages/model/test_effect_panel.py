"""Cause and effect: the range over equally good DAGs, the effect in numbers, intervals with progress and cancel."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from support.effect_truth import random_network
from support.model_acts import confounded, put_result, settle

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.effects.class_range import AnswerRange, range_over_class
from latconf_core.effects.effect import answer_effect
from latconf_core.inference.asking import InferenceEngine
from latconf_core.inference.question import Question
from latconf_core.wording.effect_texts import effect_lines
from latconf_gui.pages.model.asking.beliefs_model import RANGE
from latconf_gui.pages.model.asking.model_questions import ModelQuestions
from latconf_gui.pages.model.asking.pair_panel import PairPanel
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.widgets.range_bars import RangeBar, RangeBars
from latconf_gui.window.main_window import MainWindow

FRONT_DOOR = LatentDag(["x", "m", "y"], [("x", "m"), ("m", "y")], [Latent("L", 2, ("x", "y"))])
BOW = LatentDag(["x", "y"], [("x", "y")], [Latent("L", 2, ("x", "y"))])


@pytest.fixture
def page(whole_window: MainWindow, qtbot: QtBot) -> Iterator[ModelPage]:
    """Asking the small model about C and D."""
    page = put_result(whole_window, qtbot)
    page.asking.set_on(True)
    page.asking.panel.tabs.setCurrentWidget(page.asking.panel.pair)
    page.asking.panel.pair.ask_about("C", "D", "high")
    settle(page, qtbot)
    yield page
    page.asking.clear()
    page.asking.set_on(False)
    settle(page, qtbot)
    page.stop()


def test_that_bars_show_this_dag_and_the_range_of_all(page: ModelPage) -> None:
    network = page.network
    truth = range_over_class(InferenceEngine(network), {}, {"C": "high"})
    bars = page.asking.panel.pair.range.bars.bars
    assert [bar.label for bar in bars] == list(network.states("D"))
    for bar, (state, ends) in zip(bars, truth.of("D").items()):
        assert bar.label == state
        assert bar.value == pytest.approx(truth.answer["D"][state])
        assert (bar.least, bar.greatest) == pytest.approx(ends)


def test_that_the_numbers_are_those_of_the_core(page: ModelPage) -> None:
    panel = page.asking.panel.pair
    question = panel.question
    assert question is not None
    assert (question.cause, question.first, question.effect) == ("C", "high", "D")
    truth = answer_effect(InferenceEngine(page.network), question, data=confounded(), n_draws=0)
    assert panel.numbers_of_effect.lines == list(effect_lines(truth))


def test_that_another_contrast_is_another_question(page: ModelPage, qtbot: QtBot) -> None:
    part = page.asking.panel.pair.numbers_of_effect
    before = part.lines
    part.against.setCurrentIndex(1 - part.against.currentIndex())
    settle(page, qtbot)
    assert part.lines
    assert part.lines != before
    assert part.against.findText("high") < 0, "a state is not compared with itself"


def test_that_intervals_come_with_progress(page: ModelPage, qtbot: QtBot) -> None:
    part = page.asking.panel.pair.numbers_of_effect
    seen: list[tuple[int, int]] = []
    page.asking.questions.effect_drawn.connect(lambda done, total: seen.append((done, total)))
    part.intervals.click()
    assert part.progress.isVisible()
    assert part.cancel.isVisible()
    settle(page, qtbot)
    assert "95 % interval" in " ".join(text for _, text in part.lines)
    assert not part.progress.isVisible()
    assert not part.intervals.isVisible()
    assert [done for done, _ in seen] == list(range(seen[0][1]))


def test_that_cancel_keeps_the_numbers_without_intervals(page: ModelPage, qtbot: QtBot) -> None:
    part = page.asking.panel.pair.numbers_of_effect
    before = part.lines
    part.intervals.click()
    part.cancel.click()
    settle(page, qtbot)
    assert part.lines == before
    assert part.intervals.isVisible()
    assert not part.progress.isVisible()


def test_that_the_table_of_states_gives_the_range_of_what_is_set(page: ModelPage, qtbot: QtBot) -> None:
    panel, names = page.asking.panel, page.network.variables
    panel.tabs.setCurrentWidget(panel.table)
    assert panel.table.isColumnHidden(RANGE)
    page.asking.hold(page.asking.held.with_set(names.index("A"), 0))
    settle(page, qtbot)
    assert not panel.table.isColumnHidden(RANGE)
    truth = range_over_class(InferenceEngine(page.network), {}, {"A": "no"})
    row = panel.beliefs.row_of((names.index("D"), 0))
    least, greatest = next(iter(truth.of("D").values()))
    said = str(panel.beliefs.index(row, RANGE).data())
    assert said in (f"{least:.3f}", f"{least:.3f} – {greatest:.3f}")
    page.asking.clear()
    settle(page, qtbot)
    assert panel.table.isColumnHidden(RANGE)
    assert not panel.range.isVisible()


def ask(qtbot: QtBot, network: BayesNet) -> PairPanel:
    """The panel after an answer about x and y of a network."""
    panel, questions = PairPanel(), ModelQuestions()
    qtbot.addWidget(panel)
    panel.show_network(network)
    panel.ask_about("x", "y")
    questions.pair_answered.connect(panel.show_answer)
    with qtbot.waitSignal(
        questions.pair_answered, timeout=20_000, check_params_cb=lambda answer: isinstance(answer, AnswerRange)
    ):
        questions.ask_pair(network, ("x", "s1"), "y", given=Question({}, {}))
    qtbot.waitUntil(lambda: not questions.is_busy)
    return panel


def test_that_nothing_has_to_be_measured_where_a_front_door_is_open(qtbot: QtBot) -> None:
    rng = np.random.default_rng(1)
    front = ask(qtbot, random_network(rng, FRONT_DOOR, most_states=2))
    assert "through m" in front.adjustment.text()
    assert "would have to be measured" not in front.adjustment.text() + front.more.text()
    bow = ask(qtbot, random_network(rng, BOW, most_states=2))
    assert "L would have to be measured" in bow.adjustment.text()


def test_that_bars_say_their_numbers_to_a_screen_reader(qtbot: QtBot) -> None:
    bars = RangeBars()
    qtbot.addWidget(bars)
    bars.show_bars([RangeBar("yes", 0.4, 0.1, 0.6), RangeBar("no", 0.6, 0.6, 0.6)], title="D")
    assert bars.accessibleDescription() == "yes: 0.400 (0.100 – 0.600)\nno: 0.600"
    bars.resize(300, bars.sizeHint().height())
    bars.show()
    assert not bars.grab().isNull()
