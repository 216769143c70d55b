from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QToolTip
from pytestqt.qtbot import QtBot
from support.builders import mixed
from support.plain_text import plain
from support.rest import wait_for_rest
from support.search_acts import (
    SearchHost,
    confounded_data,
    endless,
    on_chart,
    open_pag,
    put,
    quick_options,
    run_to_end,
    warm,
)

from latconf_core.control import StopReason
from latconf_core.dag.latent_dag import Latent
from latconf_core.formats.history_csv import history_text
from latconf_core.phrases import duration, nats, seconds_of
from latconf_core.search.estimate.preflight import preflight
from latconf_core.search.outcome.evidence import LatentEvidence, PairEvidence
from latconf_core.search.outcome.history import History
from latconf_core.search.outcome.left_out import pairs_not_in
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_search
from latconf_core.wording.evidence_texts import latents_text, nats_apart
from latconf_core.wording.left_out_sentences import NOT_KNOWN, left_out_sentence
from latconf_core.wording.overall_verdict import overall_verdict
from latconf_core.wording.validity_sentences import validity_sentence
from latconf_core.wording.verdicts import claim_sentence, tried_sentence
from latconf_gui.charts.figure import chart_svg
from latconf_gui.pages.search import running as search_running
from latconf_gui.pages.search.columns import COLUMNS, NUMBER
from latconf_gui.pages.search.form import default_options
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.pages.search.sentences import MOST_LATENTS, end_sentence, latent_sentences
from latconf_gui.widgets.text import keep_arrows_whole

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def host(qtbot: QtBot) -> Iterator[SearchHost]:
    """The window with the Search page alone: data and a PAG are open."""
    warm()
    host = SearchHost()
    put(host, confounded_data(), open_pag())
    host.page.form.show_options("ilc-v", quick_options())
    with qtbot.waitActive(host):
        host.show()
    yield host
    host.end()


@pytest.fixture
def page(host: SearchHost) -> SearchPage:
    return host.page


