from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from latconf_core.cli.main import main

Reader = Callable[..., dict[str, Any]]


@pytest.fixture
def graph_file(tmp_path: Path) -> Callable[..., str]:
    """Writes edges such as "A o-> B" as Tetrad text and gives the file's name."""

    def write(*edges: str, name: str = "graph.txt") -> str:
        nodes = sorted({edge.split()[i] for edge in edges for i in (0, 2)})
        lines = [f"{i}. {edge}" for i, edge in enumerate(edges, 1)]
        text = "\n".join(["Graph Nodes:", ";".join(nodes), "", "Graph Edges:", *lines, ""])
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


@pytest.fixture
def answer(capsys: pytest.CaptureFixture[str]) -> Reader:
    """Runs `latconf mags … --json` and gives what it printed."""

    def run(*args: str) -> dict[str, Any]:
        assert main(["mags", *args, "--json"]) == 0
        loads: dict[str, Any] = json.loads(capsys.readouterr().out)
        return loads

    return run


def test_that_a_chain_is_listed_level_by_level(graph_file: Callable[..., str], answer: Reader) -> None:
    file = graph_file("A o-o B", "B o-o C")
    (found,) = answer(file)["graphs"]
    assert found["file"] == file
    assert found["valid_pag"] is True
    assert found["invariant_bidirected"] == 0
    assert found["levels"] == {"0": 3, "1": 2}
    assert found["complete"] is True
    assert [mag["bidirected"] for mag in found["mags"]] == [0, 0, 0, 1, 1]
    assert found["mags"][0]["edges"] == [["A", "-->", "B"], ["B", "-->", "C"]]
    assert "latents" not in found["mags"][0]


def test_that_counting_lists_nothing(graph_file: Callable[..., str], answer: Reader) -> None:
    (found,) = answer(graph_file("A o-> B", "C o-> B"), "--count")["graphs"]
    assert found["levels"] == {"0": 1, "1": 2, "2": 1}
    assert "mags" not in found


def test_that_latents_come_with_every_mag(graph_file: Callable[..., str], answer: Reader) -> None:
    (found,) = answer(graph_file("A --> B", "A <-> C", "B <-> C"), "--latents")["graphs"]
    assert [mag["latents"] for mag in found["mags"]] == [[["A", "B", "C"]]]
    assert found["valid_pag"] is False
    assert found["reasons"]


def test_that_a_graph_that_is_no_mag_gets_its_cliques_as_latents(
    graph_file: Callable[..., str], answer: Reader
) -> None:
    (found,) = answer(graph_file("A --> B", "B --> C", "A <-> C"), "--latents")["graphs"]
    assert [mag["latents"] for mag in found["mags"]] == [[["A", "C"]]]


@pytest.mark.parametrize("counting", [[], ["--count"]])
@pytest.mark.parametrize(
    ("options", "levels", "is_complete"),
    [
        (["--max-bidirected", "0"], {"0": 1}, False),
        (["--max-bidirected", "2"], {"0": 1, "1": 2, "2": 1}, True),
        (["--limit", "2"], {"0": 1, "1": 1}, False),
        (["--limit", "3"], {"0": 1, "1": 2}, False),
        (["--limit", "4"], {"0": 1, "1": 2, "2": 1}, True),
    ],
)
def test_that_what_a_bound_cuts_is_said(
    graph_file: Callable[..., str],
    answer: Reader,
    counting: list[str],
    options: list[str],
    levels: dict[str, int],
    is_complete: bool,
) -> None:
    (found,) = answer(graph_file("A o-> B", "C o-> B"), *options, *counting)["graphs"]
    assert found["levels"] == levels
    assert found["complete"] is is_complete


def test_that_invariant_edges_above_the_bound_leave_nothing(graph_file: Callable[..., str], answer: Reader) -> None:
    (found,) = answer(graph_file("A o-> C", "C <-> D", "B o-> D"), "--max-bidirected", "0")["graphs"]
    assert found["invariant_bidirected"] == 1
    assert found["levels"] == {}
    assert found["complete"] is False


def test_that_files_are_answered_in_the_order_given(graph_file: Callable[..., str], answer: Reader) -> None:
    files = [graph_file("A o-o B", name=f"{i}.txt") for i in (3, 1, 2)]
    assert [one["file"] for one in answer(*files, "--count")["graphs"]] == files


def test_that_the_text_says_what_is_wrong_and_what_was_found(
    graph_file: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mags", graph_file("A --> B", "B o-o C"), "--latents", "--limit", "1"]) == 0
    out = capsys.readouterr().out
    assert "not a valid PAG, listed as given; 1 graph so far; there are more" in out
    assert "A --> B should be A o-o B" in out
    assert "with 0 <->: 1" in out
    assert "latents over: none" in out


def test_that_selection_bias_is_one_sentence_and_exit_code_2(
    graph_file: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mags", graph_file("A --- B")]) == 2
    error = capsys.readouterr().err
    assert "graph.txt" in error
    assert "selection bias" in error
