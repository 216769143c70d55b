"""`latconf stability` from outside: its JSON, its text, its files, Ctrl-C and refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.small_bench import confounded

from latconf_core.cli.main import main
from latconf_core.cli.terminal import interrupting
from latconf_core.data.reading.write import write_dataset
from latconf_core.formats.stability_folder import read_stability
from latconf_core.stability import stability_run

FEW = ("--samples", "3", "--max-bidirected", "2")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "copies.csv"
    write_dataset(confounded(90, 1), path)
    return path


def told_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert main(["stability", *map(str, arguments), "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def test_that_json_has_shares_of_every_pair_and_latent(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = told_json(capsys, table, "--learn", "gfci", "--search", "hclc-v", *FEW)
    assert told["samples"] == 3
    for edge in told["edges"]:
        assert set(edge) >= {"a", "b", "marks", "absent"}
        assert sum(edge["marks"].values()) + edge["absent"] == pytest.approx(1)
    for latent in (*told["latents"], *told["new_latents"]):
        assert 0 <= latent["exact"] <= latent["half"] <= 1
    assert told["seconds"] > 0


def test_that_pags_alone_are_learned_from_halves_unless_bootstrap_is_asked_for(
    table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = told_json(capsys, table, "--learner", "fci", "--search", "none", "--samples", 2)
    assert (told["options"]["resampling"], told["options"]["search"], told["latents"]) == ("half", None, [])
    assert told["options"]["learner"]["method"] == "fci"
    told = told_json(capsys, table, "--learner", "fci", "--search", "none", "--bootstrap", "--samples", 2)
    assert told["options"]["resampling"] == "bootstrap"


def test_that_the_text_has_tables_and_says_what_they_mean(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stability", str(table), *FEW]) == 0
    said, progress = capsys.readouterr()
    assert "GFCI and HCLC-V on 3 half samples, seed 0" in said
    assert "edges of the PAG" in said
    assert "Same marks" in said
    assert "It is not the probability that an edge or a hidden cause exists" in " ".join(said.split())
    assert "samples" in progress


def test_that_files_hold_the_same_and_are_read_again(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    told = told_json(capsys, table, *FEW, "--out", out)
    assert {one.name for one in out.iterdir()} == {"stability.json", "pag_edges.csv", "dag_edges.csv", "latents.csv"}
    assert read_stability(out).to_json() == told
    assert (out / "pag_edges.csv").read_text(encoding="utf-8").startswith("Edge,Same marks,Adjacent,In samples")


def test_that_a_pag_of_a_file_is_kept_in_every_sample(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pag = tmp_path / "pag.txt"
    pag.write_text("Graph Nodes:\nA;B;C;D\n\nGraph Edges:\n1. A <-> B\n2. A o-> D\n")
    told = told_json(capsys, table, "--pag", pag, *FEW)
    assert told["keeps_pag"]
    assert told["edges"] == told["dag_edges"]


def test_that_ctrl_c_keeps_what_is_done_says_how_many_and_exits_with_130(
    table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    work, heard = stability_run.work_through, []
    listen = interrupting.Interruption.__init__

    def remember(self: interrupting.Interruption) -> None:
        listen(self)
        heard.append(self)

    def interrupt_after_two(*given: Any, **named: Any) -> Any:
        for number, outcome in enumerate(work(*given, **named)):
            yield outcome
            if number == 2:  # the data themselves and two samples
                heard[-1].on_signal(2, None)

    monkeypatch.setattr(interrupting.Interruption, "__init__", remember)
    monkeypatch.setattr(stability_run, "work_through", interrupt_after_two)
    assert main(["stability", str(table), "--search", "none", "--samples", "40"]) == 130
    said = capsys.readouterr().out
    assert "it was stopped after 2 of 40 samples; what was done is kept" in said
    assert "edges of the PAG" in said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["absent.csv"], "absent.csv: the file does not exist"),
        (["TABLE", "--time-limit", "0"], "time limit is 0"),
        (["TABLE", "--search", "none", "--max-states", "3"], "--max-states needs a search"),
        (["TABLE", "--search", "none", "--pag", "TABLE"], "--pag needs a search"),
        (["TABLE", "--search", "hc", "--max-bidirected", "3"], "--max-bidirected is for --search"),
        (["TABLE", "--samples", "200000"], "at most 100,000"),
    ],
)
def test_that_bad_input_is_one_sentence_and_exit_code_2(
    table: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    given = [str(table) if argument == "TABLE" else argument for argument in arguments]
    assert main(["stability", *given]) == 2
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said.startswith("latconf: ")
    assert sentence in said