@pytest.fixture
def searching(host: SearchHost, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> SearchPage:
    """A page on which a search goes on without end."""
    started = threading.Event()
    monkeypatch.setattr(search_running, "_events", endless(started))
    host.actions_by_id["search.run"].trigger()
    qtbot.waitUntil(lambda: started.is_set() and len(host.page.visits) > 10)
    return host.page


def result_of(page: SearchPage) -> SearchResult:
    assert isinstance(page.document.result, SearchResult)
    return page.document.result


@pytest.mark.parametrize("algorithm", ["ilc-v", "hclc-v"])
def test_that_a_search_gives_the_result_of_the_core_and_undo_takes_it_back(
    qtbot: QtBot, page: SearchPage, algorithm: str
) -> None:
    run_to_end(qtbot, page, algorithm)
    assert page.document.dataset is not None
    assert page.document.pag is not None
    truth = run_search(page.document.dataset, page.document.pag, algorithm, options=page.form.options())
    result = result_of(page)
    assert [visit.candidate for visit in result.history] == [visit.candidate for visit in truth.history]
    assert [visit.p_elbo for visit in result.history] == pytest.approx([visit.p_elbo for visit in truth.history])
    assert result.best == truth.best
    assert result.stop_reason is truth.stop_reason
    page.document.undo_stack.undo()
    assert page.document.result is None
    assert len(page.visits) == 0
    page.document.undo_stack.redo()
    assert page.document.result is result
    assert page.dag.shown == page.visits.result


def test_that_places_too_far_apart_for_the_pane_are_brought_together_in_the_same_order(
    qtbot: QtBot, page: SearchPage
) -> None:
    far = {"A": (0.0, 0.0), "B": (3000.0, 0.0), "C": (0.0, 2000.0), "D": (3000.0, 2000.0)}
    page.document.move_nodes(far, "Move nodes")
    run_to_end(qtbot, page, "ilc-v")
    qtbot.waitUntil(lambda: not page.dag.is_busy, timeout=20_000)
    qtbot.waitUntil(page.dag.view.can_show_all)
    shown = page.dag.scene.positions()
    assert shown["A"][0] < shown["B"][0]
    assert shown["C"][1] > shown["A"][1]
    assert page.document.positions == far  # those of the PAG stay


@pytest.mark.parametrize(("growth", "is_fitted_again"), [(1.02, False), (1.5, True)])
def test_that_places_are_fitted_again_where_there_is_much_more_room(
    qtbot: QtBot, page: SearchPage, host: SearchHost, growth: float, is_fitted_again: bool
) -> None:
    corners = {"A": (0.0, 0.0), "B": (3000.0, 0.0), "C": (0.0, 2000.0), "D": (3000.0, 2000.0)}
    page.document.move_nodes(corners, "Move nodes")
    run_to_end(qtbot, page, "ilc-v")
    qtbot.waitUntil(lambda: not page.dag.is_busy, timeout=20_000)
    before, room = page.dag.scene.positions(), page.dag.view.size()
    with qtbot.waitSignal(page.dag.view.resized):
        host.resize(round(host.width() * growth), round(host.height() * growth))
    qtbot.waitUntil(lambda: not page.dag.is_busy, timeout=20_000)
    assert page.dag.view.size() != room
    assert (page.dag.scene.positions() != before) == is_fitted_again


def test_that_chart_table_and_drawing_show_the_numbers_of_the_history(qtbot: QtBot, page: SearchPage) -> None:
    run_to_end(qtbot, page, "ilc-v")
    history, chart, table = result_of(page).history, page.results.chart, page.results.table.visits
    qtbot.waitUntil(lambda: chart.n_drawn == len(history) == table.rowCount() > 5)
    scores = np.array([visit.p_elbo for visit in history])
    x, y = chart.axes.places(np.arange(1, len(history) + 1), scores)
    for number in range(len(history)):
        assert abs(chart.place_of(number).x() - x[number]) <= 1
        assert abs(chart.place_of(number).y() - y[number]) <= 1
    for row, number in enumerate(np.argsort(-scores, kind="stable")):
        shown = [table.index(row, column).data() for column in range(len(COLUMNS))]
        visit = history[int(number)]
        assert shown[:-1] == [
            f"{number + 1}",
            nats(visit.p_elbo),
            f"{scores.max() - visit.p_elbo:,.2f}",
            str(visit.level),
            visit.effort,
            latents_text(history.dag(int(number))),
        ]
    last_two = (len(COLUMNS) - 2, len(COLUMNS) - 1)
    told_apart = {tuple(table.index(row, column).data() for column in last_two) for row in range(len(history))}
    assert len(told_apart) == len(history)
    assert history.best is not None
    assert page.dag.shown == history.best.index
    assert nats(history.best.p_elbo) in page.dag.facts.text()
    assert set(page.dag.scene.drawing.names) == {
        *history.nodes,
        *(latent.name for latent in result_of(page).best.latents),
    }


def test_that_a_click_on_a_dot_opens_its_dag_and_goes_to_its_row(qtbot: QtBot, page: SearchPage) -> None:
    run_to_end(qtbot, page, "ilc-v")
    page.results.shown.setCurrentIndex(page.results.shown.findData("all"))
    worst = int(np.argmin(page.visits.p_elbo))
    topoint = on_chart(page, worst).toPoint()
    QTest.mouseClick(page.results.chart, LEFT, Qt.KeyboardModifier.NoModifier, topoint)
    assert page.dag.shown == worst
    assert page.tabs.currentWidget() is page.dag
    assert page.dag.title.text() == f"DAG {worst + 1}"
    below = page.visits.score(page.visits.result or 0) - page.visits.score(worst)
    assert f"{nats_apart(below)} below the best" in page.dag.facts.text()
    rows = page.results.table.selectionModel().selectedRows()
    assert [page.results.table.visits.visit(index.row()) for index in rows] == [worst]
    edges = {(edge.edge.first, edge.edge.second) for edge in page.dag.scene.drawing.edges}
    assert edges == set(page.visits.dag(worst).all_edges())
    positions = page.dag.scene.positions()
    assert {name: positions[name] for name in "ABCD"} == page.document.positions
    qtbot.mouseClick(page.dag.best, LEFT)
    assert page.dag.shown == page.visits.result == page.results.chart.selected


def test_that_a_row_of_the_table_marks_its_dot_and_opens_its_dag(qtbot: QtBot, page: SearchPage) -> None:
    run_to_end(qtbot, page, "ilc-v")
    table = page.results.table
    table.sortByColumn(COLUMNS.index(NUMBER), Qt.SortOrder.AscendingOrder)
    qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.visits.index(3, 1)).center())
    assert page.dag.shown == page.results.chart.selected == 3
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert page.dag.shown == page.results.chart.selected == 4


