from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from latconf_core.cli import main as command_line
from latconf_core.control import RunControl
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.reading.load import read_table
from latconf_core.data.reading.write import write_dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.formats.projects.kept_items import DataMark, KeptRun
from latconf_core.formats.projects.project_state import ProjectState, prepare_state, save_state
from latconf_core.graph.mixed import empty_graph
from latconf_core.options.searching import SearchOptions
from latconf_core.search.runner import run_search


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs on the same data: the first as it was, the second with another score in its history."""
    folder = tmp_path_factory.mktemp("project")
    drawn = sample(load_example("asia"), 300, rng=np.random.default_rng(1), hide=["smoke"])
    write_dataset(drawn.dataset, folder / "asia.csv")
    state = prepare_state(ProjectState(name="asia", raw=read_table(folder / "asia.csv")), Preparation())
    assert state.dataset is not None
    data = state.dataset
    first = run_search(data, empty_graph(data.names), "no-latents", options=SearchOptions(seed=4))
    other = run_search(data, empty_graph(data.names), "no-latents", options=SearchOptions(seed=5))
    mark = DataMark.of(data)
    damaged = replace(first, options=other.options, history=type(first.history)(data.names, list(first.history)[:3]))
    runs = (KeptRun("first", first, "", mark), KeptRun("second", damaged, "", mark))
    for _ in save_state(replace(state, runs=runs), folder / "asia.latconf", RunControl(), post=lambda _: None):
        pass
    return folder / "asia.latconf"


def test_that_a_run_of_a_project_repeats_and_says_that_it_is_identical(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line(["run", "--project", str(project), "--run", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["identical"] is True
    assert told["run"] == "first"
    assert told["seed"] == 4


def test_that_a_run_that_does_not_repeat_is_told_with_what_is_different(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line(["run", "--project", str(project), "--run", "2"]) == 0
    said = capsys.readouterr().out
    assert "not identical" in said
    assert "DAGs were scored, before 3" in said


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        (["run"], "give a table"),
        (["run", "data.csv", "--run", "1"], "give the project with --project"),
        (["run", "data.csv", "--project", "{}"], "leave DATA or --project out"),
        (["run", "--project", "{}", "--run", "9"], r"choose one of 1 (first), 2 (second)"),
        (["run", "--project", "nowhere.latconf"], "nowhere.latconf"),
    ],
)
def test_that_what_cannot_be_repeated_names_the_remedy(
    project: Path, words: list[str], remedy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command_line([word.format(project) for word in words]) == 2
    assert remedy in capsys.readouterr().err
