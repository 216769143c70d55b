"""MIIC as a learner: pyAgrum's graph, in a process that can be stopped, with knowledge, weights and missing cells."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.random_knowledge import draw_knowledge
from support.two_effects import two_effects

from latconf_core.cli.main import main
from latconf_core.control import RunControl, StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.errors import DataError
from latconf_core.formats.examples import load_example
from latconf_core.graph.marks import Mark
from latconf_core.inference.completing.learned_rows import learned_from_rows
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners import miic
from latconf_core.pag.learners.catalogue import run_learner

OPTIONS = PagOptions(method="miic")


@pytest.fixture(scope="module")
def alarm() -> Dataset:
    return sample(load_example("alarm"), 600, rng=np.random.default_rng(3), hide=["LVFAILURE"]).dataset


SLOW_TO_READ = "import time; time.sleep(0.5); from latconf_core.pag.learners.miic_program import main; main()"


def edges(data: Dataset, **more: Any) -> set[str]:
    return {str(edge) for edge in run_learner(data, OPTIONS, **more).graph.edges()}


def test_that_a_hidden_cause_is_drawn_as_bidirected_and_tails_are_left_open_unless_they_follow() -> None:
    assert edges(two_effects()) == {"X o-> A", "A <-> B", "B <-o Y", "A --> C"}


def test_that_edges_and_arrowheads_are_those_of_pyagrum_itself(alarm: Dataset) -> None:
    """Asked here by a frame of names instead of a file of codes, in another order of rows."""
    import pyagrum

    frame = alarm.to_pandas().sample(frac=1, random_state=1).astype(str)
    frame.columns = pd.Index([f"c{k}" for k in range(len(alarm.names))])
    theirs = pyagrum.BNLearner(frame)
    theirs.useMIIC()
    theirs.useNMLCorrection()
    drawn = theirs.learnPDAG()
    named = {theirs.idFromName(f"c{k}"): name for k, name in enumerate(alarm.names)}
    graph = run_learner(alarm, replace(OPTIONS, any_column_order=False)).graph
    both_ways = {frozenset(pair) for pair in theirs.latentVariables()}
    joined = {frozenset(pair) for pair in (*drawn.arcs(), *drawn.edges(), *both_ways)}
    assert both_ways
    assert {frozenset((edge.first, edge.second)) for edge in graph.edges()} == {
        frozenset(named[v] for v in pair) for pair in joined
    }
    for a, b in drawn.arcs():
        assert graph.mark_at(named[b], named[a]) == Mark.ARROW
    for pair in both_ways:
        assert graph.edge(*(named[v] for v in pair)).is_bidirected


def test_that_a_process_of_its_own_gives_the_same_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    here = run_learner(two_effects(), OPTIONS).graph
    monkeypatch.setattr(miic, "WORK_HERE", 0)
    assert run_learner(two_effects(), OPTIONS).graph == here


def test_that_stopping_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Seen(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Seen)
    monkeypatch.setattr(miic, "WORK_HERE", 0)
    with pytest.raises(StopRequested):
        run_learner(two_effects(), OPTIONS, control=RunControl(lambda: bool(started)))
    (process,) = started
    assert process.returncode is not None


def test_that_a_process_that_fails_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(miic, "WORK_HERE", 0)
    monkeypatch.setattr(miic, "module_command", lambda module: [sys.executable, "-c", "raise SystemExit('too wide')"])
    with pytest.raises(DataError, match=r"no graph for these data \(too wide\); choose another learner, such as gfci"):
        run_learner(two_effects(), OPTIONS)


def test_that_fractions_of_rows_count_as_the_rows_that_they_make_up(alarm: Dataset) -> None:
    data = alarm.select(alarm.names[:14])
    thirds = Dataset(data.names, data.states, np.repeat(data.codes, 3, axis=0), [0.25, 0.25, 0.5] * data.n_rows)
    assert run_learner(thirds, OPTIONS).graph == run_learner(data, OPTIONS).graph


def test_that_missing_cells_are_completed_first() -> None:
    data = two_effects()
    codes = data.codes.astype(np.int8)
    codes[np.random.default_rng(1).random(codes.shape) < 0.05] = -1
    gaps = Dataset(data.names, data.states, codes)
    with pytest.raises(DataError, match="needs complete rows"):
        run_learner(gaps, OPTIONS)
    graph = learned_from_rows(gaps, OPTIONS).graph
    assert {(edge.first, edge.second) for edge in graph.edges()} == {("X", "A"), ("A", "B"), ("B", "Y"), ("A", "C")}


def test_that_knowledge_binds_and_its_conflicts_are_told() -> None:
    apart = Knowledge(forbidden_indirect=(("A", "B"), ("B", "A")), no_hidden_cause=(("A", "B"),))
    told = run_learner(two_effects(), OPTIONS, knowledge=apart)
    assert not told.graph.is_adjacent("A", "B")
    assert [{said.first, said.second} for said in told.knowledge_conflicts] == [{"A", "B"}]
    assert "A --> B" in edges(two_effects(), knowledge=Knowledge(required=(("A", "B"),)))


@pytest.mark.parametrize("seed", range(20))
def test_that_no_mark_contradicts_drawn_knowledge(seed: int) -> None:
    from support.knowledge_runs import draw_table, learned_under, pag_against

    rng = np.random.default_rng(seed)
    table = draw_table(rng)
    knowledge = draw_knowledge(rng, table.names)
    assert pag_against(knowledge, learned_under(knowledge, table, "miic")) == []


def test_that_the_command_line_learns_by_it_and_refuses_what_it_does_not_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "data.csv"
    two_effects(1000).to_pandas().to_csv(table, index=False)
    assert main(["pag", str(table), "--method", "miic"]) == 0
    assert "A <-> B" in capsys.readouterr().out
    assert main(["pag", str(table), "--method", "miic", "--alpha", "0.01"]) == 2
    assert "MIIC does not use --alpha; leave it out" in capsys.readouterr().err


def test_that_a_process_that_is_slow_to_read_gets_the_whole_table(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = np.random.default_rng(2).integers(2, size=(3000, 24))  # nothing depends on anything: quickly learned
    codes[:, 1] = codes[:, 0] ^ (codes[:, 22] & codes[:, 23])
    data = Dataset([f"x{k}" for k in range(24)], [("a", "b")] * 24, codes)
    here = edges(data)
    assert here
    monkeypatch.setattr(miic, "WORK_HERE", 0)
    monkeypatch.setattr(miic, "module_command", lambda module: [sys.executable, "-P", "-c", SLOW_TO_READ])
    assert len(np.unique(data.codes, axis=0)) * data.n_variables > 1 << 16  # more than a pipe holds
    assert edges(data, control=RunControl(time_limit=600)) == here
