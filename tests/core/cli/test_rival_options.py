"""Options of searches on the command line: each search takes its own and refuses the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.rival_data import copies_of_a_bit, two_stories

from latconf_core.cli.main import main
from latconf_core.data.reading.write import write_dataset
from latconf_core.formats.run_folder import read_run


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_dataset(copies_of_a_bit(4, 300), tmp_path / "data.csv")
    return tmp_path / "data.csv"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["cil", "--max-bidirected", "2"], "--max-bidirected is for --search ilc-v, hclc-v, auto, not for cil"),
        (["glsl", "--max-candidates", "9"], "--max-candidates is for --search"),
        (["glsl+cil", "--invalid-pag", "repair"], "--invalid-pag is for --search"),
        (["hc", "--pairs", "3"], "--pairs is for --search glsl+cil, glsl, cil, not for hc"),
        (["glsl", "--no-observed-to-latent"], "--no-observed-to-latent is for --search glsl+cil, cil, not for glsl"),
        (["cil", "--max-parents", "2"], "--max-parents is for --search"),
        (["cil", "--pairs", "0"], "pairs per round of CIL is 0; it must be at least 1"),
    ],
)
def test_that_an_option_that_a_search_has_no_use_for_is_refused(
    data: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert main(["run", str(data), "--search", *arguments]) == 2
    assert told in capsys.readouterr().err


def test_that_own_options_are_taken_and_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = ["--pairs", "2", "--pairs-of", "any", "--max-parents", "2", "--no-turning", "--no-observed-to-observed"]
    assert main(["run", str(data), "--search", "glsl+cil", *own, "--json"]) == 0
    options = json.loads(capsys.readouterr().out)["options"]
    glsl = {name: options["glsl"][name] for name in ("n_pairs", "pairs_of", "max_parents", "turns_edges")}
    assert glsl == {"n_pairs": 2, "pairs_of": "any", "max_parents": 2, "turns_edges": False}
    assert (options["cil"]["n_pairs"], options["cil"]["observed_to_observed"]) == (2, False)
    assert options["cil"]["observed_to_latent"]


def test_that_latents_below_latents_are_told_and_come_back_from_every_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_dataset(two_stories(600), tmp_path / "data.csv")
    data, out = str(tmp_path / "data.csv"), tmp_path / "out"
    tree = ["--no-observed-to-observed", "--no-observed-to-latent"]
    assert main(["run", data, "--search", "cil", *tree, "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert "--> L1 (2 states) -->" in told or "--> L2 (2 states) -->" in told
    assert "Not judged one by one, because a hidden cause with a parent" in told
    assert "with 2 latents" in told
    best = read_run(out).best
    assert best is not None
    assert any(latent.parent is not None for latent in best.latents)
    assert (
        main(
            [
                "score",
                data,
                "--dag",
                *(str(out / name) for name in ("result.json", "model.json", "model.bif")),
                "--json",
            ]
        )
        == 0
    )
    scores = [load["p_elbo"] for load in json.loads(capsys.readouterr().out)["scores"]]
    assert scores == pytest.approx([json.loads((out / "result.json").read_text())["p_elbo"]] * 3, abs=1e-6)
    assert main(["compare", str(out), str(out / "model.bif"), "--json"]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    assert pair["shd"] == 0
    assert all(one["exact"] for one in pair["latents"])
