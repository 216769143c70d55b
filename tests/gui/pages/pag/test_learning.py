from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.knowledge_acts import drag, use
from support.pag_acts import Host, agrees, change_mark, collider_data, put_data, put_graph, settle
from support.toy_learner import TOY_LEARNER, TOY_TEST

from latconf_core.control import Progress, RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.formats.projects.state_changes import add_pag
from latconf_core.independence.catalogue import INDEPENDENCE_TESTS
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.learning import PAG_PRESETS, PagOptions
from latconf_core.pag.events import LearnedPag, PagLearned
from latconf_core.pag.learners.catalogue import LEARNERS, run_learner
from latconf_core.wording.knowledge_sentences import conflict_sentence
from latconf_gui.pages.pag import learning as pag_learning
from latconf_gui.pages.pag.learn_panel import LearnPanel
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.window.main_window import MainWindow


def learn(qtbot: QtBot, page: PagPage) -> None:
    """Click Learn and wait for the new PAG."""
    before = page.document.state
    page.tabs.setCurrentWidget(page.learn_panel)
    qtbot.mouseClick(page.learn_panel.learn, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.document.state is not before and not page.is_learning, timeout=60_000)
    settle(qtbot, page)


@pytest.mark.parametrize("method", ["fci", "rfci", "cfci", "mfci", "gfci"])
def test_that_every_method_gives_the_graph_of_the_core_and_undo_takes_it_back(
    qtbot: QtBot, host: Host, method: str
) -> None:
    data, page = collider_data(), host.page
    put_data(host, data)
    panel = page.learn_panel
    panel.method.setCurrentIndex(panel.method.findData(method))
    panel.method.activated.emit(panel.method.currentIndex())
    learn(qtbot, page)
    assert page.document.pag == run_learner(data, PagOptions(method=method)).graph  # type: ignore[arg-type]
    assert agrees(page)
    assert page.document.pag.n_edges >= 3
    assert set(page.document.positions) == set(data.names)
    page.document.undo_stack.undo()
    assert page.document.pag is None
    assert page.document.positions == {}


def test_that_hand_layout_survives_learning_again(qtbot: QtBot, host: Host) -> None:
    put_data(host, collider_data())
    learn(qtbot, host.page)
    host.page.editor.move_nodes({"A": (-321.0, 45.0)})
    host.page.learn_panel.alpha.setValue(0.01)
    learn(qtbot, host.page)
    assert host.page.canvas.scene.positions()["A"] == (-321.0, 45.0)
    host.document.undo_stack.undo()
    assert host.page.canvas.scene.positions()["A"] == (-321.0, 45.0)


def test_that_presets_fill_the_form_and_a_change_makes_them_own_settings(host: Host) -> None:
    panel = host.page.learn_panel
    for name, options in PAG_PRESETS.items():
        panel.choose_preset(name)
        assert panel.options() == options
        assert panel.preset.currentData() == name
    panel.alpha.setValue(0.2)
    assert panel.preset.currentData() == ""
    assert panel.options().alpha == 0.2


def test_that_every_setting_of_a_learner_is_in_the_form(host: Host) -> None:
    panel = host.page.learn_panel
    other = PagOptions(
        method="gfci",
        alpha=0.011,
        statistic="chi-square",
        degrees_of_freedom="full",
        max_conditioning=3,
        skeleton_tests=70_000,
        stable_skeleton=False,
        complete_rules=False,
        valid_pag=False,
        checked_colliders=False,
        possible_dsep=False,
        possible_dsep_size=2,
        possible_dsep_tests=50_000,
        collider_tests=60_000,
        score_moves=80_000,
        sample_prior=7.0,
        structure_prior=2.5,
        structure_prior_over="rows",
        faithfulness=False,
        any_column_order=False,
    )
    differing = [name for name in vars(other) if getattr(other, name) == getattr(PagOptions(), name)]
    assert differing == []
    panel.show_options(other)
    panel._base = PagOptions()
    assert panel.options() == other


def test_that_knowledge_is_used_in_learning(qtbot: QtBot, host: Host) -> None:
    data = collider_data()
    put_data(host, data)
    host.page.knowledge.button.click()
    dialog = host.knowledge.dialog
    assert dialog is not None
    drag(dialog, ["A", "B", "D"], 0)
    drag(dialog, ["C"], 1)
    use(dialog, qtbot)
    knowledge = host.document.knowledge
    assert knowledge.tiers == (("A", "B", "D"), ("C",))
    assert "2 tiers" in host.page.knowledge.text.text()
    learn(qtbot, host.page)
    assert host.document.pag == run_learner(data, PagOptions(), knowledge=knowledge).graph
    assert host.document.pag != run_learner(data, PagOptions()).graph
    for _ in range(2):
        host.document.undo_stack.undo()
    assert host.document.knowledge == NO_KNOWLEDGE
    assert host.page.knowledge.text.text() == "Knowledge: none."


