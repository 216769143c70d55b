"""The Model page as a person uses it; every number is compared with the core's."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QFileDialog,
    QToolBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from support.model_acts import (
    PLACES,
    click_node,
    confounded,
    put_result,
    settle,
    small_result,
    state_with_result,
)
from support.plain_text import plain

from latconf_core.control import StopReason
from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.dag.hidden_variables import hidden_truth
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.formats.graphs.registry import read_dag
from latconf_core.formats.networks.bif import read_bif
from latconf_core.formats.networks.network_json import read_network_json
from latconf_core.formats.projects.state_changes import delete_run
from latconf_core.model.bit_dag import BitDag
from latconf_core.phrases import nats
from latconf_core.score.association import associations
from latconf_core.score.posterior import Posterior
from latconf_core.score.scorer import Scorer
from latconf_core.search.outcome.evidence import LatentEvidence, PairEvidence
from latconf_core.search.outcome.history import History
from latconf_core.wording.arrow_words import FULL_ARROW, HOLLOW_ARROW
from latconf_core.wording.evidence_texts import nats_apart
from latconf_gui.pages.model.cpt_model import Shown
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.model.sentences import (
    criteria_sentence,
    density_sentence,
    gain_sentence,
    hidden_sentences,
    more_asked_lines,
    orientation_lines,
    run_rows,
    truth_sentence,
    warning_lines,
)
from latconf_gui.widgets.text import keep_arrows_whole
from latconf_gui.window.main_window import MainWindow

LATENT = Latent("L1", 2, ("A", "B"))


@pytest.fixture
def page(whole_window: MainWindow, qtbot: QtBot) -> Iterator[ModelPage]:
    """The Model page with the small result fitted."""
    page = put_result(whole_window, qtbot)
    whole_window.document.undo_stack.clear()
    page.canvas.scene.clearSelection()
    whole_window.problems.clear()
    yield page
    page.stop()


@pytest.fixture(scope="module")
def posterior() -> Posterior:
    result = small_result()
    assert result.best is not None
    return Scorer(confounded(), replace(result.options.vbem, seed=result.seed)).posterior(result.best)


def test_that_the_best_dag_is_drawn_with_its_latent_as_an_ellipse(page: ModelPage) -> None:
    scene = page.canvas.scene
    assert page.dag == small_result().best
    assert {item.name for item in scene.node_items() if item.node.is_latent} == {"L1"}
    assert scene.node_item("A").pos().toTuple() == PLACES["A"]
    emphasised = {drawn.pair for drawn in scene.drawing.edges if drawn.is_emphasised}
    assert emphasised == {frozenset("A") | {"L1"}, frozenset("B") | {"L1"}}


def test_that_the_summary_has_the_numbers_of_the_core(page: ModelPage, posterior: Posterior) -> None:
    inspector = page.inspector()
    assert inspector.value("p-ELBO") == f"{nats(posterior.p_elbo)} nats"
    assert inspector.value("ELBO") == f"{nats(posterior.elbo)} nats"
    assert inspector.value("Log-likelihood") == f"{nats(posterior.log_likelihood)} nats"
    assert inspector.value("BIC") == f"{nats(posterior.bic)} nats"
    assert inspector.value("Free parameters") == f"{posterior.n_free_parameters:,}"
    assert inspector.value("Search") == "HCLC-V, seed 5"
    assert small_result().p_elbo == pytest.approx(posterior.p_elbo, abs=1e-6)


def test_that_a_click_on_a_node_shows_its_table(page: ModelPage, posterior: Posterior) -> None:
    click_node(page, "C")
    cpt = posterior.cpts["C"]
    assert page.table.title.text() == f"P(C | {', '.join(cpt.parents)})"
    model = page.table.model
    flat = cpt.table.reshape(-1, 3)
    for row, state in np.ndindex(*flat.shape):
        assert model.data(model.index(row, model.n_parents + state)) == f"{flat[row, state]:.4f}"
    assert page.inspector().value("Parents") == ", ".join(page.dag.parents["C"]) if page.dag else False
    click_node(page, "L1")
    assert page.table.title.text() == "P(L1)"
    assert model.data(model.index(0, 0)) == f"{posterior.cpts['L1'].table[0]:.4f}"


def test_that_a_variable_can_be_chosen_from_the_list_by_keyboard(page: ModelPage, qtbot: QtBot) -> None:
    names = [page.table.variables.itemText(i) for i in range(page.table.variables.count())]
    assert names == ["A", "B", "C", "D", "L1"]
    page.table.variables.setFocus()
    QTest.keyClick(page.table.variables, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: page.chosen == "A")
    assert page.table.title.text() == "P(A | L1)"


def test_that_cells_are_copied_for_a_spreadsheet(page: ModelPage, qtbot: QtBot) -> None:
    click_node(page, "A")
    page.table.table.selectAll()
    page.table.table.setFocus()
    QTest.keyClick(page.table.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    rows = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert rows[0] == ["L1", "no", "yes"]
    assert [row[0] for row in rows[1:]] == ["s0", "s1"]
    page.table.shown.setCurrentText(Shown.INTERVAL.value)
    qtbot.mouseClick(page.table.copy, Qt.MouseButton.LeftButton)
    assert "–" not in QGuiApplication.clipboard().text()  # below a latent there is none that covers
    click_node(page, "C")
    qtbot.mouseClick(page.table.copy, Qt.MouseButton.LeftButton)
    assert "–" in QGuiApplication.clipboard().text()
    page.table.shown.setCurrentText(Shown.MEAN.value)


def test_that_the_latent_card_has_the_numbers_of_the_core(page: ModelPage, posterior: Posterior) -> None:
    click_node(page, "L1")
    card, result = page.inspector().latent, small_result()
    latent = posterior.latents["L1"]
    expected = [round(float(weight) * 600) for weight in latent.weights]
    shown = [card.states.data(card.states.index(row, 1)) for row in range(2)]
    assert [int(text.split()[0]) for text in shown] == expected
    assert card.orientation.text() == keep_arrows_whole("A, B: the PAG requires a hidden common cause (<->).")
    scorer = Scorer(confounded(), replace(result.options.vbem, seed=result.seed))
    (evidence,) = result.evidence
    assert evidence.support is not None
    assert result.reference is not None
    criteria = criteria_sentence(posterior, scorer.posterior(result.reference.dag))
    assert criteria
    assert card.density.text() == "\n".join([density_sentence(evidence), criteria, *more_asked_lines(evidence)])
    assert card.notes.text().splitlines() == warning_lines(evidence)
    assert card.notes.text().startswith("Note: it has only two children")
    assert [point.n_states for point in card.curve.points] == [2, 3]
    assert card.curve.points[0].p_elbo == pytest.approx(posterior.p_elbo, abs=1e-6)
    assert card.curve.points[1].p_elbo == pytest.approx(scorer.score(posterior.dag.with_states("L1", 3)).p_elbo)
    rows = [card.associations.data(card.associations.index(row, 1)) for row in range(4)]
    assert rows == [f"{association.cramers_v:.3f}" for association in associations(posterior, "L1")]


def test_that_weak_evidence_is_called_weak() -> None:
    pair = (PairEvidence("A", "B", "allows"),)
    over = "added to the best DAG without hidden causes"
    assert plain(density_sentence(LatentEvidence(LATENT, pair, 2.9, "weak"))) == (
        f"+2.90 nats (at least 3 required), {over}: weak evidence: less than the required 3 nats."
    )
    assert plain(density_sentence(LatentEvidence(LATENT, pair, 9.0, "weak", 1.0))).endswith(
        "weak evidence: an edge with merged states fits equally well."
    )
    assert "weak" not in density_sentence(LatentEvidence(LATENT, pair, 3.1, "strong"))
    assert plain(density_sentence(LatentEvidence(LATENT, pair, -1.5, "none"))).startswith(
        f"−1.50 nats (at least 3 required), {over}: not supported"
    )
    better = LatentEvidence(LATENT, pair, -9.0, "none", beside=(("A", "B", "C", "D", "E"),), better_by=41.0)
    assert "added to the best DAG with a hidden cause of A, B, C, D and E: not supported" in density_sentence(better)
    assert warning_lines(better)[-1].startswith(
        "Note: a hidden cause of A, B, C, D and E explains the data better, by 41.00"
    )
    assert density_sentence(LatentEvidence(LATENT, pair)) == "Not judged."


def test_that_the_sentences_speak_of_the_dag_that_is_shown(page: ModelPage, qtbot: QtBot) -> None:
    result, inspector = small_result(), page.inspector()
    count = len(result.history)
    assert f"The best of {count} visited DAGs." in inspector.text.text()
    assert result.gain is not None
    assert f"The best DAG without hidden causes scores {nats_apart(result.gain)} above it." in inspector.text.text()
    page.show_dag(LatentDag("ABCD", [("A", "B")]))
    settle(page, qtbot)
    assert page.facts is not None
    below = (result.p_elbo or 0) - page.facts.posterior.p_elbo
    assert f"{nats_apart(below)} below the best visited DAG." in inspector.text.text()
    said = f"It has no hidden cause. The best DAG with hidden causes scores {nats_apart(below)} above it."
    assert said in inspector.text.text()
    page.document.open_dag(None)
    settle(page, qtbot)


@pytest.mark.parametrize(
    ("gain", "said"),
    [
        (4.7, "Its hidden cause gains 4.70 nats over the best DAG without hidden causes."),
        (
            1.0,
            ("gains 1.00 nats over the best DAG without hidden causes. That is weak: less than the required 3 nats."),
        ),
        (
            -4.7,
            (
                "The best DAG without hidden causes scores 4.70 nats above it. Select a hidden cause to see what "
                "it is worth when added to that DAG."
            ),
        ),
    ],
)
def test_that_a_hidden_cause_is_weighed_against_the_best_dag_without(
    posterior: Posterior, gain: float, said: str
) -> None:
    history = History("ABCD", list(small_result().history))
    history.add(BitDag((0, 0, 0, 0)), posterior.p_elbo - gain, level=0)
    assert plain(gain_sentence(posterior, replace(small_result(), history=history, reference=None))).endswith(said)


def test_that_a_hidden_cause_that_can_be_compared_with_nothing_says_so(posterior: Posterior) -> None:
    said = gain_sentence(posterior, replace(small_result(), reference=None))
    assert said.startswith("The search visited no DAG without hidden causes, so the gain of its hidden cause")


def test_that_the_end_of_the_search_is_told_as_a_person_would() -> None:
    stopped = replace(small_result(), stop_reason=StopReason.CANCELLED)
    assert ("Stopped", "You stopped it; the best so far is kept") in run_rows(stopped)


def test_that_the_table_takes_room_only_while_a_variable_is_chosen(page: ModelPage, qtbot: QtBot) -> None:
    assert page.table.is_folded
    line = page.table.height()
    assert line < page.height() / 4
    click_node(page, "C")
    qtbot.waitUntil(lambda: page.table.height() > line)
    page.splitter.setSizes([400, 400])
    opened = page.table.height()
    page.canvas.scene.clearSelection()
    qtbot.waitUntil(lambda: page.table.height() == line)
    click_node(page, "D")
    qtbot.waitUntil(lambda: page.table.height() == opened)


def name_it(page: ModelPage, name: str) -> None:
    """Type a name into the card of the chosen latent."""
    field = page.inspector().latent.name
    page.context.actions["model.name"].trigger()
    field.setText(name)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_that_a_hidden_cause_is_named_everywhere_and_that_is_undone(
    page: ModelPage, tmp_path: Path, qtbot: QtBot
) -> None:
    click_node(page, "L1")
    name_it(page, "Smoking")
    assert page.document.latent_names == {("A", "B"): "Smoking"}
    assert page.chosen == "Smoking"
    assert page.inspector().latent.title.text() == "Smoking"
    assert page.table.title.text() == "P(Smoking)"
    assert "Smoking" in page.canvas.scene.drawing.names
    assert page.inspector().latent.density.text() != "Computing…"
    page.rename_state("s0", "never")
    assert page.chosen == "Smoking"
    click_node(page, "A")
    assert page.table.title.text() == "P(A | Smoking)"
    assert page.table.model.data(page.table.model.index(0, 0)) == "never"
    assert page.inspector().value("Latents") == "Smoking"
    page.files.write_model(tmp_path / "m.bif")
    assert read_bif(tmp_path / "m.bif").latents == {"Smoking"}
    page.files.write_graph(tmp_path / "g.json")
    assert [latent.name for latent in read_dag(tmp_path / "g.json").latents] == ["Smoking"]
    page.files.write_rows("L1", tmp_path / "rows.csv")
    qtbot.waitUntil(lambda: (tmp_path / "rows.csv").exists() and not page.context.runs.texts)
    assert (tmp_path / "rows.csv").read_text(encoding="utf-8").startswith("row,Smoking=never,Smoking=s1,Smoking\n")
    page.document.undo_stack.undo()
    page.document.undo_stack.undo()
    assert "L1" in page.canvas.scene.drawing.names
    assert page.document.latent_names == {}


def test_that_a_name_goes_with_the_children_into_another_dag(page: ModelPage, qtbot: QtBot) -> None:
    page.document.name_latent(("A", "B"), "Smoking", "Name")
    page.show_dag(LatentDag("ABCD", [("A", "C")], [Latent("L2", 3, ("A", "B")), Latent("L1", 2, ("C", "D"))]))
    settle(page, qtbot)
    assert {"Smoking", "L1"} <= set(page.canvas.scene.drawing.names)
    page.choose("Smoking")
    assert page.inspector().latent.summary.text().startswith("3 states")
    page.document.open_dag(None)
    settle(page, qtbot)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("C", "'C' is a variable of the data"),
        ("L7", "'L7' is reserved for unnamed hidden causes"),
        ("Genes", "the hidden cause of C, D is called 'Genes'"),
    ],
)
def test_that_a_name_that_means_something_else_is_refused(
    page: ModelPage, whole_window: MainWindow, name: str, said: str
) -> None:
    page.document.name_latent(("C", "D"), "Genes", "Name")
    click_node(page, "L1")
    name_it(page, name)
    assert said in whole_window.problems.messages[0].what
    assert page.document.latent_names == {("C", "D"): "Genes"}
    assert page.inspector().latent.name.text() == ""
    assert page.chosen == "L1"


def test_that_an_empty_name_takes_the_name_away(page: ModelPage) -> None:
    click_node(page, "L1")
    name_it(page, "Smoking")
    name_it(page, "")
    assert page.document.latent_names == {}
    assert page.chosen == "L1"


def test_that_states_are_named_and_that_is_undone(page: ModelPage) -> None:
    click_node(page, "L1")
    card, document = page.inspector().latent, page.document
    assert card.states.setData(card.states.index(0, 0), "ill")
    assert document.state_names[LATENT] == ("ill", "s1")
    assert page.network is not None
    assert page.network.states("L1") == ("ill", "s1")
    assert page.chosen == "L1"
    click_node(page, "A")
    assert page.table.model.data(page.table.model.index(0, 0)) == "ill"
    document.undo_stack.undo()
    assert page.network.states("L1") == ("s0", "s1")


def test_that_two_states_cannot_have_one_name(page: ModelPage, whole_window: MainWindow) -> None:
    click_node(page, "L1")
    page.rename_state("s0", "s1")
    assert "already has a state 's1'" in whole_window.problems.messages[0].what
    assert page.network is not None
    assert page.network.states("L1") == ("s0", "s1")


def test_that_any_visited_dag_can_be_looked_at(page: ModelPage, whole_window: MainWindow, qtbot: QtBot) -> None:
    history = small_result().history
    other = next(history.dag(i) for i in range(len(history)) if history.dag(i) != page.dag)
    whole_window.show_page("Data")
    page.show_dag(other)
    assert whole_window.stack.currentWidget() is page
    settle(page, qtbot)
    assert page.dag == other
    assert page.facts is not None
    assert page.facts.posterior.dag == other
    scorer = Scorer(confounded(), replace(small_result().options.vbem, seed=5))
    assert page.facts.posterior.p_elbo == pytest.approx(scorer.score(other).p_elbo, abs=1e-6)
    page.context.actions["model.best"].trigger()
    assert page.dag == small_result().best
    settle(page, qtbot)


def test_that_the_list_of_dags_opens_the_best_of_each_kind(page: ModelPage, qtbot: QtBot) -> None:
    result = small_result()
    texts = [page.choice.itemText(i) for i in range(page.choice.count())]
    assert texts[0] == f"HCLC-V on drawn: best, {nats(result.p_elbo or 0)}"
    page.document.open_dag(LatentDag("ABCD", [("A", "B")]))
    settle(page, qtbot)
    assert page.choice.currentText() == "HCLC-V on drawn: another DAG"
    assert page.canvas.legend.accessibleDescription() == f"{FULL_ARROW}; {HOLLOW_ARROW}"
    page.choice.setCurrentIndex(0)
    page.choice.activated.emit(0)
    settle(page, qtbot)
    assert page.dag == result.best


def test_that_moved_nodes_stay_and_a_latent_keeps_its_place_by_its_children(page: ModelPage) -> None:
    scene, document = page.canvas.scene, page.document
    scene.nodes_moved.emit({"L1": (80.0, -90.0), "D": (5.0, 5.0)})
    assert document.model_positions["latent over A, B"] == (80.0, -90.0)
    assert "L1" not in document.model_positions
    assert document.positions == PLACES  # of the PAG
    assert scene.node_item("L1").pos().toTuple() == (80.0, -90.0)
    assert scene.node_item("D").pos().toTuple() == (5.0, 5.0)
    document.undo_stack.undo()
    assert scene.node_item("D").pos().toTuple() == PLACES["D"]


def test_that_laying_out_forgets_what_was_moved_and_can_be_undone(page: ModelPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.places.changed, timeout=20_000):
        page.context.actions["model.layout"].trigger()
    assert_in_rows(page)
    assert page.document.model_positions == {}
    page.document.undo_stack.undo()
    assert page.document.model_positions == PLACES
    assert page.canvas.scene.node_item("A").pos().toTuple() == PLACES["A"]


def test_that_a_model_has_a_layout_of_its_own_whatever_that_of_the_pag(page: ModelPage, qtbot: QtBot) -> None:
    upside_down = {name: (x, -y) for name, (x, y) in PLACES.items()}
    page.document.place_model({}, "Nothing by hand")
    page.document.move_nodes(upside_down, "Move the PAG")
    qtbot.waitUntil(lambda: not page.is_busy)
    assert_in_rows(page)
    assert page.document.positions == upside_down


def test_that_moving_a_node_leaves_all_others_where_they_are(page: ModelPage, qtbot: QtBot) -> None:
    page.document.place_model({}, "Nothing by hand")
    qtbot.waitUntil(lambda: not page.is_busy)
    before = page.canvas.scene.positions()
    page.canvas.scene.nodes_moved.emit({"D": (500.0, 400.0)})
    assert page.canvas.scene.positions() == {**before, "D": (500.0, 400.0)}
    page.show_dag(small_result().history.dag(0))
    assert page.canvas.scene.node_item("D").pos().toTuple() == (500.0, 400.0)


def test_that_equal_verdicts_of_the_pag_are_one_line_of_the_card() -> None:
    pairs = [("A", "B"), ("A", "C"), ("B", "C")]
    same = LatentEvidence(LATENT, tuple(PairEvidence(a, b, "contradicts") for a, b in pairs), None)
    assert [line.split(":")[0] for line in orientation_lines(same)] == ["All 3 pairs of children"]
    mixed = replace(same, orientation=(PairEvidence("A", "B", "allows"), *same.orientation[1:]))
    first, second = orientation_lines(mixed)
    assert first.startswith("1 of 3 pairs:")
    assert first.endswith(": A, B.")
    assert second.startswith("2 of 3 pairs:")
    assert second.endswith(": A, C; B, C.")


def test_that_a_bic_that_prefers_no_hidden_cause_is_said(posterior: Posterior) -> None:
    class Fitted:
        def __init__(self, bic: float, log_likelihood: float) -> None:
            self.bic, self.log_likelihood = bic, log_likelihood

    own_bic, own_log = posterior.bic, posterior.log_likelihood
    assert own_bic is not None
    assert own_log is not None
    assert criteria_sentence(posterior, None) == ""
    assert criteria_sentence(posterior, cast(Posterior, Fitted(own_bic - 1, own_log - 1))) == ""
    alone = criteria_sentence(posterior, cast(Posterior, Fitted(own_bic + 2.5, own_log - 1)))
    assert alone == "BIC prefers the best DAG without hidden causes, by 2.50 nats."
    both = criteria_sentence(posterior, cast(Posterior, Fitted(own_bic + 2.5, own_log + 4.0)))
    assert both.startswith("BIC and the log-likelihood prefer ")
    assert both.endswith(", by 2.50 and 4.00 nats.")


def test_that_stability_and_chance_are_reached_from_the_toolbar(page: ModelPage) -> None:
    shown = {action for bar in page.findChildren(QToolBar) for action in bar.actions()}
    assert {page.context.actions[id] for id in ("model.stability", "model.chance")} <= shown


def assert_in_rows(page: ModelPage) -> None:
    """Every arrow of the drawing points downwards, and latents stand above all others."""
    places = page.canvas.scene.positions()
    assert page.dag is not None
    assert all(places[cause][1] < places[effect][1] for cause, effect in page.dag.all_edges())
    assert all(places["L1"][1] < places[name][1] for name in page.dag.nodes)


def test_that_the_model_is_written_as_bif_and_json(page: ModelPage, posterior: Posterior, tmp_path: Path) -> None:
    page.document.name_states(LATENT, ("ill", "well"), "Name")
    page.files.write_model(tmp_path / "m.bif")
    page.files.write_model(tmp_path / "m.json")
    for network in (read_bif(tmp_path / "m.bif"), read_network_json(tmp_path / "m.json")):
        assert network.states("L1") == ("ill", "well")
        assert network.latents == {"L1"}
        for name, cpt in posterior.cpts.items():
            ours = network.cpts[name]
            order = [ours.parents.index(parent) for parent in cpt.parents]
            assert np.allclose(np.transpose(ours.table, [*order, len(order)]), cpt.table, atol=1e-12)


def test_that_graph_table_rows_and_pictures_are_written(page: ModelPage, tmp_path: Path, qtbot: QtBot) -> None:
    page.files.write_graph(tmp_path / "g.json")
    assert read_dag(tmp_path / "g.json") == page.dag
    click_node(page, "C")
    dialog = page.files.ask_table("C")
    assert dialog is not None
    choose_file(dialog, tmp_path / "c")
    with (tmp_path / "c.csv").open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
    assert header[-3:] == ["lower_95", "upper_95", "dirichlet"]
    page.files.write_rows("L1", tmp_path / "rows.csv")
    qtbot.waitUntil(lambda: (tmp_path / "rows.csv").exists() and not page.context.runs.texts)
    assert len((tmp_path / "rows.csv").read_text(encoding="utf-8").splitlines()) == 601
    for suffix in ("svg", "pdf", "png"):
        page.files.write_picture(page.canvas.scene, tmp_path / f"p.{suffix}", 1.5)
        assert (tmp_path / f"p.{suffix}").stat().st_size > 500
    assert not QImage(str(tmp_path / "p.png")).isNull()


def choose_file(dialog: QFileDialog, path: Path) -> None:
    """Accept a file dialog with this name, the suffix left to it."""
    dialog.selectFile(str(path))
    dialog.accept()


def test_that_the_report_is_found_where_one_looks_for_exports(page: ModelPage, tmp_path: Path, qtbot: QtBot) -> None:
    bar = next(bar for bar in page.findChildren(QToolBar) if page.exports.menuAction() in bar.actions())
    button = bar.widgetForAction(page.exports.menuAction())
    assert isinstance(button, QToolButton)
    assert button.popupMode() == QToolButton.ToolButtonPopupMode.InstantPopup
    report = page.context.actions["model.report"]
    assert report in page.exports.actions()
    assert report.isEnabled()
    page.files.write_report(tmp_path / "report.html")
    qtbot.waitUntil(lambda: (tmp_path / "report.html").exists(), timeout=30_000)
    assert "a hidden cause of A, B" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_that_the_typed_extension_decides_what_the_model_is_written_as(
    page: ModelPage, whole_window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    for ask, name in ((page.files.ask_model, "m.json"), (page.files.ask_graph, "g.dot")):
        dialog = ask()
        assert dialog is not None
        choose_file(dialog, tmp_path / name)
        assert whole_window.statusBar().currentMessage() == f"Written: {tmp_path / name}"
    assert (tmp_path / "m.json").read_text(encoding="utf-8").startswith("{")
    assert (tmp_path / "g.dot").read_text(encoding="utf-8").startswith("digraph")
    page.files.write_rows("L1", tmp_path / "rows.csv")
    qtbot.waitUntil(lambda: whole_window.statusBar().currentMessage() == f"Written: {tmp_path / 'rows.csv'}")
    dialog = page.files.ask_table("C")
    assert dialog is not None
    assert Path(dialog.directory().absolutePath()) == tmp_path
    dialog.reject()


def test_that_a_file_that_cannot_be_written_is_explained(
    page: ModelPage, whole_window: MainWindow, tmp_path: Path
) -> None:
    page.files.write_model(tmp_path / "gone" / "m.bif")
    assert "does not exist" in whole_window.problems.messages[0].what


def test_that_without_a_result_the_page_is_closed_and_says_what_it_needs(
    page: ModelPage, whole_window: MainWindow, qtbot: QtBot
) -> None:
    document = whole_window.document
    document.change(delete_run(document.state, "HCLC-V on drawn"), "Delete the run")
    assert not ModelPage.is_available(whole_window.document)
    assert whole_window.stack.currentWidget() is not page
    assert page.dag is None
    assert page.files.ask_model() is None
    whole_window.document.undo_stack.undo()
    assert ModelPage.is_available(whole_window.document)
    settle(page, qtbot)
    assert page.dag == small_result().best


def test_that_a_stored_posterior_is_shown_as_it_is(whole_window: MainWindow, qtbot: QtBot) -> None:
    state = state_with_result(small_result())
    whole_window.document.open_state(state, "Open")
    page = whole_window.page(ModelPage)
    settle(page, qtbot)
    assert page.facts is not None
    assert page.facts.posterior is small_result().posterior


def test_that_a_known_truth_is_compared_with() -> None:
    network = BayesNet(
        [
            Cpt("H", ("0", "1"), (), [0.5, 0.5]),
            Cpt("A", ("0", "1"), ("H",), [[0.9, 0.1], [0.2, 0.8]]),
            Cpt("B", ("0", "1"), ("H",), [[0.7, 0.3], [0.2, 0.8]]),
        ],
        latents=["H"],
    )
    truth = hidden_truth(network, network.latents)
    assert truth_sentence(LATENT, truth) == "Known truth: this is H (2 states), with exactly its children."
    assert truth_sentence(Latent("L1", 2, ("C", "D")), truth).startswith("No hidden variable")
    wide = truth_sentence(Latent("L1", 2, ("A", "B", "C")), truth)
    assert wide == "Known truth: closest to H (2 states): shares A, B; adds C."
    assert hidden_sentences(LatentDag("AB", [], [LATENT]), truth) == ["Hidden in truth: H → A, B: found as L1."]
    assert hidden_sentences(LatentDag("AB"), truth) == ["Hidden in truth: H → A, B: not in this DAG."]


def test_that_everything_that_takes_the_focus_has_a_name_for_a_screen_reader(page: ModelPage) -> None:
    click_node(page, "L1")
    kinds = (QAbstractButton, QAbstractItemView, QComboBox)
    shown = [*page.findChildren(QWidget), *page.inspector().findChildren(QWidget)]
    nameless = [
        each
        for each in shown
        if isinstance(each, kinds)
        and each.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not each.objectName().startswith("qt_")
        and not each.accessibleName()
        and not (isinstance(each, QAbstractButton) and each.text())
        and not isinstance(each.parent(), QComboBox)
        and each.window() is page.window()
    ]
    assert nameless == []


def test_that_the_page_fits_a_small_window_at_double_text(page: ModelPage, whole_window: MainWindow) -> None:
    whole_window.theme.set_text_percent(200)
    try:
        click_node(page, "C")
        assert page.minimumSizeHint().width() < 720  # beside the rail and the Inspector on a screen of 1280 pixels
    finally:
        whole_window.theme.set_text_percent(100)
