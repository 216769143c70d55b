"""Exports of the PAG page through its dialogs: which format, where, and what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QFileDialog, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.pag_acts import Host, put_graph

from latconf_core.formats.graphs.registry import graph_format, read_graph
from latconf_gui.widgets.file_dialogs import PictureDialog, propose_name

GRAPH = mixed("A o-> C", "B o-o C", "C <-> D", "A --> D", nodes=list("ABCD"))


@pytest.fixture
def host_with_graph(qtbot: QtBot, host: Host) -> Host:
    put_graph(qtbot, host.page, GRAPH)
    return host


def type_name(dialog: QFileDialog, path: Path) -> None:
    """Type a name and press Save."""
    dialog.findChild(QLineEdit, "fileNameEdit").setText(str(path))
    buttons = dialog.findChild(QDialogButtonBox)
    buttons.button(QDialogButtonBox.StandardButton.Save).click()


def choose_format(dialog: QFileDialog, name: str) -> None:
    """Choose a format in the list of the dialog."""
    box = dialog.findChild(QComboBox, "fileTypeCombo")
    title = graph_format(name).description
    row = next(row for row in range(box.count()) if box.itemText(row).lower().startswith(f"{title} (".lower()))
    box.setCurrentIndex(row)
    box.textActivated.emit(box.itemText(row))


def export_as(host: Host, path: Path, format: str | None = None) -> None:
    dialog = host.page.files.ask_export()
    assert dialog is not None
    if format is not None:
        choose_format(dialog, format)
    type_name(dialog, path)


def question(host: Host) -> QMessageBox:
    return next(box for box in host.page.findChildren(QMessageBox) if box.isVisible())


@pytest.mark.parametrize(
    ("ending", "format"),
    [
        ("json", "json"),
        ("graphml", "graphml"),
        ("dot", "dot"),
        ("csv", "bayesys"),
        ("dagitty", "dagitty"),
        ("amat", "pcalg"),
        ("txt", "tetrad"),
        ("JSON", "json"),
    ],
)
def test_that_the_typed_extension_decides_the_format(
    host_with_graph: Host, tmp_path: Path, ending: str, format: str
) -> None:
    export_as(host_with_graph, tmp_path / f"x.{ending}")
    assert graph_format(format).recognises((tmp_path / f"x.{ending}").read_text(encoding="utf-8"))
    assert read_graph(tmp_path / f"x.{ending}", nodes=GRAPH.nodes) == GRAPH
    assert host_with_graph.problems == []


@pytest.mark.parametrize(
    ("format", "name"), [("tetrad", "x.txt"), ("dot", "x.dot"), ("graphml", "x.graphml"), ("json", "x.json")]
)
def test_that_a_missing_extension_comes_from_the_filter(
    host_with_graph: Host, tmp_path: Path, format: str, name: str
) -> None:
    export_as(host_with_graph, tmp_path / "x", format)
    assert read_graph(tmp_path / name, format=format) == GRAPH


def test_that_formats_that_share_an_extension_are_told_apart_by_the_filter(
    host_with_graph: Host, tmp_path: Path
) -> None:
    export_as(host_with_graph, tmp_path / "x.csv", "pcalg-csv")
    assert read_graph(tmp_path / "x.csv", format="pcalg-csv") == GRAPH
    assert not host_with_graph.page.findChildren(QMessageBox)


def test_that_an_ending_that_no_format_has_goes_with_the_chosen_filter(host_with_graph: Host, tmp_path: Path) -> None:
    export_as(host_with_graph, tmp_path / "x.version2", "dot")
    assert read_graph(tmp_path / "x.version2", format="dot") == GRAPH


@pytest.mark.parametrize(("answer", "written", "format"), [(0, "x.json", "json"), (1, "x.dot", "dot")])
def test_that_an_extension_against_the_chosen_filter_asks(
    host_with_graph: Host, tmp_path: Path, answer: int, written: str, format: str
) -> None:
    export_as(host_with_graph, tmp_path / "x.json", "dot")
    assert list(tmp_path.iterdir()) == []
    asked = question(host_with_graph)
    assert asked.text() == "x.json has the extension of Latconf JSON, but Graphviz DOT was chosen."
    asked.buttons()[answer].click()
    assert [path.name for path in tmp_path.iterdir()] == [written]
    assert read_graph(tmp_path / written, format=format) == GRAPH


def test_that_the_question_about_the_format_can_be_cancelled_and_warns_of_a_file_that_is_there(
    host_with_graph: Host, tmp_path: Path
) -> None:
    (tmp_path / "x.dot").write_text("mine", encoding="utf-8")
    export_as(host_with_graph, tmp_path / "x.json", "dot")
    asked = question(host_with_graph)
    assert "replaces the existing file" in asked.informativeText()
    asked.button(QMessageBox.StandardButton.Cancel).click()
    assert [path.name for path in tmp_path.iterdir()] == ["x.dot"]
    assert (tmp_path / "x.dot").read_text(encoding="utf-8") == "mine"


def test_that_the_second_export_starts_where_the_first_ended_with_a_name(host_with_graph: Host, tmp_path: Path) -> None:
    export_as(host_with_graph, tmp_path / "first.json")
    dialog = host_with_graph.page.files.ask_export()
    assert dialog is not None
    assert Path(dialog.directory().absolutePath()) == tmp_path
    assert dialog.findChild(QLineEdit, "fileNameEdit").text() == "PAG"
    dialog.reject()
    scale = host_with_graph.page.files.ask_picture(host_with_graph.page.canvas.scene)
    assert isinstance(scale, PictureDialog)
    scale.accept()
    picture = next(each for each in host_with_graph.page.findChildren(QFileDialog) if each.isVisible())
    assert Path(picture.directory().absolutePath()) == tmp_path
    picture.reject()


def test_that_an_export_says_where_it_is_written(host_with_graph: Host, tmp_path: Path) -> None:
    export_as(host_with_graph, tmp_path / "x.json")
    assert host_with_graph.statusBar().currentMessage() == f"Written: {tmp_path / 'x.json'}"
    host_with_graph.statusBar().clearMessage()
    host_with_graph.page.files.export_graph(tmp_path / "gone" / "x.txt")
    assert host_with_graph.statusBar().currentMessage() == ""
    host_with_graph.page.files.export_picture(host_with_graph.page.canvas.scene, tmp_path / "x.png", 1)
    assert host_with_graph.statusBar().currentMessage() == f"Written: {tmp_path / 'x.png'}"


@pytest.mark.parametrize(
    ("document", "name"),
    [("survey.csv", "survey_PAG"), ("", "PAG"), ("Asia: 3 / 4", "Asia_3_4_PAG"), ("Ä ö", "Ä_ö_PAG")],
)
def test_that_the_proposed_name_says_what_is_open_and_fits_every_system(document: str, name: str) -> None:
    assert propose_name(document, "PAG") == name
