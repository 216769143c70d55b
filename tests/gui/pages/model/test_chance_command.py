"""The command "How often would chance do this?" as a person uses it on the Model page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from support.model_acts import PLACES, click_node, put_result, settle, state_with_result
from support.plain_text import plain

from latconf_core.control import Progress, RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.formats.projects.project_state import ProjectState, prepare_state
from latconf_core.formats.projects.state_changes import add_run, delete_run, rename_run
from latconf_core.graph.mixed import empty_graph
from latconf_core.options.searching import SearchOptions
from latconf_core.report.render import render_report
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search
from latconf_core.wording.verdicts import verdict
from latconf_gui.pages.model.chance import chance_command
from latconf_gui.pages.model.chance.chance_command import ChanceCommand
from latconf_gui.pages.model.chance.chance_dialog import ChanceDialog
from latconf_gui.pages.model.chance.chance_job import NO_SUPPORT, ChanceJob, chance_job
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.stability.stability_job import NO_RUN
from latconf_gui.window.main_window import MainWindow

N_ROWS = 600
ACTION = "model.chance"


@cache
def four_effects() -> Dataset:
    """Four effects of one hidden cause."""
    rng = np.random.default_rng(1)
    cause = rng.integers(2, size=N_ROWS)
    effects = [np.where(rng.random(N_ROWS) < 0.8, cause, rng.integers(2, size=N_ROWS)) for _ in range(4)]
    return Dataset("ABCD", [["no", "yes"]] * 4, np.stack(effects, axis=1))


@cache
def supported() -> SearchResult:
    """A search that finds it; no PAG is needed."""
    return run_search(four_effects(), empty_graph("ABCD"), "refine", options=SearchOptions(seed=7))


def state_with(result: SearchResult) -> ProjectState:
    state = ProjectState(name="effects.csv", raw=table_of_dataset(four_effects()), positions=PLACES)
    return add_run(prepare_state(state, replace(state.preparation, missing_marks=())), result, title="Refine")


def open_run(window: MainWindow, qtbot: QtBot, result: SearchResult | None = None) -> ModelPage:
    """The run on the Model page, with its latent chosen."""
    window.document.open_state(state_with(result or supported()), "Open")
    window.document.mark_clean()
    window.show_page("Model")
    page = window.page(ModelPage)
    settle(page, qtbot)
    click_node(page, "L1")
    return page


def begin(command: ChanceCommand, draws: int) -> ChanceDialog:
    """Choose the command, and start it in the dialog."""
    command.ask()
    dialog = command.dialog
    assert dialog is not None
    dialog.draws.fill(draws)
    dialog.workers.fill(1)
    dialog.start.click()
    assert command.is_running
    assert dialog.cancel.isEnabled()
    return dialog


def compare(window: MainWindow, qtbot: QtBot, page: ModelPage, *, draws: int = 2) -> ChanceDialog:
    """Compare the run with chance, and wait until the page shows what came of it."""
    with qtbot.waitSignal(window.document.result_changed, timeout=60_000):
        dialog = begin(page.chance, draws)
    qtbot.waitUntil(lambda: dialog.start.isEnabled(), timeout=10_000)
    settle(page, qtbot)
    return dialog


def shown_result(window: MainWindow) -> SearchResult:
    run = window.document.shown_run
    assert run is not None
    return run.result


def card_text(page: ModelPage) -> str:
    card = page.inspector().latent
    return " ".join(plain(label.text()) for label in (card.density, card.notes, card.sureness))


def test_that_the_run_is_compared_and_the_card_verdict_and_report_say_what_chance_gains(
    window: MainWindow, qtbot: QtBot
) -> None:
    page = open_run(window, qtbot)
    assert window.actions_by_id[ACTION].isEnabled()
    assert "Not run yet: choose How often" in card_text(page)
    dialog = compare(window, qtbot, page)
    result = shown_result(window)
    assert result.null_gains is not None
    assert len(result.null_gains) == 2
    said = "n 2 tables drawn from the best model without hidden causes, the same search gained at most"
    assert page.chosen == "L1"
    assert said in card_text(page)
    assert "Not run yet: choose How often" not in card_text(page)
    assert said in dialog.outcome.text()
    assert "19 draws or more are needed" in dialog.outcome.text()
    assert dialog.outcome.height() >= dialog.outcome.heightForWidth(dialog.outcome.width())  # all of it is seen
    assert said in verdict(result)
    contents = page.report_contents()
    assert contents is not None
    assert said in render_report(contents)
    page.canvas.scene.clearSelection()
    assert page.inspector().value("Gain by chance").endswith("in 2 draws")
    dialog.close()


def test_that_it_is_one_step_that_undo_takes_back(window: MainWindow, qtbot: QtBot) -> None:
    page = open_run(window, qtbot)
    compare(window, qtbot, page).close()
    compared = shown_result(window)
    assert window.document.is_modified
    window.document.undo_stack.undo()
    assert shown_result(window) is supported()
    assert not window.document.is_modified
    settle(page, qtbot)
    assert "Not run yet: choose How often" in card_text(page)
    window.document.undo_stack.redo()
    assert shown_result(window) is compared


def test_that_what_chance_equals_is_no_longer_supported(window: MainWindow, qtbot: QtBot) -> None:
    page = open_run(window, qtbot)
    assert "supported." in card_text(page)
    doubted = supported().with_null_gains((1_000.0,))
    page = open_run(window, qtbot, doubted)
    assert "the same search gains as much by chance" in card_text(page)
    assert "asked for:" not in card_text(page)
    assert window.actions_by_id[ACTION].isEnabled()


def test_that_it_is_saved_and_read_back(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    page = open_run(window, qtbot)
    compare(window, qtbot, page).close()
    gains, path = shown_result(window).null_gains, tmp_path / "compared.latconf"
    with qtbot.waitSignal(window.project.saved, timeout=20_000):
        window.project.save_to(path)
    window.document.open_state(ProjectState(), "Close")
    with qtbot.waitSignal(window.opener.project_opened, timeout=20_000):
        window.opener.open_path(path)
    again = shown_result(window)
    assert again.null_gains == gains
    assert again.evidence[0].null_gains == gains
    window.show_page("Model")
    settle(page, qtbot)
    click_node(page, "L1")
    assert "in 2 tables drawn" in card_text(page).casefold()


def hold_after(draws: int, monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, threading.Event]:
    """Halts the next comparison after so many draws: an event that says so, and one that lets it go on."""
    events, reached, released = chance_command.chance_events, threading.Event(), threading.Event()

    def wait_there(job: ChanceJob, n_draws: int, workers: int, control: RunControl) -> Iterator[object]:
        for event in events(job, n_draws, workers, control):
            yield event
            if isinstance(event, Progress) and event.done == draws:
                reached.set()
                released.wait(60)

    monkeypatch.setattr(chance_command, "chance_events", wait_there)
    return reached, released


def test_that_cancel_keeps_the_draws_that_are_done(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_run(window, qtbot)
    reached, released = hold_after(1, monkeypatch)
    with qtbot.waitSignal(window.document.result_changed, timeout=60_000):
        dialog = begin(page.chance, 19)
        qtbot.waitUntil(reached.is_set, timeout=60_000)
        dialog.cancel.click()
        released.set()
    gains = shown_result(window).null_gains
    assert gains is not None
    assert len(gains) == 1
    qtbot.waitUntil(lambda: dialog.start.isEnabled(), timeout=10_000)
    dialog.close()


def test_that_cancelling_again_does_not_throw_away_more_draws_of_before(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = supported().with_null_gains((0.0, 0.5))
    page = open_run(window, qtbot, known)
    reached, released = hold_after(1, monkeypatch)
    dialog = begin(page.chance, 19)
    qtbot.waitUntil(reached.is_set, timeout=60_000)
    dialog.cancel.click()
    released.set()
    qtbot.waitUntil(lambda: dialog.start.isEnabled(), timeout=60_000)
    assert shown_result(window) is known
    dialog.close()


def test_that_the_outcome_follows_a_run_that_is_renamed_and_not_one_that_is_deleted(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, document = open_run(window, qtbot), window.document
    reached, released = hold_after(1, monkeypatch)
    with qtbot.waitSignal(document.result_changed, timeout=60_000):
        begin(page.chance, 1)
        qtbot.waitUntil(reached.is_set, timeout=60_000)
        document.change(rename_run(document.state, "Refine", "mine"), "Rename")
        released.set()
    assert (document.state.runs[0].name, len(shown_result(window).null_gains or ())) == ("mine", 1)
    qtbot.waitUntil(lambda: not page.chance.is_running, timeout=10_000)
    reached.clear()
    released.clear()
    begin(page.chance, 1)
    qtbot.waitUntil(reached.is_set, timeout=60_000)
    document.change(delete_run(document.state, "mine"), "Delete")
    released.set()
    qtbot.waitUntil(lambda: not page.chance.is_running, timeout=60_000)
    assert document.state.runs == ()


def test_that_a_visited_dag_stays_open_and_claims_no_null_gains(window: MainWindow, qtbot: QtBot) -> None:
    page = open_run(window, qtbot)
    best = shown_result(window).best
    assert best is not None
    other = best.with_states("L1", 3)
    window.document.open_dag(other, visit=3)
    settle(page, qtbot)
    click_node(page, "L1")
    assert "compared with chance" not in card_text(page)
    compare(window, qtbot, page).close()
    assert page.dag == other
    assert page.facts is not None
    assert page.facts.latents["L1"].evidence.null_gains == ()
    assert "drawn from the best model" not in card_text(page)
    run = window.document.shown_run
    assert run is not None
    assert window.document.opened_visits(run) == (3,)


def test_that_a_run_beside_the_current_one_stays_open_while_it_is_compared(window: MainWindow, qtbot: QtBot) -> None:
    page, document = open_run(window, qtbot), window.document
    other = run_search(four_effects(), empty_graph("ABCD"), "refine", options=SearchOptions(seed=8))
    document.change(add_run(document.state, other, title="Refine"), "Search again")
    first, current = document.state.runs
    document.open_dag(first.result.best, first)
    settle(page, qtbot)
    compare(window, qtbot, page, draws=1).close()
    first, current = document.state.runs
    assert document.shown_run is first
    assert page.dag == first.result.best
    assert first.result.null_gains is not None
    assert current.result is other
    document.undo_stack.undo()
    assert document.shown_run is document.state.runs[0]
    assert shown_result(window) is supported()


def test_that_a_run_without_anything_to_compare_says_why(window: MainWindow, qtbot: QtBot) -> None:
    action = window.actions_by_id[ACTION]
    assert NO_RUN in action.toolTip()
    put_result(window, qtbot)  # its latent is not supported
    assert not action.isEnabled()
    assert NO_SUPPORT in action.toolTip()
    window.document.open_state(state_with(replace(supported(), reference=None)), "Open")
    assert not action.isEnabled()
    assert "stopped early" in action.toolTip()
    window.document.open_state(state_with(replace(supported(), judged_under="paper")), "Open")
    assert not action.isEnabled()
    assert "older version of latconf" in action.toolTip()
    window.document.open_state(state_with(supported()), "Open")
    assert action.isEnabled()
    window.document.set_presenting(True)
    assert not action.isEnabled()
    window.document.set_presenting(False)


def test_that_draws_are_searched_on_the_pag_of_a_run_that_was_drawn() -> None:
    state = state_with_result()
    (run,) = state.runs
    claimed = replace(run, result=replace(run.result, evidence=supported().evidence))
    job = chance_job(state, claimed)
    assert isinstance(job, ChanceJob)
    assert (job.pag, job.learner) == (run.result.pag, None)
    assert "on the PAG of the run" in job.text
