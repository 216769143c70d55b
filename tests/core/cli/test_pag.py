from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from latconf_core.cli.main import main
from latconf_core.errors import FileFormatError
from latconf_core.formats.graphs.registry import read_graph

COLLIDER = {"nodes": ["A", "B", "C", "D"], "edges": [["A", "C"], ["B", "C"], ["C", "D"]], "latents": []}


@pytest.fixture
def dag(tmp_path: Path) -> Path:
    path = tmp_path / "collider.json"
    path.write_text(json.dumps(COLLIDER))
    return path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A collider A, B --> C and its effect D."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(2, size=(2, 3000))
    c = (a + b + (rng.random(3000) < 0.1)) % 3
    d = np.where(rng.random(3000) < 0.8, c, rng.integers(3, size=3000))
    path = tmp_path / "data.csv"
    np.savetxt(path, np.stack([a, b, c, d], axis=1), fmt="s%d", delimiter=",", header="A,B,C,D", comments="")
    return path


def answer(capsys: pytest.CaptureFixture[str], *args: object) -> dict[str, list[dict[str, object]]]:
    assert main(["pag", *map(str, args), "--json"]) == 0
    loads: dict[str, list[dict[str, object]]] = json.loads(capsys.readouterr().out)
    return loads


@pytest.mark.parametrize("method", ["fci", "rfci", "cfci", "mfci", "gfci"])
def test_that_a_pag_is_learned_from_data(capsys: pytest.CaptureFixture[str], data: Path, method: str) -> None:
    (pag,) = answer(capsys, data, "--method", method)["pags"]
    assert pag["edges"] == [["A", "o->", "C"], ["B", "o->", "C"], ["C", "-->", "D"]]
    assert (pag["source"], pag["nodes"], pag["valid"], pag["truncated"]) == (str(data), list("ABCD"), True, False)
    assert method == "gfci" or pag["tests"] > 0  # type: ignore[operator]
    assert pag["seconds"] >= 0  # type: ignore[operator]


def test_that_several_oracles_answer_in_the_order_given(
    capsys: pytest.CaptureFixture[str], dag: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.json"
    other.write_text(
        json.dumps({"nodes": ["A", "B"], "edges": [], "latents": [{"name": "L", "states": 2, "children": ["A", "B"]}]})
    )
    first, second = answer(capsys, "--oracle", other, dag, "--method", "rfci")["pags"]
    assert (first["source"], first["edges"]) == (str(other), [["A", "o-o", "B"]])
    assert (second["source"], second["edges"]) == (str(dag), [["A", "o->", "C"], ["B", "o->", "C"], ["C", "-->", "D"]])


def test_that_the_graph_is_written(capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path) -> None:
    assert main(["pag", str(data), "--out", str(tmp_path / "pag.txt")]) == 0
    assert [str(edge) for edge in read_graph(tmp_path / "pag.txt").edges()] == ["A o-> C", "B o-> C", "C --> D"]
    assert "C --> D" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["pag", "missing/pag.txt"])
def test_that_a_file_that_cannot_be_written_is_refused_before_anything_is_learned(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("latconf_core.cli.pag._learn", lambda *_: pytest.fail("it was learned first"))
    assert main(["pag", str(data), "--out", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err


def test_that_a_graph_that_cannot_be_written_in_the_end_is_told_all_the_same(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise FileFormatError("the disk is full")

    monkeypatch.setattr("latconf_core.formats.graphs.registry.write_graph", fail)
    assert main(["pag", str(data), "--out", str(tmp_path / "pag.txt")]) == 2
    told = capsys.readouterr()
    assert "C --> D" in told.out
    assert "the disk is full" in told.err


def test_that_knowledge_is_applied(capsys: pytest.CaptureFixture[str], dag: Path, tmp_path: Path) -> None:
    knowledge = tmp_path / "knowledge.json"
    knowledge.write_text(json.dumps({"forbidden_indirect": [["A", "C"]]}))
    (pag,) = answer(capsys, "--oracle", dag, "--knowledge", knowledge)["pags"]
    assert ["A", "<->", "C"] in pag["edges"]  # type: ignore[operator]
    tiers = tmp_path / "knowledge.txt"
    tiers.write_text("/knowledge\naddtemporal\n0 C\n1 A\n")
    (pag,) = answer(capsys, "--oracle", dag, "--knowledge", tiers)["pags"]
    assert ["A", "<->", "C"] in pag["edges"]  # type: ignore[operator]


def test_that_options_reach_the_learner(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    (loose,) = answer(capsys, data, "--alpha", "0.9", "--max-conditioning", "0")["pags"]
    assert len(loose["edges"]) > 3  # type: ignore[arg-type]
    assert loose["truncated"] is True
    (paper,) = answer(capsys, data, "--preset", "paper-gfci")["pags"]
    assert paper["method"] == "gfci"


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        (["--oracle", "DAG", "--method", "gfci"], "needs a score of data"),
        (["--oracle", "DAG", "DAG", "--out", "x.txt"], "--out takes one graph"),
        (["DATA", "--alpha", "2"], "alpha is 2.0"),
        (["missing.csv"], "missing.csv"),
    ],
)
def test_that_bad_input_is_one_sentence_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], dag: Path, data: Path, args: list[str], problem: str
) -> None:
    places = {"DAG": str(dag), "DATA": str(data)}
    assert main(["pag", *(places.get(arg, arg) for arg in args)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert problem in captured.err
    assert captured.err.count("\n") == 1
