"""The options: this computer or a cluster, tested beside the window, kept, and used by what is started next."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox
from pytestqt.qtbot import QtBot

from latconf_core.cluster import workers
from latconf_core.cluster.scheduler import ClusterError, Scheduler
from latconf_core.cluster.workers import WorkersReport
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.options.searching import SearchOptions
from latconf_gui.application.settings import Settings
from latconf_gui.pages.search import running as search_running
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow
from latconf_gui.window.options_dialog import TESTING, OptionsDialog

ADDRESS = "tcp://10.0.0.7:8786"


@pytest.fixture
def dialog(qtbot: QtBot, own_settings: Settings) -> Iterator[OptionsDialog]:
    made = OptionsDialog(own_settings)
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)  # it is looked at after it was closed
    made.open()
    yield made
    made._job.stop()
    made.deleteLater()


def press(qtbot: QtBot, dialog: OptionsDialog, button: QDialogButtonBox.StandardButton) -> None:
    qtbot.mouseClick(dialog.buttons.button(button), Qt.MouseButton.LeftButton)


def type_address(qtbot: QtBot, dialog: OptionsDialog, text: str = ADDRESS) -> None:
    dialog.address.clear()
    qtbot.keyClicks(dialog.address, text)


def test_that_an_address_is_kept_and_chosen_by_typing_it(
    qtbot: QtBot, dialog: OptionsDialog, own_settings: Settings
) -> None:
    assert dialog.here.isChecked()
    assert not dialog.test_button.isEnabled()
    type_address(qtbot, dialog)
    assert dialog.there.isChecked()
    assert own_settings.scheduler is None  # not before OK
    press(qtbot, dialog, QDialogButtonBox.StandardButton.Ok)
    assert not dialog.isVisible()
    assert own_settings.scheduler == Settings().scheduler == Scheduler(ADDRESS)


def test_that_this_computer_is_chosen_again_and_the_address_stays_for_later(
    qtbot: QtBot, dialog: OptionsDialog, own_settings: Settings
) -> None:
    own_settings.keep_scheduler(Scheduler(ADDRESS))
    own_settings.uses_scheduler = True
    again = OptionsDialog(own_settings)
    qtbot.addWidget(again)
    assert again.there.isChecked()
    again.here.setChecked(True)
    press(qtbot, again, QDialogButtonBox.StandardButton.Ok)
    assert own_settings.scheduler is None
    assert own_settings.scheduler_address == ADDRESS


def test_that_cancel_changes_nothing(qtbot: QtBot, dialog: OptionsDialog, own_settings: Settings) -> None:
    type_address(qtbot, dialog)
    press(qtbot, dialog, QDialogButtonBox.StandardButton.Cancel)
    assert own_settings.scheduler is None
    assert own_settings.scheduler_address == ""


def test_that_what_is_no_address_is_said_and_not_taken(
    qtbot: QtBot, dialog: OptionsDialog, own_settings: Settings
) -> None:
    type_address(qtbot, dialog, "my-server")
    press(qtbot, dialog, QDialogButtonBox.StandardButton.Ok)
    assert dialog.isVisible()
    assert "'my-server' is not a scheduler address" in dialog.answer.text()
    assert own_settings.scheduler is None
    qtbot.mouseClick(dialog.test_button, Qt.MouseButton.LeftButton)
    assert "write it as tcp://" in dialog.answer.text()


def test_that_a_test_says_who_is_there_or_what_is_wrong(
    qtbot: QtBot, dialog: OptionsDialog, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Scheduler] = []

    def answer(scheduler: Scheduler) -> WorkersReport:
        asked.append(scheduler)
        if len(asked) == 2:
            raise ClusterError("no scheduler answers at that place; start it")
        return WorkersReport(3, 12)

    monkeypatch.setattr(workers, "try_scheduler", answer)
    type_address(qtbot, dialog)
    with qtbot.waitSignal(dialog._job.answered):
        qtbot.mouseClick(dialog.test_button, Qt.MouseButton.LeftButton)
        assert dialog.answer.text() == TESTING
        assert not dialog.test_button.isEnabled()
    assert dialog.answer.text().startswith("It answers: 3 workers with 12 threads, all of the same versions")
    qtbot.waitUntil(dialog.test_button.isEnabled)
    with qtbot.waitSignal(dialog._job.failed):
        qtbot.mouseClick(dialog.test_button, Qt.MouseButton.LeftButton)
    assert dialog.answer.text() == "No scheduler answers at that place; start it."
    assert asked == [Scheduler(ADDRESS)] * 2


def test_that_certificates_are_asked_for_where_the_address_is_encrypted(
    qtbot: QtBot, dialog: OptionsDialog, own_settings: Settings
) -> None:
    type_address(qtbot, dialog)
    assert not any(field.isVisible() for field in dialog.files.values())
    type_address(qtbot, dialog, "tls://10.0.0.7:8786")
    assert all(field.isVisible() for field in dialog.files.values())
    for name, field in dialog.files.items():
        field.setText(f"{name}.pem")
    press(qtbot, dialog, QDialogButtonBox.StandardButton.Ok)
    files = ("ca_file.pem", "cert_file.pem", "key_file.pem")
    assert own_settings.scheduler == Scheduler("tls://10.0.0.7:8786", *files)


def test_that_searches_go_where_the_options_say(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also the second one, after the options were changed."""
    asked: list[Scheduler | None] = []

    def refuse(scheduler: Scheduler | None, *_: object, **__: object) -> Iterator[object]:
        asked.append(scheduler)
        raise ClusterError("no scheduler answers; start it")
        yield

    monkeypatch.setattr(search_running, "start_search_on", refuse)
    with qtbot.waitSignal(window.opener.opened, timeout=30_000):
        window.opener.open_example(ExampleChoice("asia", ("smoke",), 200, 1))
    running = window.page(SearchPage).running
    window.page(SearchPage).preflight.stop()
    for used in (False, True):
        window.settings.keep_scheduler(Scheduler(ADDRESS))
        window.settings.uses_scheduler = used
        with qtbot.waitSignal(running.failed):
            running.start("hc", SearchOptions())
            assert window.runs.texts[-1].endswith(f" on the cluster at {ADDRESS}") == used
    assert asked == [None, Scheduler(ADDRESS)]
    assert window.document.dataset is not None  # nothing that was loaded is lost


def test_that_the_menu_opens_the_options(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_by_id["edit.options"].trigger()
    (opened,) = window.findChildren(OptionsDialog)
    assert opened.isVisible()
    opened.reject()
