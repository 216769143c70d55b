"""The command "Stability…" as a person uses it on the PAG page and the Model page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from support.model_acts import click_node, confounded, put_result, state_with_data, state_with_result
from support.plain_text import plain

from latconf_core.control import Progress, RunControl, StopReason
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.formats.projects.state_changes import add_pag
from latconf_core.options.learning import PagOptions
from latconf_core.options.resampling import StabilityOptions
from latconf_core.pag.learners.catalogue import learn_pag
from latconf_core.stability.shares import LatentShare
from latconf_core.stability.stability_result import Stability
from latconf_core.wording.stability_words import latent_sentence
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.stability import stability_command
from latconf_gui.pages.stability.share_tables import LATENT_COLUMNS, ShareTable
from latconf_gui.pages.stability.stability_command import StabilityCommand
from latconf_gui.pages.stability.stability_dialog import StabilityDialog
from latconf_gui.pages.stability.stability_job import NOT_LEARNED, StabilityJob, pag_job, run_job
from latconf_gui.window.main_window import MainWindow


def learned_state() -> ProjectState:
    """Data with a PAG that was learned from them."""
    events = [event for event in learn_pag(confounded(), PagOptions(method="gfci")) if not isinstance(event, Progress)]
    graph = events[-1].result.graph  # type: ignore[union-attr]
    return add_pag(state_with_data(), graph, origin="GFCI, alpha 0.05", events=events)


def run(qtbot: QtBot, command: StabilityCommand, *, samples: int = 3) -> Stability:
    """Choose Stability…, start it in the dialog, and wait for what comes of it."""
    command.ask()
    dialog = command.dialog
    assert dialog is not None
    assert dialog.isVisible()
    dialog.samples.fill(samples)
    dialog.workers.fill(1)
    dialog.start.click()
    assert command.is_running
    assert not dialog.start.isEnabled()
    qtbot.waitUntil(lambda: not command.is_running and command.kept is not None, timeout=60_000)
    qtbot.waitUntil(lambda: dialog.start.isEnabled(), timeout=10_000)
    assert command.kept is not None
    return command.kept


def test_that_with_large_text_the_dialog_fits_the_screen_and_its_form_stands_together(
    qapp: QApplication, qtbot: QtBot
) -> None:
    font = qapp.font()
    larger = QFont(font)
    larger.setPointSizeF(2 * font.pointSizeF())
    qapp.setFont(larger)
    try:
        dialog = StabilityDialog()
        qtbot.addWidget(dialog)
        dialog.show()
        assert dialog.height() < dialog.screen().availableSize().height()
        dialog.resize(dialog.width(), 2 * dialog.height())
        QApplication.processEvents()
        assert dialog.start.geometry().top() - dialog.workers.geometry().bottom() < dialog.workers.height()
    finally:
        qapp.setFont(font)


def test_that_the_stability_of_a_learned_pag_is_measured_shown_drawn_and_undone(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.document.open_state(learned_state(), "Open")
    window.show_page("PAG")
    page = window.page(PagPage)
    actions = window.actions_by_id
    assert actions["pag.stability"].isEnabled()
    assert not actions["pag.shares"].isEnabled()
    stability = run(qtbot, page.stability)
    assert stability.n_samples == 3
    assert window.document.state.kept_pag is not None
    assert window.document.state.kept_pag.stability is stability
    dialog = page.stability.dialog
    assert dialog is not None
    assert dialog.tabs.tabText(0).startswith("Edges of the PAG")
    assert dialog.pag_edges.shares.rowCount() == len(stability.pag_pairs)
    assert "3 half samples" in dialog.said.text()
    edge = next(iter(window.document.pag.edges()))  # type: ignore[union-attr]
    item = page.canvas.scene.edge_item(edge.first, edge.second)
    assert item.drawn.share is None
    dialog.draw.click()
    assert actions["pag.shares"].isChecked()
    pair = next(pag_pair for pag_pair in stability.pag_pairs if {pag_pair.a, pag_pair.b} == {edge.first, edge.second})
    assert item.drawn.share is not None
    assert (item.drawn.share.joined, item.drawn.share.as_drawn) == (pair.joined, pair.share(edge.arrow))
    assert "of 3 half samples" in item.toolTip()
    assert "share of samples" in page.canvas.legend.accessibleDescription()
    actions["pag.shares"].setChecked(False)
    assert page.canvas.scene.edge_item(edge.first, edge.second).drawn.share is None
    window.document.undo_stack.undo()
    assert page.stability.kept is None
    assert not actions["pag.shares"].isEnabled()
    window.document.undo_stack.redo()
    assert page.stability.kept is stability
    dialog.close()


def test_that_a_pag_that_was_drawn_says_why_learning_it_cannot_be_repeated(window: MainWindow, qtbot: QtBot) -> None:
    window.document.open_state(state_with_result(), "Open")
    action = window.actions_by_id["pag.stability"]
    assert not action.isEnabled()
    assert NOT_LEARNED in action.toolTip()


def test_that_the_stability_of_a_run_is_in_the_card_of_a_latent_and_on_the_dag(
    window: MainWindow, qtbot: QtBot
) -> None:
    page = put_result(window, qtbot)
    click_node(page, "L1")
    card = page.inspector().latent
    assert "Not run yet: choose Stability" in plain(card.sureness.text())
    assert "it is not a probability over all graphs" in plain(card.sureness.text())
    stability = run(qtbot, page.stability)
    assert stability.keeps_pag  # the PAG of this run was drawn by hand
    (share,) = stability.latents_of(page.dag)  # type: ignore[arg-type]
    sentence = latent_sentence(share, stability.options)
    assert f"{sentence[0].upper()}{sentence[1:]}" in plain(card.sureness.text())
    assert "Every search used the same PAG" in plain(card.sureness.text())
    window.actions_by_id["model.shares"].setChecked(True)
    drawn = page.canvas.scene.edge_item("L1", "A").drawn.share
    assert drawn is not None
    assert drawn.joined == share.n_with_child["A"] / 3
    assert page.canvas.scene.node_item("L1").node.note.startswith(f"half {share.half:.0%}")
    page.name_latent("smoking")
    assert page.canvas.scene.edge_item("smoking", "A").drawn.share is not None
    assert page.stability.dialog is not None
    page.stability.dialog.close()


def test_that_it_is_work_to_be_saved_and_told_in_the_report(window: MainWindow, qtbot: QtBot) -> None:
    page = put_result(window, qtbot)
    stability = run(qtbot, page.stability)
    contents = page.report_contents()
    assert contents is not None
    assert contents.stability is stability
    assert window.document.is_modified
    assert page.stability.dialog is not None
    page.stability.dialog.close()


def test_that_cancel_keeps_the_samples_that_are_done(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    events, seen, released = stability_command.job_events, [], threading.Event()

    def wait_after_two(job: StabilityJob, options: StabilityOptions, control: RunControl) -> Iterator[object]:
        for event in events(job, options, control):
            yield event
            if isinstance(event, Progress) and event.done == 2:
                seen.append(event)
                released.wait(60)  # the person cancels while the third is under way

    monkeypatch.setattr(stability_command, "job_events", wait_after_two)
    window.document.open_state(learned_state(), "Open")
    window.show_page("PAG")
    command = window.page(PagPage).stability
    command.ask()
    dialog = command.dialog
    assert dialog is not None
    dialog.workers.fill(1)
    dialog.start.click()
    qtbot.waitUntil(lambda: bool(seen), timeout=60_000)
    qtbot.waitUntil(lambda: dialog.progress.value() == 2)  # it counts what is done
    assert dialog.progress.maximum() == 50
    assert dialog.state.text().startswith("2 of 50 samples")
    dialog.cancel.click()
    released.set()
    qtbot.waitUntil(lambda: command.kept is not None, timeout=60_000)
    assert command.kept is not None
    assert (command.kept.n_samples, command.kept.stop_reason) == (2, StopReason.CANCELLED)
    assert "stopped after 2 of 50 samples" in dialog.said.text()
    qtbot.waitUntil(lambda: dialog.start.isEnabled(), timeout=10_000)
    dialog.close()


def test_that_what_was_measured_for_other_data_is_not_taken(window: MainWindow, qtbot: QtBot) -> None:
    window.document.open_state(learned_state(), "Open")
    window.show_page("PAG")
    command = window.page(PagPage).stability
    command.ask()
    dialog = command.dialog
    assert dialog is not None
    dialog.samples.fill(1)
    dialog.workers.fill(1)
    dialog.start.click()
    window.document.open_state(replace(learned_state(), name="other"), "Open another")
    qtbot.waitUntil(lambda: not command.is_running, timeout=60_000)
    assert command.kept is None
    dialog.close()


def test_that_the_time_is_estimated_before_the_start(qtbot: QtBot) -> None:
    state = state_with_result()
    run = replace(state.runs[0], result=replace(state.runs[0].result, seconds=6.0))
    job = run_job(replace(state, runs=(run,)), run)
    assert isinstance(job, StabilityJob)
    dialog = StabilityDialog()
    qtbot.addWidget(dialog)
    dialog.show_job(job)
    dialog.samples.fill(40)
    dialog.workers.fill(4)
    assert dialog.estimate.text() == "About a minute: 40 samples on 4 cores; all rows took 6 s."
    dialog.workers.fill(1)
    assert dialog.estimate.text().startswith("About 4 minutes: 40 samples on 1 core;")


def test_that_long_lists_of_children_leave_the_shares_in_sight(qtbot: QtBot) -> None:
    children = tuple(f"a_variable_with_a_long_name_{i}" for i in range(12))
    share = LatentShare("L1", children, 2, 10, 3, 7, 0.8, {}, {2: 7})
    table = ShareTable(LATENT_COLUMNS, "Hidden causes in samples")
    qtbot.addWidget(table)
    table.resize(table.fontMetrics().averageCharWidth() * 100, 200)
    table.show()
    table.show_rows([share])
    header = table.horizontalHeader()
    assert header.sectionPosition(4) + header.sectionSize(4) <= table.viewport().width()


def test_that_the_dialog_reads_what_is_typed(qtbot: QtBot) -> None:
    dialog = StabilityDialog()
    qtbot.addWidget(dialog)
    assert dialog.options() is None
    dialog.kind.fill("half")
    dialog.samples.fill(20)
    dialog.seed.fill(9)
    job = pag_job(learned_state())
    assert isinstance(job, StabilityJob)
    dialog.show_job(job)
    options = dialog.options()
    assert options is not None
    assert (options.samples, options.resampling, options.seed, options.learner) == (
        20,
        "half",
        9,
        PagOptions(method="gfci"),
    )
