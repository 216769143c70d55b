from __future__ import annotations

import json
import signal
import threading
import time
from concurrent.futures import Future
from itertools import count
from math import comb, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.score_models import CONFOUNDED, NAMES, hidden_cause_data

from latconf_core.cli import main
from latconf_core.cli.score import _wait_for
from latconf_core.control import StopRequested
from latconf_core.options.scoring import VbemOptions
from latconf_core.score.scorer import Scorer

DAG = {
    "edges": [["A", "D"], ["D", "E"]],
    "latents": [{"name": "L1", "states": 3, "children": ["A", "B", "C"]}],
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.csv"
    dataset = hidden_cause_data(300)
    np.savetxt(path, dataset.codes, fmt="%d", delimiter=",", header=",".join(NAMES), comments="")
    return path


def written(folder: Path, dag: dict[str, object], name: str = "dag.json") -> str:
    path = folder / name
    path.write_text(json.dumps(dag))
    return str(path)


def test_that_json_holds_the_scores_in_the_order_given(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dags = [written(tmp_path, DAG), written(tmp_path, {"edges": []}, "empty.json"), written(tmp_path, DAG)]
    assert main(["score", str(data), "--dag", *dags, "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert [score["dag"] for score in scores] == dags
    expected = Scorer(hidden_cause_data(300), VbemOptions()).score(CONFOUNDED)
    assert scores[0]["p_elbo"] == pytest.approx(expected.p_elbo, abs=1e-6)
    assert scores[0]["elbo"] == pytest.approx(expected.elbo, abs=1e-6)
    told = {"dag", "objective", "score", "p_elbo", "elbo", "converged", "iterations", "restarts", "seconds", "spread"}
    assert set(scores[0]) == told
    assert (scores[0]["objective"], scores[0]["score"]) == ("paper", scores[0]["p_elbo"])
    # The second time is measured without the first one's component.
    assert scores[2]["iterations"] == scores[0]["iterations"]
    assert scores[2]["seconds"] > scores[0]["seconds"] / 20


def test_that_the_calibrated_objective_charges_for_edges_and_latents(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dag = written(tmp_path, DAG)
    assert main(["score", str(data), "--dag", dag, "--objective", "calibrated", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["scores"][0]
    n = len(hidden_cause_data(300).names)
    latents = sum(log(comb(n, len(latent.children))) + log(n - 1) for latent in CONFOUNDED.latents)
    observed = {name: [p for p in CONFOUNDED.parents[name] if p in CONFOUNDED.nodes] for name in CONFOUNDED.nodes}
    edges = sum(log(comb(n - 1, len(parents))) for parents in observed.values())
    assert told["objective"] == "calibrated"
    assert told["p_elbo"] - told["score"] == pytest.approx(edges + latents, abs=1e-9)


def test_that_a_prior_beside_an_objective_is_refused(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--objective", "calibrated", "--prior", "bdeu"]
    assert main(["score", str(data), "--dag", written(tmp_path, DAG), *flags]) == 2
    assert "--prior" in capsys.readouterr().err


def test_that_options_reach_the_score(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dag = written(tmp_path, DAG)
    flags = ["--prior", "bdeu", "--ess", "4", "--posterior", "factorised", "--restarts", "2", "--seed", "3"]
    assert main(["score", str(data), "--dag", dag, *flags, "--workers", "2", "--json"]) == 0
    load = json.loads(capsys.readouterr().out)["scores"][0]
    options = VbemOptions(prior="bdeu", ess=4, posterior="factorised", restarts=2, seed=3)
    assert load["p_elbo"] == pytest.approx(Scorer(hidden_cause_data(300), options).score(CONFOUNDED).p_elbo, abs=1e-6)


def test_that_text_names_each_dag(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(data), "--dag", written(tmp_path, DAG)]) == 0
    out = capsys.readouterr().out
    assert "p-ELBO" in out
    assert "dag.json" in out


@pytest.mark.parametrize(
    ("dag", "says"),
    [
        ({"edges": [["A", "Q"]]}, "'Q'"),
        ({"edges": [["A", "B"], ["B", "A"]]}, ""),
        ({"edges": [["A", "B"], ["B", "C"], ["C", "A"]]}, "cycle"),
        ({"edges": [], "latents": [{"name": "L", "states": 2, "children": ["A"]}]}, "'L'"),
        ({"edges": [], "latents": [{"name": "L", "states": 1, "children": ["A", "B"]}]}, "'L'"),
        ({"edges": [], "latents": [{"name": "L", "states": 9_999_999, "children": ["A", "B"]}]}, "9,999,999"),
        ({"latents": []}, "edges"),
    ],
)
def test_that_a_dag_that_cannot_be_scored_is_one_sentence_and_exit_2(
    dag: dict[str, object], says: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(data), "--dag", written(tmp_path, dag)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert says in captured.err
    assert len(captured.err.strip().splitlines()) == 1


@pytest.mark.parametrize("flags", [["--restarts", "0"], ["--workers", "0"], ["--ess", "-1", "--prior", "bdeu"]])
def test_that_settings_out_of_range_are_refused(
    flags: list[str], data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(data), "--dag", written(tmp_path, DAG), *flags]) == 2
    assert "at least 1" in (err := capsys.readouterr().err) or "above 0" in err


def test_that_missing_files_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(tmp_path / "none.csv"), "--dag", written(tmp_path, DAG)]) == 2
    assert "none.csv" in capsys.readouterr().err


def test_that_ctrl_c_tells_running_fits_to_stop(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a suite in the background is told to ignore it
    has_heard, is_waiting = threading.Event(), threading.Event()
    numbers = count(1)

    def wait_for(future: Future[Any]) -> object:
        is_waiting.set()  # the pool has begun its threads: one that is being begun would not be waited for
        return _wait_for(future)

    def score_until_told(scorer: Scorer, dag: object) -> None:
        if next(numbers) < 3:
            return
        is_waiting.wait()
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        try:
            gives_up = time.monotonic() + 300  # so that a fit that is never told fails instead of going on for ever
            while time.monotonic() < gives_up:
                scorer.control.checkpoint()
        except StopRequested:
            has_heard.set()
            raise

    monkeypatch.setattr("latconf_core.cli.terminal.ready.get_ready", lambda: None)
    monkeypatch.setattr(Scorer, "score", score_until_told)
    monkeypatch.setattr("latconf_core.cli.score._wait_for", wait_for)
    try:
        assert main(["score", str(data), "--dag", *[written(tmp_path, DAG)] * 3, "--workers", "2"]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert has_heard.is_set()
    assert capsys.readouterr().out == ""