def test_that_keys_step_from_dot_to_dot(qtbot: QtBot, page: SearchPage) -> None:
    run_to_end(qtbot, page, "ilc-v")
    chart, last = page.results.chart, len(page.visits) - 1
    chart.setFocus()
    for key, number in (
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_Right, 1),
        (Qt.Key.Key_Left, 0),
        (Qt.Key.Key_End, last),
        (Qt.Key.Key_Right, last),
        (Qt.Key.Key_B, page.visits.result),
    ):
        qtbot.keyClick(chart, key)
        assert page.dag.shown == number


def test_that_hovering_names_the_dag(qtbot: QtBot, page: SearchPage) -> None:
    run_to_end(qtbot, page, "ilc-v")
    best = page.visits.result
    assert best is not None
    qtbot.mouseMove(page.results.chart, QPoint(2, 2))
    qtbot.mouseMove(page.results.chart, on_chart(page, best).toPoint())
    qtbot.waitUntil(lambda: f"DAG {best + 1}" in QToolTip.text())
    assert nats(page.visits.score(best)) in QToolTip.text()
    assert latents_text(page.visits.dag(best)) in QToolTip.text()
    QToolTip.hideText()


def test_that_the_result_is_said_in_sentences(qtbot: QtBot, page: SearchPage) -> None:
    run_to_end(qtbot, page, "ilc-v")
    result = result_of(page)
    assert page.banner.isVisible()
    first, *rest = overall_verdict(result, data=page.document.dataset)
    assert page.banner.verdict.text() == first
    assert page.banner.rests_on.text().splitlines() == rest
    assert not page.banner.latents.isVisible()
    page.banner.shows_details.click()
    assert page.banner.evidence.text() == claim_sentence(result)
    assert tried_sentence(result) in page.banner.end.text()
    assert result.reference is not None
    assert f"Best without hidden causes: {nats(result.reference_score or 0.0)} nats" in page.banner.end.text()
    assert page.banner.latents.text().splitlines() == list(latent_sentences(result))
    assert page.banner.latents.isVisible()
    assert end_sentence(result) in page.banner.end.text()
    assert f"{len(result.history)} DAGs" in page.banner.end.text()


def test_that_the_sentences_of_a_result_stay_together_beside_its_buttons(qtbot: QtBot, page: SearchPage) -> None:
    run_to_end(qtbot, page, "hclc-v")
    banner = page.banner
    banner.verdict.setText("One line.")
    banner.rests_on.setText("Another.")
    banner.compare.show()
    line = banner.fontMetrics().height()
    qtbot.waitUntil(lambda: banner.shows_details.geometry().bottom() > 3 * line)
    qtbot.waitUntil(lambda: max(banner.verdict.height(), banner.rests_on.height()) <= 1.5 * line)


