"""`latconf calibrate`: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from latconf_core.cli.main import main
from latconf_core.formats.run_folder import read_run


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    cause = rng.integers(2, size=400)
    columns = [np.where(rng.random(400) < 0.8, cause, rng.integers(2, size=400)) for _ in range(4)]
    path = tmp_path / "data.csv"
    rows = ["A,B,C,D", *(",".join(map(str, row)) for row in np.stack(columns, axis=1))]
    path.write_text("\n".join(rows) + "\n")
    return path


def test_that_calibrating_writes_the_gains_of_chance_into_the_run(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = tmp_path / "run"
    assert main(["run", str(table), "--search", "refine", "--seed", "3", "--out", str(run), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["null_gains"] is None
    assert main(["calibrate", str(run), str(table), "--draws", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["draws"], len(told["null_gains"])) == (2, 2)
    assert told["share_at_least"] == sum(gain >= told["gain"] for gain in told["null_gains"]) / 2
    kept = json.loads((run / "result.json").read_text())
    assert kept["null_gains"] == told["null_gains"]
    assert kept["converged"] is not None  # what was known of the fit stays
    assert read_run(run).null_gains == tuple(told["null_gains"])
    other = table.with_name("other.csv")
    other.write_text(table.read_text() + "0,0,0,0\n")
    assert main(["calibrate", str(run), str(other), "--draws", "2"]) == 2
    assert "other data" in capsys.readouterr().err
