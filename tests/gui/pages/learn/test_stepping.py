"""Step through a learner."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QPushButton, QSlider, QToolButton
from pytestqt.qtbot import QtBot
from support.small_runs import confounded

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.formats.projects.project_state import (
    OpenedProject,
    Preparation,
    ProjectState,
    open_project,
    prepare_state,
    save_state,
)
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import EdgeRemoved
from latconf_core.pag.learners.catalogue import LEARNERS, run_learner
from latconf_core.teaching.drawn_dag import DrawnDag, places_on_circle
from latconf_core.teaching.prediction import Guess
from latconf_core.teaching.starter_dags import STARTER_DAGS
from latconf_core.wording.step_texts import step_kind, tell_step
from latconf_gui.look.colours import Highlight
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.learn.stepping import stepping_activity
from latconf_gui.pages.learn.stepping.stepping_activity import CANCELLED, SteppingActivity
from latconf_gui.window.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def activity(window: MainWindow, qtbot: QtBot) -> SteppingActivity:
    window.show_page("Lessons")
    result = window.page(LearnPage).open_activity("steps")
    assert isinstance(result, SteppingActivity)
    settle(qtbot, result)
    return result


def settle(qtbot: QtBot, activity: SteppingActivity) -> None:
    qtbot.waitUntil(lambda: not activity.is_busy, timeout=30_000)


def choose(qtbot: QtBot, box: QComboBox, value: str, activity: SteppingActivity) -> None:
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())
    settle(qtbot, activity)


def lit(activity: SteppingActivity) -> dict[str, Highlight]:
    items = activity.scene.edge_items()
    return {"".join(sorted(item.pair)): item.highlight for item in items if item.highlight != Highlight.NONE}


def shown(activity: SteppingActivity) -> set[str]:
    """The edges as the scene shows them, but for one that goes in this step."""
    kept = [item for item in activity.scene.edge_items() if item.highlight != Highlight.REMOVED]
    return {str(item.edge) for item in kept}


def go_to(activity: SteppingActivity, kind: str) -> int:
    assert activity.replay is not None
    step = next(k for k, event in enumerate(activity.replay.events) if step_kind(event) == kind)
    activity.player.go(step)
    return step


def test_that_something_is_there_at_once_and_the_last_step_is_the_pag(activity: SteppingActivity) -> None:
    assert activity.replay is not None
    assert activity.player.step == 0
    assert activity.step_text.text()
    activity.player.go(activity.player.slider.maximum())
    assert shown(activity) == {str(edge) for edge in STARTER_DAGS["Collider and its effect"].pag.edges()}


@pytest.mark.parametrize("learner", list(LEARNERS))
def test_that_every_step_shows_its_graph_forwards_and_backwards(
    qtbot: QtBot, activity: SteppingActivity, learner: str
) -> None:
    choose(qtbot, activity.form.dag, "Discriminating path", activity)
    choose(qtbot, activity.form.learner, learner, activity)
    assert activity.run.origin == ("dag" if LEARNERS[learner].takes_oracle else "rows")
    replay = activity.replay
    assert replay is not None
    for step in (*range(len(replay)), *range(replay.last, -1, -1)):
        activity.player.go(step)
        assert shown(activity) == {str(edge) for edge in replay.graph(step).edges()}
        assert activity.step_text.text() == tell_step(replay, step, is_exact=activity.run.is_exact).text
        assert activity.player.place.text() == f"Step {step + 1} of {len(replay)}"


def test_that_a_removed_edge_is_still_seen_with_its_separating_set(activity: SteppingActivity) -> None:
    step = go_to(activity, "Edge removed")
    activity.player.go(step + 2)  # A and D given C
    assert lit(activity) == {"AD": Highlight.REMOVED}
    assert [item.name for item in activity.scene.node_items() if item.is_given] == ["C"]
    assert [item.name for item in activity.stage.scenes[0].node_items() if item.is_given] == ["C"]


def test_that_a_rule_lights_the_edge_it_changes_and_the_triple_it_saw(activity: SteppingActivity) -> None:
    go_to(activity, "R1")
    assert lit(activity) == {"AC": Highlight.PATH, "CD": Highlight.CHANGED}
    assert activity.step_text.text().startswith("R1: The graph has A o-> C and C o-o D")


def test_that_one_changed_mark_is_ringed(qtbot: QtBot, activity: SteppingActivity) -> None:
    choose(qtbot, activity.form.dag, "Discriminating path", activity)
    go_to(activity, "R4")
    assert activity.scene.edge_item("B", "C").active_end == "B"
    activity.player.go(activity.player.step + 1)
    assert activity.scene.edge_item("B", "C").active_end is None


def test_that_added_edges_of_the_score_search_are_lit(qtbot: QtBot, activity: SteppingActivity) -> None:
    choose(qtbot, activity.form.learner, "gfci", activity)
    go_to(activity, "Score")
    assert Highlight.ADDED in lit(activity).values()
    assert " nats" in activity.step_text.text()


def test_that_gfci_takes_rows_and_the_dag_takes_a_learner_that_needs_none(
    qtbot: QtBot, activity: SteppingActivity
) -> None:
    choose(qtbot, activity.form.learner, "gfci", activity)
    assert (activity.run.origin, activity.form.origin.read()) == ("rows", "rows")
    choose(qtbot, activity.form.origin, "dag", activity)
    assert (activity.run.learner, activity.form.learner.read()) == ("fci", "fci")


def test_that_the_list_follows_is_filtered_and_leads(qtbot: QtBot, activity: SteppingActivity) -> None:
    replay = activity.replay
    assert replay is not None
    assert activity.steps.steps.rowCount() == len(replay)
    activity.player.go(4)
    assert activity.steps.list.currentIndex().row() == 4
    choose(qtbot, activity.steps.kind, "Edge removed", activity)
    removed = [k for k, event in enumerate(replay.events) if isinstance(event, EdgeRemoved)]
    assert activity.steps.steps.steps == removed
    activity.steps.list.setCurrentIndex(activity.steps.steps.index(1))
    assert activity.player.step == removed[1]
    activity.player.go(0)
    assert not activity.steps.list.currentIndex().isValid()


def test_that_the_slider_and_keys_go_through_the_steps(qtbot: QtBot, activity: SteppingActivity) -> None:
    activity.setFocus()
    slider = activity.player.slider
    last = slider.maximum()
    for key, step in (
        (Qt.Key.Key_Right, 1),
        (Qt.Key.Key_Right, 2),
        (Qt.Key.Key_Left, 1),
        (Qt.Key.Key_End, last),
        (Qt.Key.Key_Left, last - 1),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_Left, 0),
    ):
        qtbot.keyClick(slider, key)
        assert activity.player.step == step
    view = activity.stage.canvas(1).view
    view.setFocus()
    for key, step in ((Qt.Key.Key_Right, 1), (Qt.Key.Key_End, last), (Qt.Key.Key_Left, last - 1), (Qt.Key.Key_Home, 0)):
        qtbot.keyClick(view, key, Qt.KeyboardModifier.ControlModifier)
        assert activity.player.step == step


def click(activity: SteppingActivity, place: QPointF) -> None:
    view = activity.stage.canvas(1).view
    QTest.mouseClick(view.viewport(), LEFT, pos=view.mapFromScene(place))


def test_that_guesses_are_judged_counted_and_revealed(qtbot: QtBot, activity: SteppingActivity) -> None:
    activity.predictions.mode.click()
    assert activity.player.step == 1  # what a part does is said before its first question
    assert activity.predictions.question.text().startswith(
        "Which edge or mark changes next (skeleton, empty conditioning set)?"
    )
    activity.stage.fit()
    for name in ("A", "B"):
        click(activity, activity.scene.node_item(name).pos())
    assert (activity.predictions.right, activity.predictions.wrong) == (1, 0)
    assert activity.player.step == 2
    assert activity.predictions.verdict.text() == "Right."
    activity.predictions.nothing.click()  # at the end of sets of nothing
    assert activity.predictions.right == 2
    mark = activity.scene.edge_item("A", "C").mark_items["C"]
    click(activity, mark.middle)
    assert (activity.predictions.right, activity.predictions.wrong) == (2, 1)
    assert "next: A - D removed, given C" in activity.predictions.verdict.text()
    assert activity.predictions.points.text() == "2 right, 1 wrong"
    before = activity.player.step
    activity.predictions.reveal.click()
    assert activity.player.step == before + 1
    assert (activity.predictions.right, activity.predictions.wrong) == (2, 1)
    activity.predictions.restart.click()
    assert activity.predictions.points.text() == "0 right, 0 wrong"


def test_that_what_is_to_be_guessed_stands_in_no_list(qtbot: QtBot, activity: SteppingActivity) -> None:
    assert activity.replay is not None
    activity.predictions.mode.click()
    assert activity.steps.steps.rowCount() == 2
    activity.guess(Guess(("A", "B")))
    assert activity.steps.steps.rowCount() == activity.player.step + 1
    activity.player.go(0)
    assert activity.steps.steps.rowCount() == 1
    activity.predictions.mode.click()
    assert activity.steps.steps.rowCount() == len(activity.replay)


def test_that_the_legend_gives_way_where_there_is_little_height(
    qtbot: QtBot, window: MainWindow, activity: SteppingActivity
) -> None:
    line = activity.fontMetrics().height()
    window.resize(1000, 60 * line)
    qtbot.waitUntil(lambda: activity.stage.legend.isVisible())
    window.resize(1000, 30 * line)
    qtbot.waitUntil(lambda: not activity.stage.legend.isVisible())


def test_that_clicks_change_nothing_while_nothing_is_asked(activity: SteppingActivity) -> None:
    activity.guess(Guess(("A", "B")))
    activity.scene.node_clicked.emit("A")
    assert (activity.player.step, activity.predictions.right, activity.predictions.wrong) == (0, 0, 0)
    activity.predictions.mode.click()
    activity.player.go(activity.player.slider.maximum())
    activity.guess(Guess())
    assert activity.predictions.right == 0
    assert not activity.predictions.nothing.isEnabled()


def test_that_a_click_on_a_mark_names_the_step_that_put_it(activity: SteppingActivity) -> None:
    activity.player.go(activity.player.slider.maximum())
    activity.stage.fit()
    click(activity, activity.scene.edge_item("C", "D").mark_items["C"].middle)
    assert "was set in step" in activity.note.text()
    assert "R1" in activity.note.text()


def test_that_the_graph_of_a_step_goes_to_compare(qtbot: QtBot, window: MainWindow, activity: SteppingActivity) -> None:
    activity.player.go(3)
    with qtbot.waitSignal(window.document.compare_asked) as asked:
        activity.to_compare.click()
    assert asked.args[0].name == "FCI, step 4"
    assert activity.replay is not None
    assert asked.args[0].content == activity.replay.graph(3)
    qtbot.waitUntil(lambda: not window.page(ComparePage).is_busy)


def test_that_a_whole_run_can_be_guessed_from_the_keyboard_alone(qtbot: QtBot, activity: SteppingActivity) -> None:
    view = activity.stage.canvas(1).view
    activity.setFocus()
    qtbot.keyClick(activity.player.slider, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    assert activity.predictions.is_on
    view.setFocus()
    activity.scene.select_edge("A", "B")
    qtbot.keyClick(view, Qt.Key.Key_Space)
    assert activity.predictions.right == 1
    qtbot.keyClick(view, Qt.Key.Key_E)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert activity.predictions.right + activity.predictions.wrong == 2
    activity.predictions.nothing.setFocus()
    qtbot.keyClick(activity.predictions.nothing, Qt.Key.Key_Space)
    assert activity.predictions.right + activity.predictions.wrong == 3
    activity.form.learner.setFocus()
    qtbot.keyClick(activity.form.learner, Qt.Key.Key_Down)
    settle(qtbot, activity)
    assert activity.run.learner == "rfci"


def test_that_every_control_is_reached_by_tab_and_has_a_name(qtbot: QtBot, activity: SteppingActivity) -> None:
    activity.predictions.mode.click()
    kinds = (QComboBox, QSlider, QToolButton, QPushButton, QAbstractSpinBox)
    controls = [
        widget
        for kind in kinds
        for widget in activity.findChildren(kind)
        if widget.isVisible() and widget.isEnabled() and not isinstance(widget.parent(), QAbstractSpinBox)
    ]
    assert controls
    for widget in controls:
        assert widget.accessibleName() or widget.text(), widget
        assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus, widget


def prepared_state(data: Dataset | None = None) -> ProjectState:
    state = ProjectState(name="confounded", raw=table_of_dataset(data or confounded()))
    return prepare_state(state, Preparation(missing_marks=()))


def open_data(window: MainWindow, data: Dataset | None = None) -> None:
    """Open data, and the activity again: another document begins with the first one."""
    window.document.open_state(prepared_state(data), "Open")
    window.page(LearnPage).open_activity("steps")


@pytest.mark.parametrize("learner", list(LEARNERS))
def test_that_the_loaded_data_are_learned_from_as_on_the_pag_page(
    qtbot: QtBot, window: MainWindow, activity: SteppingActivity, learner: str
) -> None:
    choose(qtbot, activity.form.origin, "data", activity)
    assert "There is no data" in activity.problem.text()
    assert not activity.player.isEnabled()
    open_data(window)
    choose(qtbot, activity.form.origin, "data", activity)
    choose(qtbot, activity.form.learner, learner, activity)
    assert activity.problem.text() == ""
    activity.player.go(activity.player.slider.maximum())
    data = window.document.dataset
    assert data is not None
    assert shown(activity) == {str(e) for e in run_learner(data, PagOptions(method=learner)).graph.edges()}
    assert activity.stage.panes[0].isHidden()


def test_that_other_data_start_the_run_anew(qtbot: QtBot, window: MainWindow, activity: SteppingActivity) -> None:
    open_data(window)
    choose(qtbot, activity.form.origin, "data", activity)
    activity.player.go(2)
    before, other = activity.replay, prepared_state(confounded(60))
    window.document.change(replace(window.document.state, raw=other.raw, prepared=other.prepared), "Fewer rows")
    settle(qtbot, activity)
    assert activity.replay is not before
    assert activity.player.step == 0
    window.document.change(replace(window.document.state, raw=None, prepared=None), "No rows")
    settle(qtbot, activity)
    assert "There is no data" in activity.problem.text()
    window.document.undo_stack.undo()
    settle(qtbot, activity)
    assert activity.replay is not None
    assert activity.replay.nodes == ("A", "B", "C")


def test_that_nothing_is_learned_while_nobody_looks(
    qtbot: QtBot, window: MainWindow, activity: SteppingActivity
) -> None:
    open_data(window)
    choose(qtbot, activity.form.origin, "data", activity)
    window.show_page("Data")
    other = prepared_state(confounded(60))
    window.document.change(replace(window.document.state, raw=other.raw, prepared=other.prepared), "Fewer rows")
    assert not activity.is_busy
    assert activity.replay is None
    window.show_page("Lessons")
    settle(qtbot, activity)
    assert activity.replay is not None


def test_that_a_large_graph_is_laid_out(qtbot: QtBot, window: MainWindow, activity: SteppingActivity) -> None:
    data = sample(load_example("alarm"), 200, rng=np.random.default_rng(0)).dataset
    open_data(window, data)
    choose(qtbot, activity.form.origin, "data", activity)
    circle = set(places_on_circle(data.names).values())
    assert not circle & set(activity.scene.positions().values())
    activity.player.go(activity.player.slider.maximum())
    assert activity.note.text() == ""


def test_that_of_too_many_edges_only_those_of_the_step_are_drawn(
    qtbot: QtBot, activity: SteppingActivity, monkeypatch: pytest.MonkeyPatch
) -> None:
    from latconf_gui.pages.learn.stepping import step_drawing

    monkeypatch.setattr(step_drawing, "MOST_EDGES", 3)
    activity.player.go(1)
    assert activity.scene.edge_items() == []
    assert activity.note.text().startswith("Only the edges of this step are drawn: 6 are too many")
    activity.player.go(2)
    assert lit(activity) == {"AB": Highlight.REMOVED}
    assert len(activity.scene.edge_items()) == 1
    activity.player.go(activity.player.slider.maximum())
    assert activity.note.text() == ""
    assert len(activity.scene.edge_items()) == 3


def test_that_a_run_can_be_cancelled(qtbot: QtBot, activity: SteppingActivity, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(_run: object, control: RunControl, **_known: object) -> Iterator[object]:
        while True:
            control.checkpoint()
            yield from ()

    monkeypatch.setattr(stepping_activity, "learn_in_steps", endless)
    box = activity.form.learner
    box.setCurrentIndex(box.findData("rfci"))
    box.activated.emit(box.currentIndex())
    assert activity.cancel.isVisible()
    activity.cancel.click()
    settle(qtbot, activity)
    assert activity.problem.text() == CANCELLED
    assert not activity.cancel.isVisible()
    monkeypatch.undo()
    choose(qtbot, activity.form.learner, "fci", activity)
    assert activity.replay is not None


def test_that_a_dag_from_elsewhere_is_learned_from(
    qtbot: QtBot, window: MainWindow, activity: SteppingActivity
) -> None:
    dag = DrawnDag(("X", "H", "Y", "Z"), (("H", "X"), ("H", "Y"), ("Z", "Y")), frozenset({"H"}))
    window.page(LearnPage).try_dag("steps", dag)
    settle(qtbot, activity)
    assert activity.replay is not None
    assert activity.replay.nodes == ("X", "Y", "Z")
    assert activity.form.dag.currentText() == "from another activity"
    activity.player.go(activity.player.slider.maximum())
    assert shown(activity) == {str(edge) for edge in dag.pag.edges()}


def test_that_moved_nodes_stay_where_they_are_put(qtbot: QtBot, activity: SteppingActivity) -> None:
    activity.player.go(3)
    activity.scene.nodes_moved.emit({"A": (-50.0, -20.0)})
    activity.player.go(4)
    assert activity.scene.positions()["A"] == (-50.0, -20.0)
    assert activity.run.dag.positions["A"] == (-50.0, -20.0)
    assert activity.form.dag.read() == "Collider and its effect"
    choose(qtbot, activity.form.learner, "mfci", activity)
    assert activity.scene.positions()["A"] == (-50.0, -20.0)


def test_that_position_mode_and_points_are_saved_and_come_back(
    qtbot: QtBot, window: MainWindow, activity: SteppingActivity, tmp_path: Path
) -> None:
    choose(qtbot, activity.form.dag, "Discriminating path", activity)
    choose(qtbot, activity.form.learner, "cfci", activity)
    activity.predictions.mode.click()
    activity.guess(Guess(("B", "D")))
    activity.guess(Guess(("B", "A")))
    step = activity.player.step
    choose(qtbot, activity.steps.kind, "Edge removed", activity)
    state = activity.state()
    path = tmp_path / "lecture.latconf"
    list(save_state(window.document.state, path, RunControl(), post=lambda _progress: None))
    (opened,) = open_project(path, RunControl(), post=lambda _progress: None)
    assert isinstance(opened, OpenedProject)
    window.document.open_state(ProjectState(), "New")
    settle(qtbot, activity)
    assert (activity.run.learner, activity.player.step, activity.predictions.is_on) == ("fci", 0, False)
    window.document.open_state(opened.state, "Open")
    settle(qtbot, activity)
    assert activity.state() == state
    assert (activity.run.learner, activity.player.step) == ("cfci", step)
    assert (activity.predictions.right, activity.predictions.wrong) == (1, 1)
    assert activity.steps.shown_kind == "Edge removed"


@pytest.mark.parametrize(
    "state", [{"run": 3}, {"run": {"dag": {"nodes": []}}}, {"step": 3}, {"run": {"learner": "pc"}}]
)
def test_that_odd_states_begin_anew(
    qtbot: QtBot, window: MainWindow, activity: SteppingActivity, state: dict[str, object]
) -> None:
    learn = {"open": "steps", "activities": {"steps": state}}
    window.document.open_state(ProjectState(learn=learn), "Open")
    settle(qtbot, activity)
    assert activity.replay is not None
    assert activity.player.step == 0


def test_that_the_dag_can_be_left_out_for_more_room(qtbot: QtBot, activity: SteppingActivity) -> None:
    activity.form.shows_dag.click()
    assert activity.stage.panes[0].isHidden()
    activity.player.go(3)
    assert shown(activity)
    activity.form.shows_dag.click()
    assert not activity.stage.panes[0].isHidden()


def act(activity: SteppingActivity, window: MainWindow, rng: random.Random) -> None:
    """One thing that a person may do."""
    form, player = activity.form, activity.player
    acts = ("step", "step", "key", "guess", "guess", "node", "mode", "button", "choice", "kind", "list", "move", "data")
    match rng.choice(acts):
        case "step":
            player.go(rng.randrange(-2, 30))
        case "key":
            widget = rng.choice((player.slider, activity.stage.canvas(1).view, activity.steps.list))
            keys = ["Left", "Right", "Home", "End", "Space", "Return", "E", "M", "Up", "Down", "Tab"]
            QTest.keyClick(widget, getattr(Qt.Key, f"Key_{rng.choice(keys)}"))
        case "guess" if activity.scene.edge_items():
            item = rng.choice(activity.scene.edge_items())
            activity.scene.click(rng.choice((item, *item.mark_items.values())))
        case "node" if activity.scene.node_items():
            activity.scene.click(rng.choice(activity.scene.node_items()))
        case "mode":
            activity.predictions.mode.click()
        case "button":
            panel = activity.predictions
            rng.choice(
                (panel.nothing, panel.reveal, panel.restart, form.again, form.shows_dag, activity.cancel)
            ).click()
        case "choice":
            box = rng.choice((form.learner, form.origin, form.dag))
            box.setCurrentIndex(rng.randrange(box.count()))
            box.activated.emit(box.currentIndex())
        case "kind":
            box = activity.steps.kind
            box.setCurrentIndex(rng.randrange(box.count()))
            box.activated.emit(box.currentIndex())
        case "list" if activity.steps.steps.rowCount():
            activity.steps.list.setCurrentIndex(
                activity.steps.steps.index(rng.randrange(activity.steps.steps.rowCount()))
            )
        case "move" if activity.scene.node_items():
            name = rng.choice(activity.scene.node_items()).name
            activity.scene.nodes_moved.emit({name: (rng.uniform(-200, 200), rng.uniform(-200, 200))})
        case "data":
            rng.choice(
                (
                    lambda: window.document.open_state(prepared_state(), "Open"),
                    window.document.undo_stack.undo,
                    window.document.undo_stack.redo,
                    lambda: form.rows.setValue(rng.choice((50, 300))),
                    lambda: form.alpha.setValue(rng.choice((0.01, 0.1))),
                )
            )()
            window.page(LearnPage).open_activity("steps")


def check(activity: SteppingActivity) -> None:
    """What always holds."""
    if activity.replay is None:
        assert activity.problem.text()
        return
    step = activity.player.step
    assert shown(activity) == {str(edge) for edge in activity.replay.graph(step).edges()}
    assert activity.step_text.text() == tell_step(activity.replay, step, is_exact=activity.run.is_exact).text
    assert activity.form.run == activity.run
    assert (activity.form.learner.read(), activity.form.origin.read()) == (activity.run.learner, activity.run.origin)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.exhaustive)])
def test_that_three_hundred_random_actions_do_no_harm(
    qtbot: QtBot, window: MainWindow, activity: SteppingActivity, seed: int
) -> None:
    rng = random.Random(seed)
    for number in range(300):
        act(activity, window, rng)
        if number % 5 == 0 or rng.random() < 0.5:
            settle(qtbot, activity)
            check(activity)
    settle(qtbot, activity)
    check(activity)
    assert window.problems.messages == []
    assert activity.state()