def test_that_keeping_to_the_pag_says_which_edges_of_the_data_it_leaves_out(qtbot: QtBot, page: SearchPage) -> None:
    page.form.fill("binding", "marks")
    page.form.choose("refine")
    assert page.form.left_out.text() == NOT_KNOWN
    run_to_end(qtbot, page, "ilc-v")
    page.form.choose("refine")
    pag = page.document.pag
    assert pag is not None
    assert page.form.left_out.text() == left_out_sentence(pairs_not_in(pag, result_of(page)))
    assert page.form.left_out.isVisibleTo(page.form)
    page.form.fill("binding", "free")
    page.form.choose("refine")
    assert not page.form.left_out.isVisibleTo(page.form)


def test_that_a_search_that_finds_none_says_what_was_tried(page: SearchPage) -> None:
    found = run_search(confounded_data(), open_pag(), "ilc-v", options=quick_options())
    history = found.history
    assert history.best_with_latents is not None
    tried = History(history.nodes, [replace(visit, p_elbo=-1000.0 - bool(visit.n_latents)) for visit in history])
    without = replace(found, history=tried, best=tried.dag(0), reference=None, rival=None)
    page.banner.show_result(without)
    assert plain(page.banner.evidence.text()) == (
        "No hidden cause of two variables improves the model: the best DAG with one scores 1.00 nats below it."
    )
    assert "groups of three or more were not." in page.banner.end.text()


def test_that_the_banner_names_a_few_latents_and_counts_the_others(page: SearchPage) -> None:
    found = run_search(confounded_data(), open_pag(), "ilc-v", options=quick_options())
    latent_evidence = LatentEvidence(Latent("L1", 2, ("A", "B")), (PairEvidence("A", "B", "requires"),), -145.7, "none")
    few = list(latent_sentences(replace(found, evidence=(latent_evidence,))))
    assert few == ["L1 (A, B) is not supported: −145.70 nats (at least 3 required); the PAG requires it."]
    better = replace(latent_evidence, beside=(("A", "B", "C", "D", "E"),), better_by=41.0)
    (said,) = latent_sentences(replace(found, evidence=(better,)))
    assert said.startswith(f"{few[0]} A hidden cause of A, B, C, D and E explains the data better, by 41.00 nats")
    many = list(latent_sentences(replace(found, evidence=(latent_evidence,) * (MOST_LATENTS + 1))))
    assert len(many) == MOST_LATENTS + 1
    assert many[-1] == "1 more hidden cause: open the model for details."


def test_that_a_search_that_is_cut_short_says_so(qtbot: QtBot, page: SearchPage) -> None:
    page.form.fill("max_candidates", 1)
    run_to_end(qtbot, page, "ilc-v")
    assert result_of(page).truncated
    assert "only the first 1 " in page.banner.end.text()


@pytest.mark.parametrize("where", ["chart", "table"])
def test_that_a_right_click_chooses_the_dag_and_offers_the_exports(qtbot: QtBot, page: SearchPage, where: str) -> None:
    run_to_end(qtbot, page, "ilc-v")
    if where == "chart":
        page.results.shown.setCurrentIndex(page.results.shown.findData("all"))
        topoint = on_chart(page, 2).toPoint()
        page.results.chart.customContextMenuRequested.emit(topoint)
        assert page.dag.shown == 2
    else:
        page.results.table.customContextMenuRequested.emit(QPoint(5, 5))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    offered = [action.text().replace("&", "") for action in menu.actions() if not action.isSeparator()]
    assert offered == [
        "Show the best DAG",
        "Open the model",
        "Add to Compare",
        "Export the chart…",
        "Export the table…",
    ]
    menu.close()


