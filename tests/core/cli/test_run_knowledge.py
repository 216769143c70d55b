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
    loads: dict[str, Any] = json.loads(capsys.readouterr().out)
    return loads


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
    main(["run", str(data), "--search", "no-latents", "--knowledge", str(knowledge)])
    assert "(exact: no DAG without hidden causes that obeys your knowledge scores higher)" in capsys.readouterr().out
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


@pytest.mark.parametrize("way", [["--search", "no-latents"], ["--search", "hclc-v", "--learn", "gfci"], ["--pag"]])
def test_that_data_against_the_knowledge_are_said_with_their_p_value(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path, way: list[str]
) -> None:
    way = way if way != ["--pag"] else ["--pag", str(graph(tmp_path, "A o-o B", "B o-o C")), "--search", "hc"]
    found = answer(capsys, data, *way, "--knowledge", written(tmp_path, exogenous=["A", "B", "D"]))
    (conflict,) = found["knowledge_conflicts"]
    assert (conflict["first"], conflict["second"]) == ("A", "B")
    assert conflict["p_value"] < 1e-6
    assert "Your knowledge rules out every edge between A and B" in found["verdict"]
    assert not {("A", "B"), ("B", "A")} & {tuple(edge) for edge in found["edges"]}


def test_that_a_pag_that_joins_what_nothing_may_join_is_refused_with_both_names(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    pag, knowledge = graph(tmp_path, "A o-o B", "B o-o C"), written(tmp_path, exogenous=["A", "B", "D"])
    assert main(["run", *map(str, [data, "--pag", pag, "--search", "hclc-v", "--knowledge", knowledge])]) == 2
    assert "the PAG has A o-o B, but the knowledge lets nothing join A and B" in capsys.readouterr().err


def test_that_knowledge_against_itself_is_refused_with_the_file(
    capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    knowledge = written(tmp_path, required=[["A", "B"]], exogenous=["B"])
    assert main(["run", str(data), "--knowledge", str(knowledge)]) == 2
    assert "knowledge.json: A --> B is required, but B is exogenous" in capsys.readouterr().err
