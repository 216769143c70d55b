"""The command "Apply to a table…" as a person uses it on the Model page."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog
from pytestqt.qtbot import QtBot
from support.model_acts import put_result

from latconf_core.data.reading.write import write_dataset
from latconf_gui.pages.model.applying.apply_command import ApplyCommand
from latconf_gui.pages.model.applying.apply_dialog import STOPPED, ApplyDialog
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.window.main_window import MainWindow


@pytest.fixture
def command(window: MainWindow, qtbot: QtBot) -> ApplyCommand:
    """The command on a page with a model."""
    return put_result(window, qtbot).applying


def dialog_of(command: ApplyCommand) -> ApplyDialog:
    assert command.dialog is not None
    return command.dialog


def apply_to(command: ApplyCommand, qtbot: QtBot, path: Path) -> ApplyDialog:
    command.start(path)
    qtbot.waitUntil(lambda: not command.is_running)
    return dialog_of(command)


def cell(dialog: ApplyDialog, row: int, column: int) -> str:
    return str(dialog.rows.index(row, column).data())


def test_that_the_training_table_has_the_log_likelihood_that_the_page_shows(
    window: MainWindow, qtbot: QtBot, command: ApplyCommand, tmp_path: Path
) -> None:
    data = window.document.dataset
    assert data is not None
    write_dataset(data, tmp_path / "rows.csv")
    window.actions_by_id["model.apply"].trigger()
    dialog = next(each for each in window.findChildren(QFileDialog) if each.isVisible())
    dialog.selectFile(str(tmp_path / "rows.csv"))
    dialog.accept()
    qtbot.waitUntil(lambda: command.result is not None and not command.is_running)
    page = window.page(ModelPage)
    assert page.facts is not None
    assert command.result is not None
    assert command.result.applied.log_likelihood == pytest.approx(page.facts.posterior.log_likelihood, abs=1e-9)
    assert window.problems.messages == []


def test_that_each_row_has_its_log_likelihood_and_the_posterior_of_each_latent(
    window: MainWindow, qtbot: QtBot, command: ApplyCommand, tmp_path: Path
) -> None:
    (tmp_path / "new.csv").write_text("D,extra,A,B\n0,x,no,no\n2,y,yes,maybe\n,z,no,yes\n", encoding="utf-8")
    dialog = apply_to(command, qtbot, tmp_path / "new.csv")
    network = window.page(ModelPage).network
    assert network is not None
    assert command.result is not None
    expected = command.result.applied
    assert dialog.rows.rowCount() == 3
    latents = list(expected.posteriors_of_distinct)
    assert dialog.rows.columnCount() == 1 + sum(len(network.states(latent)) for latent in latents)
    for row in range(3):
        assert float(cell(dialog, row, 0).replace("−", "-")) == pytest.approx(expected.log_likelihoods[row], abs=1e-4)
        shares = [float(cell(dialog, row, column)) for column in range(1, dialog.rows.columnCount())]
        assert shares == pytest.approx(
            np.concatenate([expected.posterior(latent)[row] for latent in latents]), abs=1e-4
        )
    assert [(each.variable, each.state) for each in expected.rows.unknown] == [("B", "maybe")]
    assert "B = maybe" in dialog.text.text()
    assert ": C." in dialog.text.text()
    assert "extra" in dialog.text.text()


def test_that_the_rows_are_exported_as_the_command_line_writes_them(
    window: MainWindow, qtbot: QtBot, command: ApplyCommand, tmp_path: Path
) -> None:
    (tmp_path / "new.csv").write_text("A,B,C,D\nno,no,low,0\nyes,yes,high,2\n", encoding="utf-8")
    dialog = apply_to(command, qtbot, tmp_path / "new.csv")
    qtbot.mouseClick(dialog.export, Qt.MouseButton.LeftButton)
    chooser = next(each for each in window.findChildren(QFileDialog) if each.isVisible())
    chooser.selectFile(str(tmp_path / "out.csv"))
    chooser.accept()
    qtbot.waitUntil(lambda: not window.runs.texts)
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    assert lines[0][:2] == ["row", "log_likelihood"]
    assert command.result is not None
    assert [float(line[1]) for line in lines[1:]] == pytest.approx(command.result.applied.log_likelihoods, abs=1e-12)


def test_that_a_table_without_a_column_of_the_model_gets_a_sentence_and_nothing_else_changes(
    window: MainWindow, qtbot: QtBot, command: ApplyCommand, tmp_path: Path
) -> None:
    (tmp_path / "other.csv").write_text("X,Y\n1,2\n2,1\n", encoding="utf-8")
    before = window.document.state
    dialog = apply_to(command, qtbot, tmp_path / "other.csv")
    assert "no column of the model" in str(window.problems.messages[0].what)
    assert "Problems" in dialog.text.text()
    assert not dialog.export.isEnabled()
    assert window.document.state is before
    (tmp_path / "new.csv").write_text("A\nno\nyes\n", encoding="utf-8")
    assert apply_to(command, qtbot, tmp_path / "new.csv").rows.rowCount() == 2


def test_that_cancelling_and_closing_end_it_and_leave_no_rows(
    window: MainWindow, qtbot: QtBot, command: ApplyCommand, tmp_path: Path
) -> None:
    (tmp_path / "many.csv").write_text("A,B,C,D\n" + "no,yes,low,0\n" * 20_000, encoding="utf-8")
    command.start(tmp_path / "many.csv")
    dialog = dialog_of(command)
    qtbot.mouseClick(dialog.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not command.is_running)
    assert dialog.text.text() == STOPPED
    assert dialog.rows.rowCount() == 0
    command.start(tmp_path / "many.csv")
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    qtbot.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Close), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.runs.texts)
    assert not dialog.isVisible()
    assert window.problems.messages == []


def test_that_it_can_be_asked_only_where_there_is_a_model(window: MainWindow) -> None:
    window.page(ModelPage)
    assert not window.actions_by_id["model.apply"].isEnabled()
