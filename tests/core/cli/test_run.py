"""`latconf run` from outside: its JSON, its folder, and Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latconf_core.cli.main import main
from latconf_core.data.dataset import Dataset
from latconf_core.data.reading.write import write_dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.formats.graphs.registry import read_dag
from latconf_core.formats.history_csv import read_history
from latconf_core.formats.networks.bif import read_bif


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("run") / "asia.csv"
    drawn = sample(load_example("asia"), 600, rng=np.random.default_rng(1), hide=["smoke"])
    write_dataset(drawn.dataset, file)
    (file.parent / "pag.txt").write_text("bronc o-> dysp\neither o-> dysp\nlung o-> either\nlung <-> bronc\n")
    return file


def run_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, object]:
    assert main(["run", *map(str, arguments), "--json"]) == 0
    told: dict[str, object] = json.loads(capsys.readouterr().out)
    return told


@pytest.mark.parametrize("search", ["ilc-v", "hclc-v"])
def test_that_the_json_has_what_the_contract_says(data: Path, capsys: pytest.CaptureFixture[str], search: str) -> None:
    told = run_json(capsys, data, "--pag", data.parent / "pag.txt", "--search", search, "--seed", 3)
    assert told["search"] == search
    assert told["seed"] == 3
    assert told["truncated"] is False
    levels = told["levels"]
    assert isinstance(levels, dict)
    assert min(map(int, levels)) == 1  # lung <-> bronc is in the PAG
    assert told["best_without_latents"] is None
    assert told["p_elbo"] == told["best_with_latents"]
    assert isinstance(told["n_scored"], int)
    assert told["n_scored"] >= sum(levels.values())
    assert {"elbo", "stop_reason", "seconds", "latents", "edges"} <= told.keys()


def test_that_the_number_of_workers_and_a_second_run_change_nothing(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    histories = []
    for number, workers in enumerate((1, 2, 2)):
        folder = tmp_path / str(number)
        run_json(capsys, data, "--learn", "gfci", "--search", "ilc-v", "--workers", workers, "--out", folder)
        histories.append((folder / "history.csv").read_bytes())
    assert histories[0] == histories[1] == histories[2]


def test_that_a_folder_holds_the_model_and_every_visited_dag(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = run_json(capsys, data, "--pag", data.parent / "pag.txt", "--search", "hclc-v", "--out", tmp_path / "out")
    names = {file.name for file in (tmp_path / "out").iterdir()}
    tables = {"model.json", "model.bif", "network.json", "determined_pag.txt"}
    assert names == {"result.json", "history.csv", "pag.txt", "about.json", "report.html", *tables}
    result = json.loads((tmp_path / "out" / "result.json").read_text())
    assert result == told
    history = read_history(tmp_path / "out" / "history.csv", result["nodes"])
    assert history.best is not None
    assert history.best.p_elbo == told["p_elbo"]
    best = history.dag(history.best.index)
    assert best == read_dag(tmp_path / "out" / "model.json", nodes=result["nodes"])
    network = read_bif(tmp_path / "out" / "model.bif")
    assert set(network.edges) == set(best.all_edges())
    assert set(network.latents) == {latent.name for latent in best.latents}


def test_that_pictures_are_drawn_where_a_painter_is_given(data: Path, tmp_path: Path) -> None:
    class Sketch:
        def dag_svg(self, dag: object, knowledge: object = None) -> str:
            return "<svg>dag</svg>"

        def graph_svg(self, graph: object) -> str:
            return "<svg>graph</svg>"

        def chart_svg(self, history: object) -> str:
            return "<svg>chart</svg>"

    arguments = ["run", str(data), "--pag", str(data.parent / "pag.txt"), "--out", str(tmp_path / "out")]
    assert main(arguments, painter=Sketch()) == 0
    assert (tmp_path / "out" / "chart.svg").read_text() == "<svg>chart</svg>"
    assert (tmp_path / "out" / "dag.svg").read_text() == "<svg>dag</svg>"


def test_that_the_text_names_the_evidence(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(data), "--pag", str(data.parent / "pag.txt"), "--search", "hclc-v"]) == 0
    told = capsys.readouterr()
    assert "the PAG: requires lung - bronc" in told.out
    assert "best without latents not visited" in told.out
    assert re.search(
        r"L1 (is supported|has weak evidence|is not supported): [+-][\d.]+ nats \(at least 3 required\)", told.out
    )
    assert told.out.isascii()  # a terminal may know nothing else
    assert "best without hidden causes, ignoring the PAG" in told.out
    assert "groups of three or more were not" in told.out
    assert "hclc-v: the graph is" in told.err


def test_that_the_text_has_the_latents_of_the_dag_that_it_prints(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["run", str(data), "--pag", str(data.parent / "pag.txt"), "--search", "hclc-v"]
    told = run_json(capsys, *arguments[1:])
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert told["latents"]
    for latent in told["latents"]:  # type: ignore[attr-defined]
        assert f"  {latent['name']} ({latent['states']} states) --> {', '.join(latent['children'])}" in lines


def test_that_the_text_says_that_the_best_dag_has_no_latents(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pag = data.parent / "open.txt"
    pag.write_text("bronc o-> dysp\neither o-> dysp\n")
    assert main(["run", str(data), "--pag", str(pag), "--search", "hclc-v", "--max-bidirected", "1"]) == 0
    told = capsys.readouterr().out
    assert "the DAG above has no latents; those of the best DAG with latents:" in told
    assert " states) --> " not in told


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--pag", "none.txt"], "does not exist"),
        (["--learn", "fci", "--time-limit", "0"], "time limit is 0.0"),
        (["--learn", "fci", "--max-states", "1"], "maximum number of states is 1"),
    ],
)
def test_that_bad_input_is_one_sentence_and_exit_2(
    data: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    assert main(["run", str(data), *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert problem in told.err


def wide_data(folder: Path) -> None:
    """Data and a PAG whose search takes minutes."""
    rng = np.random.default_rng(0)
    names = [f"V{i}" for i in range(24)]
    codes = rng.integers(0, 3, size=(2000, 24))
    write_dataset(Dataset(names, [["a", "b", "c"]] * 24, codes), folder / "wide.csv")
    edges = [f"V{i} o-> V{i + 1}\nV{i + 2} o-> V{i + 1}\n" for i in range(0, 22, 2)]
    (folder / "wide.txt").write_text("".join(edges))


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_that_ctrl_c_and_the_systems_signals_write_the_best_so_far(tmp_path: Path, number: signal.Signals) -> None:
    wide_data(tmp_path)
    for seconds in (1, 4, 16, 64):  # a busy machine needs longer for the first score
        result = interrupt_search(tmp_path, seconds, number)
        if result["p_elbo"] is not None:
            break
    assert result["stop_reason"] == "cancelled"
    assert result["p_elbo"] is not None
    assert {"chart.svg", "model.json", "model.bif"} <= {file.name for file in (tmp_path / "out").iterdir()}
    history = read_history(tmp_path / "out" / "history.csv", result["nodes"])
    assert len(history) == result["n_scored"]
    assert max(visit.p_elbo for visit in history) == result["p_elbo"]


def interrupt_search(folder: Path, seconds: float, number: signal.Signals) -> dict[str, Any]:
    """What a long search prints that is interrupted so many seconds after it has begun."""
    command = [sys.executable, "-m", "latconf_gui", "run", "wide.csv", "--pag", "wide.txt", "--workers", "2"]
    command += ["--search", "ilc-v", "--max-candidates", "1000000", "--max-bidirected", "12", "--out", "out", "--json"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stderr is not None
        while "valid PAG" not in process.stderr.readline():
            pass
        time.sleep(seconds)
        process.send_signal(number)
        told, _ = process.communicate(timeout=120)
    assert process.returncode == 128 + number
    result: dict[str, Any] = json.loads(told)
    return result


def test_that_a_time_limit_ends_a_long_search_with_the_best_so_far(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wide_data(tmp_path)
    arguments = (tmp_path / "wide.csv", "--pag", tmp_path / "wide.txt", "--time-limit", 0.5, "--workers", 2)
    told = run_json(capsys, *arguments, "--search", "ilc-v", "--max-bidirected", 12)
    assert told["stop_reason"] == "time limit"
    assert told["truncated"] is True
    assert told["p_elbo"] is not None
    assert isinstance(told["seconds"], float)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--search", "refine", "--binding", "marks"], "--binding marks needs a PAG; give one with --pag FILE"),
        (["--search", "auto", "--binding", "marks"], "--binding is for --search refine, not for auto"),
        (["--search", "auto", "--start", "somewhere"], "--start is for --search refine, not for auto"),
        (["--search", "refine", "--cliques"], "--cliques is for --search ilc-v, not for refine"),
        (["--search", "hclc-v", "--levels-without-gain", "2"], "--levels-without-gain is for --search ilc-v"),
    ],
)
def test_that_options_that_do_not_go_together_are_refused_with_the_remedy(
    data: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main(["run", str(data), *arguments]) == 2
    assert said in capsys.readouterr().err


def test_that_refine_starts_from_a_run_folder_or_its_result_of_the_same_data_only(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "first"
    first = run_json(capsys, data, "--pag", data.parent / "pag.txt", "--search", "hclc-v", "--out", folder)
    for place in (folder, folder / "result.json"):
        told = run_json(capsys, data, "--search", "refine", "--start", place)
        assert isinstance(told["start"], dict)
        assert told["start"]["edges"] == first["edges"]
    other = tmp_path / "other.csv"
    other.write_text("".join(data.read_text().splitlines(keepends=True)[:-1]))
    assert main(["run", str(other), "--search", "refine", "--start", str(folder)]) == 2
    assert "is a run on other data; give --start a run on this table" in capsys.readouterr().err


def test_that_the_text_says_what_was_tried_and_what_came_on_top(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", str(data), "--learn", "gfci", "--search", "ilc-v"]) == 0
    told = capsys.readouterr().out
    assert re.search(r"groups? of two variables (was|were) tried; groups of three or more were not", told)
    assert re.search(r"also: the best DAG without hidden causes [\d.]+ s, judging [\d.]+ s", told)
