from __future__ import annotations

import json
from pathlib import Path

import pytest

from latconf_core.cli.main import main
from latconf_core.formats.networks.bif import read_bif


def test_that_the_file_has_the_rows_without_the_hidden_variable(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "my data.csv"
    assert main(["sample", "asia", "--rows", "200", "--hide", "smoke", "--seed", "3", "--out", str(out)]) == 0
    lines = out.read_text().splitlines()
    assert lines[0] == "asia,tub,lung,bronc,either,xray,dysp"
    assert len(lines) == 201
    assert {cell for line in lines[1:] for cell in line.split(",")} == {"yes", "no"}
    assert "hidden: smoke, a common cause of lung, bronc" in capsys.readouterr().out


def test_that_json_is_one_object_with_the_truth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, truth = tmp_path / "data.csv", tmp_path / "truth.bif"
    options = ["--hide", "smoke", "tub", "--out", str(out), "--truth", str(truth), "--json"]
    assert main(["sample", "asia", "--rows", "5", *options]) == 0
    loads = json.loads(capsys.readouterr().out)
    assert loads["rows"] == 5
    assert loads["hidden"] == ["tub", "smoke"]
    assert ["asia", "either"] in loads["edges"]
    assert loads["latents"] == [{"name": "smoke", "states": 2, "children": ["lung", "bronc"]}]
    assert read_bif(truth).latents == {"smoke", "tub"}


def test_that_a_truth_file_can_be_sampled_again_with_the_same_rows(tmp_path: Path) -> None:
    first, second, truth = tmp_path / "1.csv", tmp_path / "2.csv", tmp_path / "truth.bif"
    options = ["--rows", "100", "--seed", "5", "--out"]
    assert main(["sample", "sachs", "--hide", "PKC", *options, str(first), "--truth", str(truth)]) == 0
    assert main(["sample", str(truth), *options, str(second)]) == 0
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"network": "azia"}, "azia: there is neither a file nor an example of this name (examples: asia, cancer"),
        ({"hide": "smoking"}, "the network has no variable 'smoking' to hide"),
        ({"out": "no folder/data.csv"}, "data.csv: the folder 'no folder' does not exist; create it first"),
        ({"out": "data.doc"}, "data.doc: data is not written as .doc; choose one of .csv"),
    ],
)
def test_that_bad_input_is_one_sentence_and_exit_code_2(
    changed: dict[str, str],
    problem: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    given = {"network": "asia", "hide": "smoke", "out": "data.csv", **changed}
    assert main(["sample", given["network"], "--rows", "5", "--hide", given["hide"], "--out", given["out"]]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = printed.err.splitlines()
    assert line.startswith(f"latconf: {problem}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", [["--rows", "0"], ["--rows", "many"], ["--rows", "5", "--seed", "-1"]])
def test_that_a_number_out_of_range_is_refused_before_anything_is_written(
    option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["sample", "asia", "--out", str(tmp_path / "data.csv"), *option])
    assert ended.value.code == 2
    assert "is not a whole number of at least" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
