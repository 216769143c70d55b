"""A disk that is full while a command writes: what was there stays, and what was computed is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from latconf_core.cli.main import main
from latconf_core.data.reading.write import write_dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example

pytestmark = pytest.mark.skipif(os.name == "nt", reason="limits of files as on Unix")

FULL = """
import resource, sys
from latconf_core.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
sys.exit(main(sys.argv[1:]))
"""  # the kernel then refuses every byte of a file with an error, as it does where a disk is full


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table, a run and a PAG."""
    folder = tmp_path_factory.mktemp("full")
    data = folder / "data.csv"
    write_dataset(sample(load_example("cancer"), 300, rng=np.random.default_rng(1)).dataset, data)
    assert main(["run", str(data), "--search", "no-latents", "--out", str(folder / "run")]) == 0
    assert main(["pag", str(data), "--out", str(folder / "pag.txt")]) == 0
    return folder


def on_a_full_disk(*arguments: object, into: Path) -> subprocess.CompletedProcess[str]:
    """The command as a user runs it, where nothing more can be written.

    into : for what the program rescues; on the full disk, too
    """
    command = [sys.executable, "-c", FULL, *map(str, arguments)]
    environment = {**os.environ, "TMPDIR": str(into), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, check=False)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


WRITERS = {
    "sample": (["sample", "asia", "--rows", "50", "--out", "OLD.csv"], "OLD.csv"),
    "sample-excel": (["sample", "asia", "--rows", "50", "--out", "OLD.xlsx"], "OLD.xlsx"),
    "sample-parquet": (["sample", "asia", "--rows", "50", "--out", "OLD.parquet"], "OLD.parquet"),
    "sample-arff": (["sample", "asia", "--rows", "50", "--out", "OLD.arff"], "OLD.arff"),
    "pag": (["pag", "data.csv", "--out", "OLD.txt"], "OLD.txt"),
    "pag-dot": (["pag", "data.csv", "--out", "OLD.dot"], "OLD.dot"),
    "convert-network": (["convert", "run/network.json", "OLD.bif"], "OLD.bif"),
    "convert-graph": (["convert", "pag.txt", "OLD.json"], "OLD.json"),
    "apply": (["apply", "run", "data.csv", "--out", "OLD.csv"], "OLD.csv"),
    "report": (["report", "run", "--out", "OLD.html"], "OLD.html"),
}


@pytest.mark.parametrize("name", WRITERS)
def test_that_the_older_file_stays_and_one_sentence_says_why(place: Path, tmp_path: Path, name: str) -> None:
    arguments, target = WRITERS[name]
    old = tmp_path / target
    old.write_text("what stood here before")
    found = {each: place / each for each in ("data.csv", "run/network.json", "run", "pag.txt")} | {target: old}
    told = on_a_full_disk(*(found.get(word, word) for word in arguments), into=tmp_path)
    assert told.returncode == 2, told.stdout + told.stderr
    (sentence,) = [line for line in told.stderr.splitlines() if line.startswith("latconf: ")]
    assert target in sentence
    assert "cannot be written" in sentence
    assert "Traceback" not in told.stderr
    assert contents(tmp_path) == {target: b"what stood here before"}


COMMANDS = {
    "run": (["run", "data.csv", "--search", "no-latents", "--seed", "2", "--json"], "edges"),
    "stability": (["stability", "data.csv", "--learn", "fci", "--search", "none", "--samples", "2", "--json"], "edges"),
    "bench": (["bench", "data.csv", "--learn", "fci", "--search", "hc", "--json"], "cells"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_that_a_finished_result_is_told_though_nothing_can_be_written(place: Path, tmp_path: Path, name: str) -> None:
    arguments, part = COMMANDS[name]
    words = [place / word if word == "data.csv" else word for word in arguments]
    before = contents(place / "run")
    out = tmp_path / "run"
    out.mkdir()
    for file, text in before.items():
        (out / file).write_bytes(text)
    told = on_a_full_disk(*words, "--out", out, into=tmp_path)
    assert told.returncode == 2, told.stdout + told.stderr
    assert "Traceback" not in told.stderr
    assert contents(out) == before
    assert part in json.loads(told.stdout)