def test_that_the_table_is_exported_as_the_command_line_writes_it(
    qtbot: QtBot, host: SearchHost, page: SearchPage, tmp_path: Path
) -> None:
    assert not host.actions_by_id["search.table"].isEnabled()
    assert page.files.ask_table() is None
    assert "no finished search to export" in host.problems.pop()
    run_to_end(qtbot, page, "ilc-v")
    host.actions_by_id["search.table"].trigger()
    dialog = next(each for each in page.findChildren(QFileDialog) if each.isVisible())
    dialog.selectFile(str(tmp_path / "visits"))
    dialog.accept()
    qtbot.waitUntil(lambda: not host.runs.texts)
    assert (tmp_path / "visits.csv").read_text(encoding="utf-8") == history_text(result_of(page).history)
    assert host.problems == []


def test_that_the_chart_is_exported_as_a_picture(
    qtbot: QtBot, host: SearchHost, page: SearchPage, tmp_path: Path
) -> None:
    run_to_end(qtbot, page, "ilc-v")
    for name in ("chart.svg", "chart.pdf", "chart.png"):
        page.files.write_chart(tmp_path / name)
        qtbot.waitUntil(lambda: not host.runs.texts, timeout=30_000)
    assert (tmp_path / "chart.svg").read_text(encoding="utf-8") == chart_svg(result_of(page).history)
    assert (tmp_path / "chart.pdf").read_bytes().startswith(b"%PDF")
    assert not QImage(str(tmp_path / "chart.png")).isNull()
    page.files.write_chart(tmp_path / "chart.doc")
    qtbot.waitUntil(lambda: not host.runs.texts)
    assert "must end in .svg, .pdf or .png" in host.problems[-1]


def test_that_other_data_leave_nothing_of_the_last_search_on_the_page(
    qtbot: QtBot, host: SearchHost, page: SearchPage
) -> None:
    before = page.dag.latents.text()
    run_to_end(qtbot, page, "ilc-v")
    assert page.dag.latents.text().startswith("Latents:")
    put(host, confounded_data(50, seed=1), None)
    assert page.dag.title.text() == "No DAG yet"
    assert page.dag.latents.text() == before
    assert page.dag.facts.text() == ""
    assert not page.banner.isVisible()


def test_that_stop_keeps_the_best_so_far(qtbot: QtBot, searching: SearchPage, host: SearchHost) -> None:
    assert host.runs.texts == ["Searching with ILC-V"]
    qtbot.waitUntil(lambda: "Level 1:" in searching.bar.state.text())
    assert searching.bar.progress.maximum() == 1000
    with qtbot.waitSignal(searching.running.finished):
        searching.bar.buttons.widgetForAction(host.actions_by_id["search.stop"]).click()  # type: ignore[attr-defined]
    result = result_of(searching)
    assert result.stop_reason is StopReason.CANCELLED
    assert result.history.best is not None
    assert result.history.best.index == searching.dag.shown == 7
    qtbot.waitUntil(lambda: searching.results.chart.n_drawn == len(result.history))
    assert "you stopped it" in searching.banner.end.text()
    assert host.problems == []


def test_that_a_pause_lets_nothing_through_until_it_is_over(qtbot: QtBot, searching: SearchPage) -> None:
    pause = searching.context.actions["search.pause"]
    pause.trigger()
    assert pause.text() == "&Resume"
    qtbot.waitUntil(lambda: searching.bar.state.text().startswith("Paused"))
    seconds = searching.running.progress.seconds()
    before = wait_for_rest(qtbot, lambda: len(searching.visits))
    assert searching.running.progress.seconds() == seconds
    pause.trigger()
    qtbot.waitUntil(lambda: len(searching.visits) > before)
    searching.running.stop()
    qtbot.waitUntil(lambda: not searching.running.is_running)


def test_that_data_and_pag_cannot_be_changed_during_a_search(
    qtbot: QtBot, searching: SearchPage, host: SearchHost
) -> None:
    before = host.document.state
    host.document.set_pag(mixed("A --> B", "C --> D"), "Edit")
    assert host.document.state is before
    assert "A search is running" in host.problems[-1]
    assert not searching.form.isEnabled()
    searching.running.start("ilc-v", quick_options())
    assert "already running" in host.problems[-1]
    host.document.move_nodes({"A": (5.0, 5.0)}, "Move A")
    assert host.document.positions["A"] == (5.0, 5.0)
    searching.running.stop()
    qtbot.waitUntil(lambda: not searching.running.is_running)
    host.document.set_pag(mixed("A --> B", "C --> D"), "Edit")
    assert host.document.pag == mixed("A --> B", "C --> D")
    assert host.document.held_reason == ""


