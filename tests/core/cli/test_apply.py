"""`latconf apply` as a person and a program call it."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.small_runs import small_run

import latconf_core
from latconf_core.cli.main import main
from latconf_core.data.reading.write import write_dataset
from latconf_core.formats.networks.bif_text import write_bif
from latconf_core.formats.run_folder import write_run


def told(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    assert main(["apply", *args, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert isinstance(answer, dict)
    return answer


def refused(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    assert main(["apply", *args]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


def test_that_every_form_of_a_model_gives_the_same_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = small_run()
    assert result.posterior is not None
    write_run(result, tmp_path)
    write_dataset(result.posterior.dataset, tmp_path / "rows.csv")
    answers = [
        told(capsys, str(place), str(tmp_path / "rows.csv"))
        for place in (tmp_path, tmp_path / "result.json", tmp_path / "network.json", tmp_path / "model.bif")
    ]
    assert answers[0]["log_likelihood"] == pytest.approx(result.posterior.log_likelihood, abs=1e-9)
    assert answers[0]["per_row"] == pytest.approx(answers[0]["log_likelihood"] / answers[0]["rows"])
    for answer in answers[1:]:
        assert answer["per_row"] == pytest.approx(answers[0]["per_row"], abs=1e-5)  # BIF keeps six digits


def test_that_the_file_of_rows_has_a_line_per_row_and_shares_that_sum_to_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    network = latconf_core.load_example("asia")
    drawn = latconf_core.sample(network, 50, rng=np.random.default_rng(1), hide=["smoke"])
    write_dataset(drawn.dataset, tmp_path / "rows.csv")
    write_bif(latconf_core.BayesNet(network.cpts.values(), latents=["smoke"]), tmp_path / "asia.bif")
    out = tmp_path / "applied.csv"
    content = told(capsys, str(tmp_path / "asia.bif"), str(tmp_path / "rows.csv"), "--out", str(out))
    lines = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
    assert [line["row"] for line in lines] == [str(number) for number in range(1, 51)]
    assert sum(float(line["log_likelihood"]) for line in lines) == pytest.approx(content["log_likelihood"])
    if content["latents"]:
        assert all(float(line["smoke=yes"]) + float(line["smoke=no"]) == pytest.approx(1) for line in lines)


def test_that_text_says_what_was_summed_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rows.csv").write_text("dysp,xray,other\nyes,?,1\nperhaps,no,2\n")
    assert main(["apply", "asia", str(tmp_path / "rows.csv")]) == 0
    said = capsys.readouterr().out
    assert "dysp = perhaps (1 rows)" not in said
    assert "dysp = perhaps (1 row)" in said
    assert "Variables absent from the table were summed out: asia, tub, smoke, lung, bronc and 1 more" in said
    assert said.splitlines()[-1].endswith(": other.")


def test_that_counted_rows_are_weighed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "counted.csv").write_text("dysp,n\nyes,3\nno,2\n")
    (tmp_path / "rows.csv").write_text("dysp\nyes\nyes\nyes\nno\nno\n")
    counted = told(capsys, "asia", str(tmp_path / "counted.csv"), "--counts", "n")
    assert counted["rows"] == 5
    written_out = told(capsys, "asia", str(tmp_path / "rows.csv"))
    assert counted["log_likelihood"] == pytest.approx(written_out["log_likelihood"])


def test_that_bad_input_gets_a_sentence_before_anything_is_computed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rows.csv").write_text("dysp\nyes\n")
    (tmp_path / "empty.csv").write_text("dysp\n")
    rows = str(tmp_path / "rows.csv")
    assert "does not exist; create it first" in refused(
        capsys, "asia", rows, "--out", str(tmp_path / "none" / "out.csv")
    )
    assert "this is a folder" in refused(capsys, "asia", rows, "--out", str(tmp_path))
    assert "nowhere" in refused(capsys, "nowhere", rows)
    assert "absent.csv: " in refused(capsys, "asia", str(tmp_path / "absent.csv"))
    assert "no column of the model" in refused(capsys, "cancer", rows)
    assert "rows" in refused(capsys, "asia", str(tmp_path / "empty.csv"))
