"""What a long command found is never lost: places are tried first, results told before they are written."""

from __future__ import annotations

import json
import os
import random
import re
from pathlib import Path

import numpy as np
import pytest
from support.killed_runs import SIGNALS, KilledRuns

from latconf_core import whole_folders
from latconf_core.cli.main import main
from latconf_core.data.reading.write import write_dataset
from latconf_core.data.sampling import sample
from latconf_core.errors import FileFormatError
from latconf_core.formats import run_folder, stability_folder
from latconf_core.formats.examples import load_example
from latconf_core.formats.run_folder import RESULT, TABLES


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("keeping") / "cancer.csv"
    write_dataset(sample(load_example("cancer"), 300, rng=np.random.default_rng(1)).dataset, file)
    return file


def full_disk(*_: object, **__: object) -> None:
    raise FileFormatError("the folder cannot be written: No space left on device")


COMMANDS = {
    "run": (["--search", "no-latents"], RESULT),
    "stability": (["--learn", "fci", "--search", "none", "--samples", "2"], "stability.json"),
}
FOLDERS = {**COMMANDS, "bench": (["--learn", "fci", "--search", "hc"], "bench.json")}  # commands that write a folder


@pytest.mark.parametrize("command", FOLDERS)
def test_that_a_folder_that_cannot_be_written_is_refused_before_the_work(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (tmp_path / "file").write_text("x")
    assert main([command, str(data), *FOLDERS[command][0], "--out", str(tmp_path / "file" / "out")]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "the folder cannot be written" in said.err
    assert "%" not in said.err  # no progress: nothing was begun


@pytest.mark.parametrize("command", FOLDERS)
def test_that_a_command_without_its_data_leaves_no_folder(tmp_path: Path, command: str) -> None:
    missing, out = tmp_path / "missing.csv", tmp_path / "results" / "out"
    assert main([command, str(missing), *FOLDERS[command][0], "--out", str(out)]) == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_that_a_result_that_cannot_be_written_is_told_and_kept_elsewhere(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    monkeypatch.setattr(run_folder, "write_run", full_disk)
    monkeypatch.setattr(stability_folder, "write_stability", full_disk)
    monkeypatch.setattr(whole_folders.tempfile, "gettempdir", lambda: str(tmp_path))
    arguments, name = COMMANDS[command]
    assert main([command, str(data), *arguments, "--out", str(tmp_path / "out"), "--json"]) == 2
    said = capsys.readouterr()
    told = json.loads(said.out)
    hit = re.search(r"the result is above and in (.*)", said.err)
    assert hit is not None
    kept = json.loads((Path(hit[1].strip()) / name).read_text(encoding="utf-8"))
    assert kept.keys() >= told.keys() - {"seconds"}


def test_that_a_run_without_a_model_never_replaces_one_with(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(data), "--search", "no-latents", "--out", str(tmp_path)]) == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert TABLES in before
    capsys.readouterr()
    main(["run", str(data), "--search", "ilc-v", "--learn", "fci", "--time-limit", "1e-9", "--out", str(tmp_path)])
    assert "was kept" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals as on Unix")
def test_that_a_signal_at_any_moment_leaves_a_whole_run(tmp_path: Path) -> None:
    """Seeded moments; whatever they hit, the folder then has the old whole run or the new one; see `killed_runs`."""
    runs = KilledRuns(tmp_path, random.Random(1))
    runs.begin()
    for number in SIGNALS:
        runs.signal_anywhere(number)
        runs.signal_while_writing(number)
    assert runs.kept.total() == 2 * len(SIGNALS)
