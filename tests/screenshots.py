"""Starts the window and takes a picture of every page: light and dark, two sizes, and text at 200 %.

    python tests/screenshots.py [--out screenshots] [--only data] [--readme]

`--readme` refreshes the pictures of README in resources/pictures instead. A new page registers in SCENES: a name, and
a function that takes the window to the state worth looking at.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QEventLoop, QSettings, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QApplication

from latconf_core.formats.example_choice import default_choice
from latconf_core.graph.marks import Mark
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.teaching.starter_dags import STARTER_DAGS
from latconf_core.wording.step_texts import step_kind
from latconf_gui.app import make_application
from latconf_gui.application.settings import ColourScheme, Settings
from latconf_gui.look.theme import Theme
from latconf_gui.pages.compare.compare_page import ComparePage
from latconf_gui.pages.knowledge.knowledge_dialog import KnowledgeDialog
from latconf_gui.pages.knowledge.rules_model import Rule, RuleKind, with_rule
from latconf_gui.pages.learn.learn_page import LearnPage
from latconf_gui.pages.learn.members.members_activity import MembersActivity
from latconf_gui.pages.learn.separation.separation_activity import SeparationActivity
from latconf_gui.pages.learn.stepping.stepping_activity import SteppingActivity
from latconf_gui.pages.model.asking.held_states import HeldStates
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.pages.pag.pag_page import PagPage
from latconf_gui.pages.search.search_page import SearchPage
from latconf_gui.window.main_window import MainWindow

ROOT = Path(__file__).resolve().parent.parent
LONGEST_SECONDS = 120
SMALL, LARGE = QSize(1280, 800), QSize(1920, 1080)
SHOTS: tuple[tuple[str, QSize, ColourScheme, int], ...] = (
    ("light-1280", SMALL, "light", 100),
    ("dark-1280", SMALL, "dark", 100),
    ("light-1920", LARGE, "light", 100),
    ("dark-1920", LARGE, "dark", 100),
    ("light-1280-200percent", SMALL, "light", 200),
    ("dark-1280-200percent", SMALL, "dark", 200),
    ("light-1920-200percent", LARGE, "light", 200),
    ("dark-1920-200percent", LARGE, "dark", 200),
)
README_SHOTS: tuple[tuple[str, QSize, ColourScheme, int], ...] = (("light", SMALL, "light", 100),)


def settle(window: MainWindow) -> None:
    """Wait until nothing is running and everything is drawn."""
    wait_for(lambda: not window.runs.texts)
    for _ in range(5):
        QApplication.processEvents()


def wait_for(claim: Callable[[], bool]) -> None:
    """Let the window work until the claim holds."""
    end = time.monotonic() + LONGEST_SECONDS
    loop = QEventLoop()
    poll = QTimer(interval=20)
    poll.timeout.connect(lambda: loop.quit() if claim() or time.monotonic() > end else None)
    poll.start()
    loop.exec()
    if not claim():
        raise TimeoutError(f"waited {LONGEST_SECONDS} s in vain")


def show_start(window: MainWindow) -> None:
    window.actions_by_id["page.start"].trigger()


def show_data(window: MainWindow) -> None:
    window.opener.open_example(default_choice("asia"))
    settle(window)


def show_messy_data(window: MainWindow) -> None:
    """A file with missing cells, numbers, an identifier, a constant, a mark among numbers and a state spelt twice."""
    import numpy as np

    rng = np.random.default_rng(4)
    path = Path(tempfile.mkdtemp()) / "patients.csv"
    lines = ["patient,age,smoker,ward,cough,country,visits,insured,bronchitis"]
    for row in range(600):
        smoker = rng.choice(["yes", "no", "NA"], p=[0.4, 0.55, 0.05])
        cough = rng.choice(["never", "sometimes", "often", ""], p=[0.5, 0.3, 0.15, 0.05])
        words = [f"P{row:04}", f"{rng.normal(50, 15):.1f}", smoker, rng.choice(list("ABCDE")), cough, "UK"]
        words += [rng.choice(["0", "1", "2", "3", "k.A."]), rng.choice(["Ja", "ja", "nein"])]
        lines.append(",".join([*words, rng.choice(["yes", "no"])]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    window.opener.open_path(path)
    settle(window)
    from latconf_gui.pages.data.data_page import DataPage

    page = window.page(DataPage)
    assert isinstance(page, DataPage)
    page.choose_variable("cough")


def show_discretise(window: MainWindow) -> None:
    show_messy_data(window)
    from latconf_gui.pages.data.data_page import DataPage

    page = window.page(DataPage)
    assert isinstance(page, DataPage)
    page.choose_variable("age")
    dialog = page.ask_discretise("age")
    assert dialog is not None
    loop = QEventLoop()
    QTimer.singleShot(300, loop.quit)
    loop.exec()


def show_reading(window: MainWindow) -> None:
    show_messy_data(window)
    window.actions_by_id["data.reading"].trigger()


def show_problems(window: MainWindow) -> None:
    from latconf_core.errors import FileFormatError

    show_data(window)
    window.problems.report(FileFormatError("5 cells where 7 are expected", "survey.csv", 12), "Opening survey.csv")
    try:
        raise KeyError("positions")
    except KeyError as error:
        window.problems.report(error, "The window")


def show_commands(window: MainWindow) -> None:
    show_data(window)
    window.actions_by_id["edit.commands"].trigger()


def learn_pag(window: MainWindow, example: str) -> PagPage:
    """The PAG page with the PAG of an example."""
    window.opener.open_example(default_choice(example))
    settle(window)
    window.show_page("PAG")
    page = window.page(PagPage)
    page.learn()
    wait_for(lambda: window.document.pag is not None and not page.legality.is_busy)
    return page


def show_pag(window: MainWindow) -> None:
    page = learn_pag(window, "asia")
    page.canvas.scene.select_edge("lung", "either", end="either")


def show_pag_why(window: MainWindow) -> None:
    """Why a mark is there, visible edges, and what separated the pairs without an edge."""
    page = learn_pag(window, "alarm")
    wait_for(lambda: page.run.replay is not None)
    window.actions_by_id["pag.visible"].setChecked(True)
    page.tabs.setCurrentWidget(page.edges)
    page.edges.shows_removed.click()
    page.canvas.scene.select_edge("HR", "CO", end="CO")


def open_steps(window: MainWindow, *, kind: str) -> SteppingActivity:
    """The Lessons page with a discriminating path, at the last step of a kind."""
    window.show_page("Lessons")
    activity = window.page(LearnPage).open_activity("steps")
    assert isinstance(activity, SteppingActivity)
    activity.show_dag(STARTER_DAGS["Discriminating path"])
    wait_for(lambda: activity.replay is not None and not activity.is_busy)
    assert activity.replay is not None
    activity.player.go(max(k for k, event in enumerate(activity.replay.events) if step_kind(event) == kind))
    return activity


def show_learn_steps(window: MainWindow) -> None:
    open_steps(window, kind="R4")


def show_learn_predict(window: MainWindow) -> None:
    open_steps(window, kind="Edge removed").predictions.mode.click()


def show_learn_separation(window: MainWindow) -> None:
    window.show_page("Lessons")
    activity = window.page(LearnPage).open_activity("separation")
    assert isinstance(activity, SeparationActivity)
    activity.click_node("E")
    wait_for(lambda: not activity.is_busy)


def show_learn_separation_game(window: MainWindow) -> None:
    window.show_page("Lessons")
    activity = window.page(LearnPage).open_activity("separation")
    assert isinstance(activity, SeparationActivity)
    activity.game.restart(11)
    activity.play.click()
    activity.game.show_solution()
    wait_for(lambda: not activity.is_busy)


def show_learn_members(window: MainWindow) -> None:
    """The PAG of the data, so that its DAGs have scores."""
    learn_pag(window, "asia")
    window.show_page("Lessons")
    activity = window.page(LearnPage).open_activity("members")
    assert isinstance(activity, MembersActivity)
    findtext = activity.graphs.findText("PAG: ", Qt.MatchFlag.MatchStartsWith)
    activity.graphs.setCurrentIndex(findtext)
    activity.graphs.activated.emit(findtext)
    wait_for(lambda: activity.model.is_complete)
    for _ in range(2):
        activity.flip(1)
    wait_for(lambda: activity.model.facts.keys() >= set(activity.tree.visible_numbers()) and not activity.is_blinking)


def show_pag_alarm(window: MainWindow) -> None:
    page = learn_pag(window, "alarm")
    page.tabs.setCurrentWidget(page.edges)
    page.canvas.scene.select_edge("HREKG", "HRSAT")


def show_pag_broken(window: MainWindow) -> None:
    """A PAG that is none: its rule named, its edges lit; and a question of separation."""
    page = learn_pag(window, "asia")
    edge = next(window.document.pag.edges())
    page.editor.set_mark(edge.second, edge.first, Mark.TAIL)
    page.tabs.setCurrentWidget(page.separation)
    page.separation.ask_about("lung", "tub")
    page.separation.set_given(["either"])
    wait_for(lambda: not page.legality.is_busy and not page.separation.is_busy)


def open_knowledge(window: MainWindow) -> KnowledgeDialog:
    """The editor on a network of 37 variables, with something of every kind said."""
    window.opener.open_example(default_choice("alarm"))
    settle(window)
    names = window.document.dataset.names
    known = Knowledge(
        tiers=(names[:4], names[4:15], (*names[15:20], "A_COLUMN_THAT_IS_NOT_THERE")),
        closed_tiers=frozenset({0}),
        forbidden=((names[5], names[16]),),
        required=((names[1], names[7]), (names[6], names[18])),
        forbidden_indirect=((names[20], names[21]),),
        exogenous=names[:2],
        no_hidden_cause=((names[5], names[6], names[7]),),
    )
    window.document.set_knowledge(known, "Know something")
    window.actions_by_id["knowledge.edit"].trigger()
    return window.knowledge.dialog


def show_knowledge(window: MainWindow) -> None:
    """Tiers side by side."""
    dialog = open_knowledge(window)
    dialog.board.focus_column(1)


def show_knowledge_causes(window: MainWindow) -> None:
    dialog = open_knowledge(window)
    dialog.tabs.setCurrentWidget(dialog.rules)


def show_knowledge_hidden(window: MainWindow) -> None:
    dialog = open_knowledge(window)
    dialog.tabs.setCurrentWidget(dialog.hidden)


def show_knowledge_conflict(window: MainWindow) -> None:
    """A contradiction, said at once."""
    dialog = open_knowledge(window)
    dialog.tabs.setCurrentWidget(dialog.rules)
    first, last = dialog.draft.tiers[0].names[0], dialog.draft.tiers[1].names[0]
    dialog.change(with_rule(dialog.draft, Rule(RuleKind.REQUIRED, last, first)), "Contradict")


def show_search_knowledge(window: MainWindow) -> None:
    """What binds, on the Search page."""
    window.opener.open_example(default_choice("asia"))
    settle(window)
    known = Knowledge(tiers=(("asia",), ("tub", "lung", "bronc"), ("dysp",)), required=(("tub", "either"),))
    window.document.set_knowledge(known, "Know something")
    window.show_page("Search")


def show_pag_knowledge(window: MainWindow) -> None:
    """A PAG with knowledge: how many MAGs remain, and what the learner keeps to."""
    page = learn_pag(window, "asia")
    window.document.set_knowledge(Knowledge(tiers=(("asia",), ("tub", "lung", "bronc"), ("dysp",))), "Know something")
    edge = next(edge for edge in window.document.pag.edges() if "o" in edge.arrow)
    page.editor.set_mark(
        *((edge.first, edge.second) if edge.arrow[0] == "o" else (edge.second, edge.first)), Mark.ARROW
    )
    wait_for(lambda: not page.legality.is_busy)


def show_pag_empty(window: MainWindow) -> None:
    window.opener.open_example(default_choice("asia"))
    settle(window)
    window.show_page("PAG")


def look_ahead(window: MainWindow, example: str) -> SearchPage:
    """The Search page before a run."""
    learn_pag(window, example)
    window.show_page("Search")
    page = window.page(SearchPage)
    wait_for(lambda: page.preflight.answer is not None)
    return page


def show_search_ahead(window: MainWindow) -> None:
    look_ahead(window, "asia")


def show_search(window: MainWindow) -> None:
    page = look_ahead(window, "asia")
    page.run()
    wait_for(lambda: not page.running.is_running and not page.dag.is_busy)


def show_search_alarm(window: MainWindow) -> None:
    """Hundreds of DAGs, with one chosen in the chart."""
    page = look_ahead(window, "alarm")
    page.form.choose("ilc-v")
    page.run()
    wait_for(lambda: not page.running.is_running)
    page.results.chart.visit_chosen.emit(120)
    wait_for(lambda: not page.dag.is_busy)


def show_search_sachs(window: MainWindow) -> None:
    """What Auto found: a hidden cause of five variables."""
    find_model(window, "sachs")
    window.show_page("Search")
    page = window.page(SearchPage)
    page.show_best()
    wait_for(lambda: not page.dag.is_busy)


def show_search_running(window: MainWindow) -> None:
    """Auto under way."""
    page = look_ahead(window, "sachs")
    page.run()
    wait_for(lambda: len(page.visits) > 100)


def show_options(window: MainWindow) -> None:
    """What Refine can be told."""
    page = look_ahead(window, "asia")
    page.form.choose("refine")


def show_model_sachs(window: MainWindow) -> None:
    """The hidden cause of five variables with its card."""
    page = find_model(window, "sachs")
    assert page.dag is not None
    page.choose(page.dag.latents[0].name)


def find_model(window: MainWindow, example: str) -> ModelPage:
    """The Model page with the model of an example, found with GFCI and HCLC-V."""
    window.example_path.start(default_choice(example))
    page = window.page(ModelPage)
    wait_for(lambda: page.facts is not None and page.facts.is_complete and not page.is_busy)
    window.show_page("Model")
    return page


def show_model(window: MainWindow) -> None:
    """The whole model, with the table of a variable."""
    page = find_model(window, "asia")
    page.choose("dysp")


def show_model_summary(window: MainWindow) -> None:
    find_model(window, "asia")


def show_model_latent(window: MainWindow) -> None:
    _choose_latent(find_model(window, "asia"))


def show_model_alarm(window: MainWindow) -> None:
    _choose_latent(find_model(window, "alarm"))


def show_model_ask(window: MainWindow) -> None:
    """Bars in the drawing: one state seen, one set."""
    page = find_model(window, "asia")
    _choose_latent(page)
    page.canvas.scene.clearSelection()
    ask_model(page, {"xray": 0}, {"bronc": 0})


def show_model_ask_pair(window: MainWindow) -> None:
    """Seeing against setting, with the open back-door paths and what to hold fixed."""
    page = find_model(window, "asia")
    _choose_latent(page)
    page.canvas.scene.clearSelection()
    assert page.dag is not None
    ask_model(page, {}, {})
    page.asking.panel.tabs.setCurrentWidget(page.asking.panel.pair)
    page.asking.panel.pair.ask_about(*page.dag.latents[0].children[:2])
    wait_for(lambda: not page.is_busy)


def show_model_ask_alarm(window: MainWindow) -> None:
    """Bars of a large DAG, a row of the data seen."""
    page = find_model(window, "alarm")
    _choose_latent(page)
    page.canvas.scene.clearSelection()
    ask_model(page, {}, {})
    page.asking.see_row(4)
    wait_for(lambda: not page.is_busy)


def ask_model(page: ModelPage, seen: dict[str, int], set_to: dict[str, int]) -> None:
    """Turn asking on, and see and set states by their numbers."""
    page.context.actions["model.ask"].setChecked(True)
    wait_for(lambda: not page.is_busy)
    assert page.network is not None
    position_of = {name: i for i, name in enumerate(page.network.variables)}
    seen, set_to = ({position_of[name]: state for name, state in given.items()} for given in (seen, set_to))
    page.asking.hold(HeldStates(seen, set_to))
    wait_for(lambda: not page.is_busy)


def _choose_latent(page: ModelPage) -> None:
    assert page.result is not None
    visit = page.result.history.best_with_latents
    assert visit is not None
    page.show_dag(page.result.history.dag(visit.index))
    wait_for(lambda: page.facts is not None and page.facts.is_complete and not page.is_busy)
    assert page.dag is not None
    page.choose(page.dag.latents[0].name)


def compare_visits(window: MainWindow, example: str, n_graphs: int) -> ComparePage:
    """The Compare page with the truth, the best DAG and visited ones of an example."""
    model = find_model(window, example)
    assert model.result is not None
    history = model.result.history
    window.show_page("Compare")
    page = window.page(ComparePage)
    for offer in page.adding.offers():
        if offer.role in ("best", "with latents", "without latents", "truth"):
            page.adding.add_offers([offer])
    page.panel.choose(0)
    numbers = range(0, len(history), max(len(history) // 24, 1))
    for number in numbers:
        if len(page.candidates) < n_graphs:
            page.add(f"DAG {number + 1}", history.dag(number), origin="HCLC-V")
    while len(page.candidates) > n_graphs:
        page.candidates.remove(n_graphs)
    page.panel.choose(0)
    page.panel.choose(1)
    wait_for(lambda: not page.is_busy)
    return page


def show_compare(window: MainWindow) -> None:
    page = compare_visits(window, "asia", 3)
    page.step_difference(1)


def show_compare_empty(window: MainWindow) -> None:
    find_model(window, "asia")
    window.show_page("Compare")


def show_compare_pags(window: MainWindow) -> None:
    """A PAG against that of the truth."""
    learn_pag(window, "asia")
    window.show_page("Compare")
    page = window.page(ComparePage)
    for role in ("true PAG", "PAG"):
        page.adding.add_offers([next(offer for offer in page.adding.offers() if offer.role == role)])
    wait_for(lambda: not page.is_busy)


def show_compare_alarm(window: MainWindow) -> None:
    compare_visits(window, "alarm", 12)


def show_compare_panes(window: MainWindow) -> None:
    page = compare_visits(window, "alarm", 4)
    page.tabs.setCurrentWidget(page.panes)
    settle(window)


def show_compare_matrix(window: MainWindow) -> None:
    page = compare_visits(window, "alarm", 12)
    page.tabs.setCurrentWidget(page.matrix)
    page.parts.show_table("numbers")


def show_compare_bench(window: MainWindow) -> None:
    """Two small data sets and four methods, all done."""
    find_model(window, "asia")
    window.show_page("Compare")
    page = window.page(ComparePage)
    page.bench.show_bench()
    form = page.bench.activity.form
    form.take_open()
    form.take_example("earthquake")
    for name, tick in form.searches.items():
        tick.fill(name in ("ilc-v", "hclc-v", "no-latents"))
    page.bench.activity.run()
    wait_for(lambda: not page.is_busy)


SCENES: dict[str, Callable[[MainWindow], None]] = {
    "start": show_start,
    "data": show_data,
    "data-messy": show_messy_data,
    "data-discretise": show_discretise,
    "data-reading": show_reading,
    "pag": show_pag,
    "pag-why": show_pag_why,
    "learn-separation": show_learn_separation,
    "learn-separation-game": show_learn_separation_game,
    "learn-members": show_learn_members,
    "learn-steps": show_learn_steps,
    "learn-steps-predict": show_learn_predict,
    "search": show_search,
    "search-ahead": show_search_ahead,
    "search-alarm": show_search_alarm,
    "search-sachs": show_search_sachs,
    "search-running": show_search_running,
    "search-options": show_options,
    "model": show_model,
    "model-summary": show_model_summary,
    "model-latent": show_model_latent,
    "model-alarm": show_model_alarm,
    "model-sachs": show_model_sachs,
    "model-ask": show_model_ask,
    "model-ask-pair": show_model_ask_pair,
    "model-ask-alarm": show_model_ask_alarm,
    "compare": show_compare,
    "compare-empty": show_compare_empty,
    "compare-pags": show_compare_pags,
    "compare-alarm": show_compare_alarm,
    "compare-panes": show_compare_panes,
    "compare-matrix": show_compare_matrix,
    "compare-bench": show_compare_bench,
    "pag-alarm": show_pag_alarm,
    "pag-broken": show_pag_broken,
    "pag-empty": show_pag_empty,
    "pag-knowledge": show_pag_knowledge,
    "knowledge": show_knowledge,
    "knowledge-causes": show_knowledge_causes,
    "knowledge-hidden": show_knowledge_hidden,
    "knowledge-conflict": show_knowledge_conflict,
    "search-knowledge": show_search_knowledge,
    "problems": show_problems,
    "commands": show_commands,
}
README_SCENES = ("search-sachs", "model-sachs", "learn-steps")


def take(name: str, path: Path, *, size: QSize, scheme: ColourScheme, percent: int) -> None:
    """One picture of one scene in a window of its own."""
    app = make_application()
    settings = Settings()
    settings.reset()
    settings.colour_scheme, settings.text_percent = scheme, percent
    font = app.font()
    window = MainWindow(settings, Theme(app, settings))
    window.resize(size)
    window.show()
    window.load_pages()
    SCENES[name](window)
    settle(window)
    picture = window.grab()
    dialog = QApplication.activeModalWidget()
    if dialog is not None:
        painter = QPainter(picture)
        translated = dialog.rect().translated(window.rect().center() - dialog.rect().center())
        painter.drawPixmap(translated.topLeft(), dialog.grab())
        painter.setPen(window.palette().color(QPalette.ColorRole.Shadow))
        painter.drawRect(translated)  # where a window manager would draw its frame
        painter.end()
        dialog.close()
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(str(path))
    window.close_at_once()
    window.deleteLater()
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    app.setFont(font)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "screenshots")
    parser.add_argument("--only", nargs="*", choices=sorted(SCENES), help="only these scenes")
    parser.add_argument("--readme", action="store_true", help="refresh resources/pictures")
    args = parser.parse_args()
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, tempfile.mkdtemp())
    make_application()
    scenes = README_SCENES if args.readme else (args.only or tuple(SCENES))
    folder = ROOT / "resources" / "pictures" if args.readme else args.out
    for scene in scenes:
        for shot, size, scheme, percent in README_SHOTS if args.readme else SHOTS:
            take(scene, folder / f"{scene}-{shot}.png", size=size, scheme=scheme, percent=percent)
    sys.stdout.write(f"{folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
