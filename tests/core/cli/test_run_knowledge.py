from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latconf_core.cli.main import main
from latconf_core.formats.run_folder import read_run
from latconf_core.knowledge.knowledge import Knowledge


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A --> B --> C, and D apart."""
    rng = np.random.default_rng(0)
    a, d = rng.integers(2, size=(2, 800))
    b = np.where(rng.random(800) < 0.8, a, 1 - a)
    c = np.where(rng.random(800) < 0.8, b, 1 - b)
    path = tmp_path / "data.csv"
    np.savetxt(path, np.stack([a, b, c, d], axis=1), fmt="s%d", delimiter=",", header="A,B,C,D", comments="")
    return path


def written(folder: Path, **said: Any) -> Path:
    path = folder / "knowledge.json"
    path.write_text(json.dumps(said))
    return path


def graph(folder: Path, *edges: str) -> Path:
    path = folder / "pag.txt"
    lines = ["Graph Nodes:", "A;B;C;D", "", "Graph Edges:", *(f"{k}. {edge}" for k, edge in enumerate(edges, 1))]
    path.write_text("\n".join(lines) + "\n")
    return path


def answer(capsys: pytest.CaptureFixture[str], *args: object) -> dict[str, Any]:
    assert main(["run", *map(str, args), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_that_a_run_obeys_and_keeps_its_knowledge(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    knowledge = written(tmp_path, tiers=[["C"], ["A", "B"]], exogenous=["D", "Nobody"])
    found = answer(capsys, data, "--search", "no-latents", "--knowledge", knowledge, "--out", tmp_path / "out")
    assert not any(b == "C" for _, b in found["edges"])
    assert found["knowledge"]["tiers"] == [["C"], ["A", "B"]]
    assert found["knowledge_missing"] == ["Nobody"]
    assert "'Nobody'" in found["verdict"]
    assert found["knowledge_effect"] is None, "C --> B --> A is in the class of the truth"
    kept = read_run(tmp_path / "out")
    assert kept.knowledge == Knowledge(tiers=(("C",), ("A", "B")), exogenous=("D", "Nobody"))
    assert kept.reference is None or kept.reference.is_exact


def test_that_the_verdict_says_what_the_knowledge_changed(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    knowledge = written(tmp_path, forbidden=[["A", "B"], ["B", "A"]])
    found = answer(capsys, data, "--search", "hclc-v", "--learn", "gfci", "--knowledge", knowledge)
    effect = found["knowledge_effect"]
    assert effect["exact"]
    assert effect["gain"] > 3
    assert ["A", "B"] in effect["pairs"]
    assert "Without your knowledge, the best DAG from another class scores" in found["verdict"]
    assert found["reference"]["exact"]


def test_that_a_required_edge_that_the_pag_lacks_is_refused_with_both_names(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    pag = graph(tmp_path, "A o-o B", "B o-o C")
    knowledge = written(tmp_path, required=[["A", "D"]])
    code = main(["run", *map(str, [data, "--pag", pag, "--search", "ilc-v", "--knowledge", knowledge])])
    said = capsys.readouterr().err
    assert code == 2
    assert "A --> D is required" in said
    assert "no edge between A and D" in said


def test_that_mags_that_contradict_are_counted_and_not_listed(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    pag = graph(tmp_path, "A o-o B", "B o-o C")
    knowledge = written(tmp_path, tiers=[["A"], ["B"], ["C"]])
    found = answer(capsys, data, "--pag", pag, "--search", "ilc-v", "--knowledge", knowledge)
    remaining, listed = found["mags_with_knowledge"]
    assert 0 < remaining < listed
    assert f"PAG with knowledge: {remaining} of {listed} MAGs" in found["verdict"]


@pytest.mark.parametrize("search", ["ilc-v", "hclc-v"])
def test_that_where_no_mag_obeys_the_dags_of_the_graph_that_do_are_searched_and_it_is_said(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path, search: str
) -> None:
    pag = graph(tmp_path, "A o-o B", "B o-o C")  # no collider at B in any of its MAGs
    knowledge = written(tmp_path, required=[["A", "B"], ["C", "B"]])
    found = answer(capsys, data, "--pag", pag, "--search", search, "--knowledge", knowledge)
    assert {("A", "B"), ("C", "B")} <= {tuple(edge) for edge in found["edges"]}
    if search == "ilc-v":  # HCLC-V orients edges one by one and does not ask whether a graph is a MAG
        assert "no MAG of the PAG obeys" in found["treatment"]["reasons"][0]


def test_that_knowledge_against_itself_is_refused_with_the_file(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    knowledge = written(tmp_path, required=[["A", "B"]], exogenous=["B"])
    assert main(["run", str(data), "--knowledge", str(knowledge)]) == 2
    assert "knowledge.json: A --> B is required, but B is exogenous" in capsys.readouterr().err