def test_that_a_pair_that_knowledge_keeps_apart_against_the_data_is_said(qtbot: QtBot, host: Host) -> None:
    put_data(host, collider_data())
    apart = Knowledge(tiers=(("C", "D"),), closed_tiers=frozenset({0}), no_hidden_cause=(("C", "D"),))
    host.document.set_knowledge(apart, "Keep C and D apart")
    learn(qtbot, host.page)
    kept = host.document.state.kept_pag
    assert kept is not None
    assert kept.learned is not None
    (conflict,) = kept.learned.knowledge_conflicts
    assert {conflict.first, conflict.second} == {"C", "D"}
    assert conflict_sentence(conflict) in host.page.learn_panel.state.text()
    assert conflict_sentence(conflict) in host.page.pag_inspector.text.text()
    assert host.document.pag is not None
    assert not host.document.pag.is_adjacent("C", "D")
    assert host.document.pag_origin.endswith(", with knowledge")


def slow_learning(started: threading.Event) -> object:
    """A learner that goes on until it is cancelled."""

    def events(data: Dataset, options: PagOptions, knowledge: Knowledge, control: RunControl) -> Iterator[object]:
        done = 0
        while True:
            control.checkpoint()
            started.set()
            done += 1
            yield Progress(min(done, 99), 100, "Testing")
            threading.Event().wait(0.005)

    return events


