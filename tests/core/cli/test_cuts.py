"""`latconf cuts`: what it prints, writes and refuses, and the same from Python."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import latconf_core as latconf
from latconf_core.cli.main import main
from latconf_core.errors import DataError
from latconf_core.formats.run_folder import read_run

CUT = ["--discretise", "age=equal-width:2"]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(2)
    a, b = rng.integers(2, size=(2, 300))
    age = np.round(rng.normal(30 + 20 * a, 8), 1)
    rows = ["a,b,age", *(",".join(map(str, row)) for row in zip(a, b, age))]
    path = tmp_path / "people.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_that_other_cut_points_are_searched_and_kept_with_the_run(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    assert main(["run", str(table), *CUT, "--search", "refine", "--out", str(run), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["other_cuts"] is None
    assert main(["cuts", str(run), str(table), *CUT, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["cuttings"] == ["equal frequency", "one interval more"]
    (edge,) = told["edges"]
    assert {edge["a"], edge["b"]} == {"a", "age"}
    assert edge["absent"] == 0
    kept = json.loads((run / "result.json").read_text())
    assert [one["title"] for one in kept["other_cuts"]] == told["cuttings"]
    assert kept["converged"] is not None  # what was known of the fit stays
    assert read_run(run).other_cuts is not None
    assert main(["cuts", str(run), str(table), *CUT]) == 0
    assert "1 of 1 edge among variables is in all of them" in capsys.readouterr().out
    assert main(["report", str(run), "--out", str(tmp_path / "report.html")]) == 0
    assert "When the numbers are cut elsewhere" in (tmp_path / "report.html").read_text()


def test_that_a_table_without_cut_columns_or_another_one_is_refused(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    assert main(["run", str(table), "--search", "no-latents", "--out", str(run), "--json"]) == 0
    capsys.readouterr()
    assert main(["cuts", str(run), str(table)]) == 2
    assert "no column was cut from numbers" in capsys.readouterr().err
    assert main(["cuts", str(run), str(table), *CUT]) == 2
    assert "the run was on other data" in capsys.readouterr().err


def test_that_python_cuts_and_tries_other_points(table: Path) -> None:
    data = latconf.load(table, discretise={"age": ("equal width", 2)})
    result = latconf.find_latents(data, None, "no-latents")
    known = latconf.try_other_cuts(result, table, discretise={"age": ("equal width", 2)})
    assert known.other_cuts is not None
    assert [other_cut.title for other_cut in known.other_cuts] == ["equal frequency", "one interval more"]
    assert latconf.load(table, discretise={"age": (30, 50)}).ordered["age"].cut_points == (30, 50)
    with pytest.raises(DataError, match="the cutting of 'age' is 'k-means'"):
        latconf.load(table, discretise={"age": "k-means"})
