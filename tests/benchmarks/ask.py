"""Measures how soon the bars of Alarm with latents follow a click, in the core and in the window.

    python tests/benchmarks/ask.py [--libraries]

In the window, on a large screen: from the press of the mouse until every bar in sight, those of latents included, is
painted anew, and the table beside them; p95 within 100 milliseconds. `--libraries` measures what answers the same
question: pyAgrum, pgmpy and opt_einsum, one after another.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from pages import wait_for
from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QSplitter, QWidget

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.formats.examples import load_example
from latconf_core.inference.asking import InferenceEngine
from latconf_core.inference.junction_tree import ImpossibleEvidenceError
from latconf_gui.app import make_application
from latconf_gui.application.document import Document
from latconf_gui.application.opener import Opener
from latconf_gui.application.settings import Settings
from latconf_gui.background.runs import Runs
from latconf_gui.drawing.content.graph_drawing import drawing_of_dag
from latconf_gui.pages.model.asking_mode import Asking
from latconf_gui.pages.model.canvas import DagCanvas
from latconf_gui.pages.page import PageContext
from latconf_gui.widgets.actions import Actions

LIMIT = 0.1
CLICKS, QUESTIONS = 60, 100
HIDDEN = ("HYPOVOLEMIA", "LVFAILURE", "INTUBATION", "PULMEMBOLUS")  # roots with several children
EVIDENCE = "HR"
SCREEN = (1920, 1080)
MOST_ROUNDS = 20


def report(title: str, seconds: list[float], limit: float = LIMIT) -> bool:
    """Print median, p95 and the worst; whether the p95 is within the limit."""
    p95 = float(np.quantile(seconds, 0.95))
    median, worst = float(np.median(seconds)), max(seconds)
    numbers = f"median {1000 * median:.0f} ms, p95 {1000 * p95:.0f} ms, worst {1000 * worst:.0f} ms"
    print(f"{title}: {numbers}{'' if p95 <= limit else '  TOO SLOW'}")
    return p95 <= limit


def alarm() -> BayesNet:
    return BayesNet(load_example("alarm").cpts.values(), latents=HIDDEN)


def measure_core() -> bool:
    """All distributions after one piece of evidence, seen or set in turn."""
    network = alarm()
    engine = InferenceEngine(network)
    engine.ask()
    rng = np.random.default_rng(0)
    observed = [name for name in network.variables if name not in network.latents]
    taken: list[float] = []
    for number in range(QUESTIONS):
        name = str(rng.choice(observed))
        held = {name: str(rng.choice(network.states(name)))}
        start = time.perf_counter()
        try:
            engine.ask(*((held, {}) if number % 2 else ({}, held)))
        except ImpossibleEvidenceError:
            continue
        taken.append(time.perf_counter() - start)
    return report("the core, Alarm with four latents", taken)


class Host(QMainWindow):
    """The drawing and the panel of the Model page for a network that no search has to find first."""

    def __init__(self, network: BayesNet) -> None:
        super().__init__()
        document, actions, settings = Document(self), Actions(self), Settings()
        runs = Runs(self.report, parent=self)
        opener = Opener(document, settings, runs, report=self.report, parent=self)
        self.network = network
        self.dag = _dag_of(network)
        self.canvas = DagCanvas()
        self.places: dict[str, tuple[float, float]] = {}
        self.asking = Asking(PageContext(document, actions, settings, runs, opener, self.report), self.canvas, self)
        self.asking.changed.connect(self.draw)
        beside = QSplitter()
        for widget, share in ((self.canvas, 1), (self.asking.panel, 0)):
            beside.addWidget(widget)
            beside.setStretchFactor(beside.count() - 1, share)
        self.setCentralWidget(beside)
        self.resize(*SCREEN)

    def report(self, problem: BaseException | str, where: str) -> None:
        raise RuntimeError(f"{where}: {problem}")

    def draw(self) -> None:
        self.canvas.show_dag(self.dag, self.places, self.asking.states(), self.asking.cut())
        self.asking.show_bars()

    def take_places(self, places: dict[str, tuple[float, float]]) -> None:
        self.places = places

    def begin(self) -> None:
        """Lay the DAG out and show all bars."""
        self.show()
        self.canvas.layouts.ready.connect(self.take_places)
        self.canvas.layouts.ask(drawing_of_dag(self.dag))
        wait_for(lambda: bool(self.places))
        self.asking.follow((self.network, self.dag))
        self.asking.set_on(True)
        self.asking.show_model(self.network, None)
        wait_for(lambda: not self.asking.questions.is_busy)


def _dag_of(network: BayesNet) -> LatentDag:
    """The DAG of a network whose latents are roots."""
    children = {name: tuple(b for a, b in network.edges if a == name) for name in network.latents}
    latents = [Latent(name, len(network.states(name)), child) for name, child in children.items()]
    observed = [name for name in network.variables if name not in network.latents]
    edges = [edge for edge in network.edges if not set(edge) & network.latents]
    return LatentDag(observed, edges, latents)


class Paints(QObject):
    """Which widgets were painted since they were last forgotten."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self._widgets = set(widgets)
        self._painted: set[QObject] = set()
        for widget in widgets:
            widget.installEventFilter(self)

    def forget(self) -> None:
        self._painted.clear()

    @property
    def are_all(self) -> bool:
        return self._painted == self._widgets

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self._painted.add(watched)
        return False


