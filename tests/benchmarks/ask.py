"""Measures how soon the bars of Alarm with latents follow a click, in the core and in the window.

    python tests/benchmarks/ask.py [--libraries]

In the window: from the press of the mouse until every bar, those of latents included, is painted anew; p95 within 100
milliseconds. `--libraries` measures what answers the same question: pyAgrum, pgmpy and opt_einsum, one after another.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from pages import wait_for
from program import make_program
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.formats.example_choice import default_choice
from latconf_core.formats.examples import load_example
from latconf_core.inference.asking import InferenceEngine
from latconf_core.inference.junction_tree import ImpossibleEvidenceError
from latconf_gui.pages.model.model_page import ModelPage
from latconf_gui.window.example_tour import ExamplePath
from latconf_gui.window.main_window import MainWindow

LIMIT = 0.1
CLICKS, QUESTIONS = 60, 100
HIDDEN = ("HYPOVOLEMIA", "LVFAILURE", "INTUBATION", "VENTLUNG")
EVIDENCE = "HR"


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


def measure_window(window: MainWindow) -> bool:
    """Clicks on bars, every third with Shift."""
    page = window.page(ModelPage)
    ExamplePath(window).start(default_choice("alarm"))
    wait_for(lambda: page.facts is not None and page.facts.is_complete and not page.is_busy)
    window.show_page("Model")
    assert page.result is not None
    visit = page.result.history.best_with_latents
    assert visit is not None
    page.show_dag(page.result.history.dag(visit.index))
    wait_for(lambda: page.facts is not None and page.facts.is_complete and not page.is_busy)
    page.context.actions["model.ask"].setChecked(True)
    wait_for(lambda: not page.is_busy)
    assert page.dag is not None
    rng = np.random.default_rng(1)
    taken = [_click(page, rng, sets=number % 3 == 0) for number in range(CLICKS)]
    return report(f"the window, {len(page.dag.nodes)} variables and {len(page.dag.latents)} latents", taken)


def _click(page: ModelPage, rng: np.random.Generator, *, sets: bool) -> float:
    assert page.dag is not None
    name = str(rng.choice(page.dag.nodes))
    view, item = page.canvas.view, page.canvas.scene.node_item(name)
    view.centerOn(item)
    QApplication.processEvents()
    place = view.mapFromScene(item.state_place(int(rng.integers(len(item.node.states[:6])))))
    modifier = Qt.KeyboardModifier.ShiftModifier if sets else Qt.KeyboardModifier.NoModifier
    before = page.asking.answer
    start = time.perf_counter()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifier, place)
    while page.asking.answer is before:
        QApplication.processEvents()
    view.viewport().repaint()
    page.asking.panel.table.viewport().repaint()
    taken = time.perf_counter() - start
    wait_for(lambda: not page.is_busy)
    if len(page.asking.held.seen) + len(page.asking.held.set_to) > 4:
        page.asking.clear()
        wait_for(lambda: not page.is_busy)
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
    with tempfile.TemporaryDirectory() as folder:
        window = make_program(Path(folder))
        window.resize(1280, 800)
        window.show()
        window.load_pages()
        results.append(measure_window(window))
        window.close_at_once()
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