def test_that_a_search_without_data_or_pag_is_refused_with_a_sentence(host: SearchHost, page: SearchPage) -> None:
    for data, pag, said in (
        (None, open_pag(), "There are no data to search"),
        (confounded_data(20), None, "ILC-V needs a PAG"),
    ):
        put(host, data, pag)
        before = host.document.state
        host.actions_by_id["search.run"].trigger()
        assert said in host.problems[-1]
        assert host.document.state is before
        assert not page.running.is_running


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("time_limit", "soon", "'soon' is not a duration; write it like 90 s, 5 min or 12 h"),
        ("time_limit", "0 s", "time limit is 0.0; it must be above 0"),
        ("tolerance", "-1", "tolerance is -1.0; it must be above 0"),
        ("tolerance", "", "the tolerance is ''; write a number such as 0.01"),
    ],
)
def test_that_options_out_of_range_are_refused_with_a_sentence(
    host: SearchHost, page: SearchPage, field: str, text: str, said: str
) -> None:
    before = host.document.state
    getattr(page.form, field).setText(text)
    assert page.form.problem.isVisibleTo(page.form)
    assert said.lower() in page.form.problem.text().lower()
    host.actions_by_id["search.run"].trigger()
    assert said in host.problems[-1]
    assert host.document.state is before
    assert not page.running.is_running


def test_that_a_graph_of_other_variables_is_refused_with_a_sentence(
    qtbot: QtBot, host: SearchHost, page: SearchPage
) -> None:
    put(host, confounded_data(50), mixed("A o-o Stranger"))
    page.preflight.stop()
    before = host.document.state
    host.actions_by_id["search.run"].trigger()
    qtbot.waitUntil(lambda: not page.running.is_running)
    assert "'Stranger', which the data lack" in host.problems[-1]
    assert host.document.state is before
    assert "failed" in page.bar.state.text()
    assert host.document.held_reason == ""


def test_that_every_option_of_a_search_is_in_the_form(page: SearchPage) -> None:
    options = quick_options(
        max_bidirected=7,
        max_states=5,
        time_limit=5400.0,
        max_candidates=123,
        invalid_pag="repair",
        workers=3,
        seed=11,
    )
    page.form.show_options("hclc-v", options)
    assert page.form.options() == options
    assert page.form.algorithm == "hclc-v"
    assert page.form.time_limit.text() == "1 h 30 min"
    page.form.reset.click()
    assert page.form.options() == default_options()
    assert page.form.algorithm == "hclc-v"


@pytest.mark.parametrize("seconds", [1.0, 59.0, 60.0, 90.0, 3600.0, 43_200.0, 45_000.0])
def test_that_a_length_of_time_reads_back(seconds: float) -> None:
    assert seconds_of(duration(seconds)) == seconds


def test_that_what_lies_ahead_is_what_the_core_counts(qtbot: QtBot, page: SearchPage) -> None:
    qtbot.waitUntil(lambda: page.preflight.answer is not None, timeout=60_000)
    answer = page.preflight.answer
    assert answer is not None
    assert page.document.dataset is not None
    assert page.document.pag is not None
    truth = preflight(page.document.dataset, page.document.pag, options=page.form.options())
    assert (answer.n_circles, answer.n_invariant, answer.levels) == (truth.n_circles, truth.n_invariant, truth.levels)
    circles = f"{truth.n_circles} circles; {truth.n_invariant} <-> in every MAG"
    assert page.preflight.circles.text() == keep_arrows_whole(circles)
    for level, count in truth.levels.items():
        assert keep_arrows_whole(f"{count}\u00a0with\u00a0{level}\u00a0<->") in page.preflight.levels.text()
    page.form.choose("hclc-v" if answer.recommended == "ilc-v" else "ilc-v")
    assert page.preflight.use.isVisibleTo(page.preflight)
    page.preflight.use.click()
    assert page.form.algorithm == answer.recommended
    assert not page.preflight.use.isVisibleTo(page.preflight)