def measure_window(host: Host) -> list[bool]:
    """Clicks on bars, every third with Shift: seconds of the clock, and of the processor in the whole program."""
    host.begin()
    rng = np.random.default_rng(1)
    paints = Paints(host.canvas.view.viewport(), host.asking.panel.table.viewport())
    taken = [_click(host, paints, rng, sets=number % 3 == 0) for number in range(CLICKS)]
    title = f"the window, {len(host.dag.nodes)} variables and {len(host.dag.latents)} latents"
    return [report(title, [wall for wall, _ in taken]), report(f"{title}, processor", [cpu for _, cpu in taken])]


def _click(host: Host, paints: Paints, rng: np.random.Generator, *, sets: bool) -> tuple[float, float]:
    view, asking = host.canvas.view, host.asking
    QApplication.processEvents()
    seen = [
        node_item for node_item in host.canvas.scene.node_items() if node_item in view.items(view.viewport().rect())
    ]
    item = next(one for one in rng.permutation(np.array(seen, dtype=object)) if not one.node.is_latent)
    point = view.mapFromScene(item.state_place(int(rng.integers(len(item.node.states)))))
    modifier = Qt.KeyboardModifier.ShiftModifier if sets else Qt.KeyboardModifier.NoModifier
    loop = QEventLoop()
    for signal in (asking.questions.answered, asking.questions.refused):
        signal.connect(loop.quit)
    start, start_cpu = time.perf_counter(), time.process_time()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifier, point)
    loop.exec()
    paints.forget()
    for _ in range(MOST_ROUNDS):  # what was refused need not be painted
        QApplication.processEvents()
        if paints.are_all:
            break
    taken = time.perf_counter() - start, time.process_time() - start_cpu
    wait_for(lambda: not asking.questions.is_busy)
    if len(asking.held.seen) + len(asking.held.set_to) > 4:
        asking.clear()
        wait_for(lambda: not asking.questions.is_busy)
    return taken


def _timed(what: Callable[[], object]) -> float:
    start = time.perf_counter()
    what()
    return time.perf_counter() - start


def measure_libraries() -> None:
    """Import, and all distributions of Alarm after one piece of evidence."""
    warnings.simplefilter("ignore")
    network = alarm()
    for title, ask in (("pyAgrum", _ask_pyagrum), ("opt_einsum", _ask_einsum), ("pgmpy", _ask_pgmpy)):
        start = time.perf_counter()
        question = ask(network)
        imported = time.perf_counter() - start
        print(f"{title}: import and building {imported:.2f} s, all distributions {1000 * _timed(question):.0f} ms")


def _ask_pyagrum(network: BayesNet) -> Callable[[], object]:
    engine = InferenceEngine(network)
    engine.ask()
    return lambda: engine.ask({EVIDENCE: network.states(EVIDENCE)[0]})


def _ask_einsum(network: BayesNet) -> Callable[[], object]:
    import opt_einsum

    index = {name: i for i, name in enumerate(network.variables)}
    factors: list[object] = []
    for name, cpt in network.cpts.items():
        factors += [cpt.table, [index[parent] for parent in (*cpt.parents, name)]]
    factors += [np.eye(len(network.states(EVIDENCE)))[0], [index[EVIDENCE]]]
    return lambda: [opt_einsum.contract(*factors, [i], optimize="greedy") for i in index.values()]


def _ask_pgmpy(network: BayesNet) -> Callable[[], object]:
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.inference import VariableElimination
    from pgmpy.models import DiscreteBayesianNetwork

    model = DiscreteBayesianNetwork(network.edges)
    for name, cpt in network.cpts.items():
        cards = [len(network.states(parent)) for parent in cpt.parents]
        columns = np.moveaxis(cpt.table, -1, 0).reshape(len(cpt.states), -1)
        model.add_cpds(TabularCPD(name, len(cpt.states), columns, list(cpt.parents) or None, cards or None))
    solver = VariableElimination(model)
    names = [name for name in network.variables if name != EVIDENCE]
    return lambda: [solver.query([name], evidence={EVIDENCE: 0}, show_progress=False) for name in names]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--libraries", action="store_true", help="compare pyAgrum, pgmpy and opt_einsum")
    if parser.parse_args().libraries:
        measure_libraries()
        return 0
    results = [measure_core()]
    make_application()
    host = Host(alarm())
    results += measure_window(host)
    host.asking.questions.stop()
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
