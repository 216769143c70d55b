"""The command "Does it survive other cut points?" as a person uses it on the Model page."""

from __future__ import annotations

from functools import cache

import numpy as np
from pytestqt.qtbot import QtBot
from support.model_acts import PLACES, settle

from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.data.raw_table import ColumnBuilder, RawTable
from latconf_core.formats.projects.project_state import ProjectState, prepare_state
from latconf_core.formats.projects.state_changes import add_run
from latconf_core.graph.mixed import empty_graph
from latconf_core.options.searching import SearchOptions
from latconf_core.report.render import render_report
from latconf_core.search.runner import run_search
from latconf_gui.pages.model.cuts.cuts_job import NOT_CUT, cuts_job
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.stability.stability_job import NO_RUN
from latconf_gui.window.main_window import MainWindow

ACTION = "model.cuts"
CUT = Preparation(discretise=(("age", Discretisation("equal width", 2)),))


@cache
def people(preparation: Preparation = CUT) -> ProjectState:
    """A run on a number that depends on one of two causes."""
    rng = np.random.default_rng(2)
    a, b = rng.integers(2, size=(2, 300))
    columns = []
    for own in (a, b, np.round(rng.normal(30 + 20 * a, 8), 1)):
        texts, codes = np.unique(own.astype(str), return_inverse=True)
        builder = ColumnBuilder()
        builder.add(codes, list(texts))
        columns.append(builder.build())
    state = ProjectState(name="people.csv", raw=RawTable(("A", "B", "age"), tuple(columns)), positions=PLACES)
    state = prepare_state(state, preparation)
    assert state.dataset is not None
    result = run_search(state.dataset, empty_graph(state.dataset.names), "no-latents", options=SearchOptions(seed=7))
    return add_run(state, result, title="Best without")


def test_that_other_cut_points_are_tried_and_said_in_dialog_and_report_as_one_step(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.document.open_state(people(), "Open")
    window.document.mark_clean()
    window.show_page("Model")
    page = window.page(ModelPage)
    settle(page, qtbot)
    assert window.actions_by_id[ACTION].isEnabled()
    page.cuts.ask()
    dialog = page.cuts.dialog
    assert dialog is not None
    assert "age gets other cut points: equal width, equal frequency" in dialog.text.text()
    assert dialog.outcome.text() == "Not run yet."
    dialog.workers.fill(1)
    with qtbot.waitSignal(window.document.result_changed, timeout=60_000):
        dialog.start.click()
        assert page.cuts.is_running
    qtbot.waitUntil(dialog.start.isEnabled, timeout=10_000)
    assert "Searched again with 2 other cuttings: equal frequency, one interval more." in dialog.outcome.text()
    assert "1 of 1 edge among variables is in all of them" in dialog.outcome.text()
    settle(page, qtbot)
    contents = page.report_contents()
    assert contents is not None
    assert "When the numbers are cut elsewhere" in render_report(contents)
    assert window.document.is_modified
    window.document.undo_stack.undo()
    assert window.document.shown_run is not None
    assert window.document.shown_run.result.other_cuts is None
    assert dialog.outcome.text() == "Not run yet."
    window.document.undo_stack.redo()
    assert window.document.shown_run.result.other_cuts is not None
    dialog.close()


def test_that_the_command_says_why_it_is_not_offered() -> None:
    uncut = people(Preparation(set_aside=frozenset({"age"})))
    assert cuts_job(uncut, uncut.kept_run) == NOT_CUT
    assert cuts_job(ProjectState(), None) == NO_RUN