def test_that_an_invalid_pag_is_announced_with_what_will_be_done(
    qtbot: QtBot, host: SearchHost, page: SearchPage
) -> None:
    put(host, confounded_data(), mixed("A --> B", "B --> C", "C --> A", "C o-o D"))
    qtbot.waitUntil(lambda: page.preflight.answer is not None, timeout=60_000)
    assert page.preflight.answer is not None
    said = page.preflight.warnings_shown()
    assert [warning.rstrip(".").lower() for warning in said] == [w.lower() for w in page.preflight.answer.warnings]
    answer = page.preflight.answer
    is_as_given = answer.pag_handling.kind == "as given"
    sentence = validity_sentence(answer.standing, is_searched_as_given=is_as_given)
    assert page.preflight.validity.text() == keep_arrows_whole(sentence)


def test_that_the_form_starts_with_auto_and_shows_what_each_search_can_be_told(qtbot: QtBot, page: SearchPage) -> None:
    from latconf_gui.pages.search.form import SearchForm

    form = SearchForm()
    qtbot.addWidget(form)
    assert form.algorithm == "auto"
    form.show()
    for algorithm, is_shown in (("ilc-v", True), ("hclc-v", False), ("refine", False)):
        form.choose(algorithm)
        recorded = form.recorded
        levels, cliques = recorded["levels_without_gain"], recorded["tries_cliques"]
        assert (levels.isVisible(), cliques.isVisible()) == (is_shown, is_shown)
        assert (recorded["binding"].isVisible(), form.start.isVisible()) == (algorithm == "refine",) * 2
    form.choose("ilc-v")
    form.fill("levels_without_gain", 3)
    form.fill("tries_cliques", True)
    assert (form.options().levels_without_gain, form.options().tries_cliques) == (3, True)
    form.reset.click()
    assert form.options() == default_options()  # the paper's


def test_that_refine_can_start_from_a_run_on_these_data(qtbot: QtBot, page: SearchPage) -> None:
    run_to_end(qtbot, page, "hclc-v")
    first = result_of(page)
    page.form.choose("refine")
    assert page.form.start_dag is None
    page.form.start.setCurrentIndex(1)
    assert page.form.start_dag == first.best
    page.form.choose("ilc-v")
    assert page.form.start_dag is None  # it cannot take one
    page.form.choose("refine")
    page.run()
    qtbot.waitUntil(lambda: not page.running.is_running, timeout=60_000)
    assert result_of(page).start == first.best


def test_that_the_results_of_a_run_are_handed_to_compare_each_once(qtbot: QtBot, page: SearchPage) -> None:
    run_to_end(qtbot, page, "ilc-v")
    result = result_of(page)
    graphs = page.results_to_compare()
    assert graphs[0].content == result.best
    assert result.reference is not None
    assert {graph.content for graph in graphs} == {result.best, result.reference.dag}
    assert len({graph.content for graph in graphs}) == len(graphs)


def test_that_the_pag_that_auto_learned_is_kept_with_its_run_and_undone_with_it(qtbot: QtBot, page: SearchPage) -> None:
    document = page.document
    document.set_pag(None, "Delete the PAG")
    assert document.pag is None
    run_to_end(qtbot, page, "auto")
    result = result_of(page)
    assert document.pag == result.pag
    assert [kept.name for kept in document.state.pags] == ["GFCI, by Auto"]
    document.undo_stack.undo()
    assert document.pag is None
    assert document.result is None