@pytest.fixture
def learning(host: Host, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> PagPage:
    """A page on which a PAG is being learned without end."""
    put_data(host, collider_data(100))
    put_graph(qtbot, host.page, mixed("A o-> C", "B o-> C", "C --> D"))
    started = threading.Event()
    monkeypatch.setattr(pag_learning, "_events", slow_learning(started))
    host.page.learn()
    qtbot.waitUntil(started.is_set)
    return host.page


def test_that_progress_is_shown_and_cancel_leaves_the_pag_as_it_was(qtbot: QtBot, learning: PagPage) -> None:
    before = learning.document.state
    qtbot.waitUntil(lambda: learning.learn_panel.progress.value() > 0)
    assert learning.learn_panel.state.text() == "Testing"
    qtbot.mouseClick(learning.learn_panel.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not learning.is_learning)
    assert learning.document.state is before
    assert "Cancelled" in learning.learn_panel.state.text()
    assert learning.learn_panel.learn.isEnabled()


def test_that_editing_while_learning_is_refused_with_a_sentence(qtbot: QtBot, host: Host, learning: PagPage) -> None:
    before = learning.document.state
    for act in (
        lambda: change_mark(learning, "A", "C"),
        lambda: learning.editor.add_edge("A", "B"),
        lambda: learning.editor.delete_edges([frozenset("AC")]),
        lambda: learning.start_drawing(),
    ):
        host.problems.clear()
        act()
        assert ["being learned" in said for said in host.problems] == [True]
    learning.learning.start(PagOptions())
    assert "already being learned" in host.problems[-1]
    assert learning.document.state is before
    learning.learning.cancel()
    qtbot.waitUntil(lambda: not learning.is_learning)


def test_that_other_data_ends_learning_and_keeps_its_result_away(qtbot: QtBot, learning: PagPage, host: Host) -> None:
    put_data(host, collider_data(60, seed=3))
    qtbot.waitUntil(lambda: not learning.is_learning)
    assert learning.document.dataset.n_rows == 60


def test_that_learning_from_one_variable_or_none_is_refused_with_a_sentence(host: Host) -> None:
    host.page.learning.start(PagOptions())
    assert "There are no data" in host.problems[-1]
    put_data(host, Dataset(["A"], [("no", "yes")], np.array([[0], [1]])))
    before = host.document.state
    host.page.learning.start(PagOptions())
    assert "a PAG needs at least two" in host.problems[-1]
    assert host.document.state is before
    assert not host.page.is_learning


def test_that_an_error_while_learning_is_said_and_changes_nothing(qtbot: QtBot, host: Host) -> None:
    put_data(host, Dataset("AB", [("no", "yes")] * 2, np.empty((0, 2), dtype=np.int64)))
    before = host.document.state
    host.page.learn()
    qtbot.waitUntil(lambda: not host.page.is_learning)
    assert "the data have no rows" in host.problems[-1]
    assert host.document.state is before


def shown_labels(panel: LearnPanel) -> set[str]:
    """What stands before, or on, the fields that can be seen."""
    fields = [field for field in panel.fields.values() if not field.isHidden()]
    return {field.accessibleName() for field in fields}


def test_that_the_form_shows_what_the_learner_and_its_test_use(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LEARNERS, TOY_LEARNER.name, TOY_LEARNER)
    monkeypatch.setitem(INDEPENDENCE_TESTS, TOY_TEST.name, TOY_TEST)
    panel = LearnPanel()
    qtbot.addWidget(panel)
    assert panel.method.itemText(panel.method.findData("toy")) == "Toy"
    panel.show_options(PagOptions(method="toy"))
    assert panel.about.text() == "The skeleton alone."
    assert shown_labels(panel) == {"Method", "Significance level", "Statistic", "Degrees of freedom"}
    panel.show_options(PagOptions(method="toy", statistic="agreement"))
    assert shown_labels(panel) == {"Method", "Significance level", "Statistic"}
    panel.show_options(PagOptions(method="fci"))
    assert "Order-independent skeleton" in shown_labels(panel)
    panel.show_options(PagOptions(method="gfci"))
    assert "Order-independent skeleton" not in shown_labels(panel)
    assert panel.options() == PagOptions(method="gfci")


def test_that_a_limit_is_said_with_its_unit(host: Host) -> None:
    panel = host.page.learn_panel
    tests = panel.fields["possible_dsep_tests"]
    assert (tests.accessibleName(), tests.text()) == ("Maximum possible-d-sep tests", "200,000 tests")
    panel.show_options(replace(PagOptions(), possible_dsep_tests=None))
    assert tests.text() == "no limit"


def test_that_the_form_shows_how_the_pag_of_an_opened_project_was_learned(qtbot: QtBot, host: Host) -> None:
    panel = host.page.learn_panel
    graph, empty = mixed("A o-> C", "B o-> C"), host.document.state

    def learned_by(method: str, alpha: float) -> ProjectState:
        options = PagOptions(method=method, alpha=alpha)
        learned = LearnedPag(
            graph, options, sepsets={}, n_tests=1, truncated=False, notes=(), conflicts=(), ambiguous=(), seconds=0.1
        )
        return add_pag(empty, graph, origin="learned", events=[PagLearned(learned)])

    learned = learned_by("gfci", 0.01)
    host.document.open_state(learned, "Open a project")
    assert (panel.options().method, panel.options().alpha) == ("gfci", 0.01)
    panel.show_options(PagOptions(method="rfci"))
    host.page.editor.add_edge("A", "B")  # the same PAG still: what is being chosen stays
    assert panel.options() == PagOptions(method="rfci")
    host.document.open_state(add_pag(empty, graph, origin="pag.txt"), "Import pag.txt")
    assert panel.options() == PagOptions(method="rfci")
    host.document.open_state(learned_by("mfci", 0.05), "Open another")
    assert panel.options() == PagOptions(method="mfci")


def test_that_every_button_that_learns_says_why_it_cannot_while_no_column_can_be_used(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    table = tmp_path / "holes.csv"
    table.write_text("A,B\n" + "no,NA\nNA,yes\n" * 10)  # two columns of one state each
    window.opener.open_path(table)
    qtbot.waitUntil(lambda: bool(window.document.state.obstacle), timeout=20_000)
    window.show_page("PAG")
    page = window.page(PagPage)
    panel, action = page.learn_panel, window.actions_by_id["pag.learn"]
    [invitation] = [one for one in page.canvas.findChildren(QPushButton) if one.text() == "Learn the PAG"]
    assert [one.isEnabled() for one in (panel.learn, action, invitation)] == [False] * 3
    assert panel.reason.isVisible()
    assert "can be used" in panel.reason.text()
    tips = [one.toolTip().splitlines()[-1] for one in (action, invitation, panel.learn)]
    assert tips == [panel.reason.text()] * 3
    qtbot.mouseClick(panel.go_to_data, Qt.MouseButton.LeftButton)
    assert window.current_page.title == "Data"
    window.opener.prepare(lambda preparation: replace(preparation, include=frozenset("AB")), "Use both")
    qtbot.waitUntil(lambda: window.document.dataset is not None, timeout=20_000)
    window.show_page("PAG")
    assert [one.isEnabled() for one in (panel.learn, action, invitation)] == [True] * 3
    assert not panel.reason.isVisible()
    assert not panel.go_to_data.isVisible()
    assert action.toolTip() == invitation.toolTip() == "Learn a PAG from the data (Ctrl+L)"


def test_that_learning_waits_for_a_search_and_says_so(host: Host) -> None:
    put_data(host, collider_data(100))
    panel = host.page.learn_panel
    host.document.hold("A search is running; stop it first.")
    assert (panel.learn.isEnabled(), panel.reason.text()) == (False, "A search is running; stop it first.")
    assert panel.go_to_data.isHidden()
    host.document.release()
    assert panel.learn.isEnabled()
    assert panel.reason.isHidden()
