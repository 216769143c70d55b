"""The Bench of the Compare page: chosen, run, stopped, gone on with and exported, by mouse and by keyboard."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from support.compare_acts import HIDDEN, open_compare
from support.small_bench import confounded

from latconf_core.bench.bench_columns import COLUMNS
from latconf_core.bench.cell import CellResult
from latconf_core.bench.lanes import Task, ThisThread
from latconf_core.cluster.scheduler import Scheduler
from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.data.reading.write import write_dataset
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_gui.pages.compare.bench import bench_running
from latconf_gui.pages.compare.bench.bench_activity import BenchActivity
from latconf_gui.pages.compare.bench.bench_model import WAITING
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.window.main_window import MainWindow

LONG = 60_000


@pytest.fixture
def page(window: MainWindow, qtbot: QtBot) -> ComparePage:
    return open_compare(window, qtbot)


@pytest.fixture
def bench(page: ComparePage, tmp_path: Path) -> BenchActivity:
    """The Bench with two small tables and two searches chosen."""
    page.bench.show_bench()
    activity = page.bench.activity
    for seed in (1, 2):
        write_dataset(confounded(60, seed), tmp_path / f"copies_{seed}.csv")
    activity.form.take_files([tmp_path / "copies_1.csv", tmp_path / "copies_2.csv"])
    for name, tick in activity.form.searches.items():
        tick.fill(name in ("hclc-v", "no-latents"))
    activity.form.learners["gfci"].fill(False)
    return activity


def finish(bench: BenchActivity, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not bench.is_busy, timeout=LONG)


def column(bench: BenchActivity, number: int) -> list[str]:
    return [bench.model.text(row, number) for row in range(bench.model.rowCount())]


def test_that_the_bench_is_reached_and_left_by_keys(page: ComparePage) -> None:
    page.setFocus()
    QTest.keyClick(page, Qt.Key.Key_4)
    assert page.bench.activity.isVisible()
    assert QApplication.focusWidget() is page.bench.activity.form.list
    QTest.keyClick(page.bench.activity.form.list, Qt.Key.Key_4)
    assert not page.bench.activity.isVisible()
    assert page.parts.panel.isVisible()
    assert page.add("hidden", HIDDEN, origin="test")
    page.bench.show_bench()
    QTest.keyClick(page.bench.activity.form.list, Qt.Key.Key_1)  # the key of the overlay
    assert not page.bench.activity.isVisible()


def test_that_run_fills_the_table_and_says_what_was_found(bench: BenchActivity, qtbot: QtBot) -> None:
    seen: list[int] = []
    bench.model.dataChanged.connect(lambda: seen.append(len(set(column(bench, 2)) - {WAITING})))
    bench.form.list.setFocus()
    QTest.keyClick(bench.form.list, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert bench.running.is_running
    finish(bench, qtbot)
    assert column(bench, 1) == ["HCLC-V on FCI", "No hidden causes"] * 2
    assert column(bench, 0) == ["copies_1", "copies_1", "copies_2", "copies_2"]
    assert all(text.startswith("−") for text in column(bench, 2))
    assert seen
    assert "Mean rank by p-ELBO" in bench.words.text()
    assert bench.state.text() == "All cells finished."
    view, font = bench.view, bench.view.font()
    font.setPointSizeF(2 * font.pointSizeF())
    view.setFont(font)  # as larger text does
    qtbot.waitUntil(lambda: all(view.columnWidth(own) >= view.sizeHintForColumn(own) for own in (0, 1, 2)))


def test_that_knowledge_binds_where_the_open_data_are_among_the_sets(
    bench: BenchActivity, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Knowledge(exogenous=("A",))
    assert window.document.set_knowledge(known, "Know something")
    assert "1 exogenous variable" in bench.knowledge.text.text()
    asked: list[Knowledge] = []
    monkeypatch.setattr(bench.running, "start", lambda _sources, options, **_how: asked.append(options.knowledge))
    bench.run()
    bench.form.take_open()
    bench.run()
    assert asked == [NO_KNOWLEDGE, known]


def test_that_a_second_run_runs_only_what_is_new(bench: BenchActivity, qtbot: QtBot) -> None:
    bench.run()
    finish(bench, qtbot)
    assert bench.table is not None
    before = {row.cell.key: row.result for row in bench.table.rows()}
    bench.form.take_example("cancer")
    bench.run()
    finish(bench, qtbot)
    after = {row.cell.key: row.result for row in bench.table.rows()}
    assert len(after) == len(before) + 3  # two searches and the true DAG
    assert all(after[key] is result for key, result in before.items())  # the very same, not computed again


def test_that_stop_keeps_what_is_done_and_run_goes_on(bench: BenchActivity, qtbot: QtBot) -> None:
    stopping = bench.running.filled.connect(lambda _: bench.running.stop())
    bench.run()
    finish(bench, qtbot)
    assert "Run continues" in bench.state.text() or bench.state.text() == "All cells finished."
    QObject.disconnect(stopping)
    bench.run()
    finish(bench, qtbot)
    assert bench.state.text() == "All cells finished."
    assert WAITING not in column(bench, 2)


def test_that_the_table_is_exported_in_every_format(bench: BenchActivity, qtbot: QtBot, tmp_path: Path) -> None:
    bench.run()
    finish(bench, qtbot)
    for suffix in (".html", ".csv", ".md", ".tex", ".json"):
        path = tmp_path / f"bench{suffix}"
        bench.write(path, suffix)
        finish(bench, qtbot)
        assert path.stat().st_size > 200
    assert len(json.loads((tmp_path / "bench.json").read_text())["cells"]) == 4
    assert "<svg" in (tmp_path / "bench.html").read_text()


def test_that_data_sets_are_added_once_and_removed_by_a_key(bench: BenchActivity, page: ComparePage) -> None:
    form = bench.form
    form.take_open()
    form.take_open()
    form.take_example("asia")
    form.take_example("asia")
    assert form.list.count() == 4
    form.list.setFocus()
    form.list.setCurrentRow(0)
    QTest.keyClick(form.list, Qt.Key.Key_Delete)
    assert form.list.count() == len(form.sources) == 3
    form.list.selectAll()
    QTest.keyClick(form.list, Qt.Key.Key_Delete)
    assert form.sources == []
    assert not page.context.actions["compare.bench_run"].isEnabled()
    assert "Add a data set" in page.context.actions["compare.bench_run"].toolTip()


def test_that_a_choice_that_makes_no_sense_is_said_and_runs_nothing(bench: BenchActivity, window: MainWindow) -> None:
    for tick in bench.form.searches.values():
        tick.fill(False)
    bench.run()
    assert not bench.running.is_running
    assert window.problems.n_reported == 1


def test_that_a_file_that_cannot_be_read_is_reported_and_nothing_is_lost(
    bench: BenchActivity, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    bench.form.take_files([tmp_path / "gone.csv"])
    bench.run()
    finish(bench, qtbot)
    assert window.problems.n_reported == 1
    assert bench.form.list.count() == 3


def test_that_adding_a_graph_shows_the_graphs(page: ComparePage, bench: BenchActivity) -> None:
    assert page.bench.activity.isVisible()
    assert page.add("hidden", HIDDEN, origin="test")
    assert not page.bench.activity.isVisible()


def test_that_all_columns_can_be_shown(bench: BenchActivity, qtbot: QtBot) -> None:
    n_short = bench.model.columnCount()
    bench.all_columns.click()
    assert bench.model.columnCount() > n_short + 10
    assert bench.model.headerData(2, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)


def test_that_a_bench_goes_where_the_options_say_and_a_lost_cluster_is_told(
    bench: BenchActivity, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cluster is lost with the second cell; then this computer goes on."""
    asked: list[object] = []

    class Lanes(ThisThread):
        def submit(self, lane: int, task: Task) -> Future[CellResult | None]:
            if isinstance(asked[-1], Scheduler) and self._n_run:
                raise StopRequested(StopReason.CLUSTER_LOST, "the cluster was lost; start it again")
            self._n_run += 1
            return super().submit(lane, task)

        _n_run = 0

    @contextmanager
    def open_lanes(place: object, plan: object, control: RunControl) -> Iterator[Lanes]:
        asked.append(place)
        yield Lanes(control)

    monkeypatch.setattr(bench_running, "open_lanes", open_lanes)
    window.settings.keep_scheduler(Scheduler("tcp://10.0.0.7:8786"))
    window.settings.uses_scheduler = True
    bench.run()
    finish(bench, qtbot)
    assert asked == [Scheduler("tcp://10.0.0.7:8786")]
    assert "Run continues" in bench.state.text()
    assert "cluster was lost" in window.problems.messages[0].what
    assert column(bench, 2).count(WAITING) == 3
    window.settings.uses_scheduler = False
    bench.run()
    finish(bench, qtbot)
    assert isinstance(asked[-1], int)
    assert bench.state.text() == "All cells finished."


def test_that_a_headers_text_has_room_before_anything_is_run(bench: BenchActivity) -> None:
    header = bench.view.horizontalHeader()
    assert bench.isVisible()
    assert all(header.sectionSize(i) >= header.sectionSizeHint(i) for i in range(header.count()))


def test_that_numbers_that_look_the_same_are_a_tie() -> None:
    for column in COLUMNS:
        assert column.rounded(-1234.56781) == column.rounded(-1234.56779)
        assert column.rounded(-1234.6) != column.rounded(-1238.4)
