"""`latconf bench` from outside: its JSON, its files, resuming, signals and refusals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from support.small_bench import confounded, without_seconds

from latconf_core.cli.main import main
from latconf_core.data.reading.write import write_dataset

SEARCHES = ("--learn", "fci", "--search", "hclc-v", "no-latents")


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    folder = tmp_path / "tables"
    folder.mkdir()
    for seed in (1, 2):
        write_dataset(confounded(60, seed), folder / f"copies_{seed}.csv")
    return folder


def bench_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert main(["bench", *map(str, arguments), "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def test_that_a_folder_of_tables_is_benched_resumed_and_written(
    tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    first = bench_json(capsys, tables, *SEARCHES, "--out", out)
    assert [(cell["data"], cell["search"], cell["learn"]) for cell in first["cells"]] == [
        ("copies_1", "hclc-v", "fci"),
        ("copies_1", "no-latents", None),
        ("copies_2", "hclc-v", "fci"),
        ("copies_2", "no-latents", None),
    ]
    assert {cell["true_p_elbo"] for cell in first["cells"]} == {None}  # nobody knows where they come from
    assert all(cell["held_out"] < 0 for cell in first["cells"])
    assert {one.name for one in out.iterdir()} == {
        "cells", "bench.html", "bench.csv", "bench.md", "bench.tex", "bench.json"
    }  # fmt: skip
    assert bench_json(capsys, tables, *SEARCHES, "--out", out) == first  # to the second: nothing was run again
    assert json.loads((out / "bench.json").read_text()) == first


def test_that_truths_come_from_a_folder(tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truths = tmp_path / "truths"
    truths.mkdir()
    (truths / "copies.txt").write_text("Graph Nodes:\nA;B;C;D\n\nGraph Edges:\n1. A --> B\n2. A --> C\n3. A --> D\n")
    told = bench_json(capsys, tables, "--search", "no-latents", "--truth", truths)
    assert all(cell["gap"] == cell["p_elbo"] - cell["true_p_elbo"] for cell in told["cells"])
    assert all(cell["adjacency_f1"] > 0.5 for cell in told["cells"])


def test_that_the_text_shows_the_table_ranks_and_what_was_found(
    tables: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", str(tables), *SEARCHES]) == 0
    said, progress = capsys.readouterr()
    assert "copies_1  HCLC-V on FCI" in said
    assert "Mean rank by p-ELBO" in said
    assert "By p-ELBO" in said
    assert "4 of 4 cells" in progress


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["absent.csv"], "absent.csv: the file does not exist"),
        (["asia_smok_50"], "no variable 'smok'"),
        (["TABLES", "--truth", "absent"], "not a folder"),
        (["TABLES", "--time-limit", "0"], "time limit"),
    ],
)
def test_that_bad_input_is_one_sentence_and_exit_code_2(
    tables: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    given = [str(tables) if argument == "TABLES" else argument for argument in arguments]
    assert main(["bench", *given]) == 2
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said.startswith("latconf: ")
    assert sentence in said


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_that_killing_and_interrupting_the_program_loses_nothing_that_is_done(
    tables: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Killed with its two processes under way, then interrupted as by Ctrl-C, then run to its end."""
    out = tmp_path / "out"
    command = [
        sys.executable,
        "-m",
        "latconf_gui",
        "bench",
        str(tables),
        *SEARCHES,
        "--out",
        str(out),
        "--workers",
        "2",
    ]
    for number in (signal.SIGKILL, signal.SIGINT):
        n_done = _count_cells(out)  # the last may have been written while the first process was killed
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
        _wait_for_cells(out, process, n_done + 1)
        if process.poll() is None:
            os.killpg(process.pid, number) if number == signal.SIGINT else process.kill()
        _, errors = process.communicate(timeout=120)
        assert b"Traceback" not in errors
        if number == signal.SIGINT:
            assert process.returncode in (130, 0)  # 0 where the last cell was done already
            assert (out / "bench.json").is_file()
    resumed = bench_json(capsys, tables, *SEARCHES, "--out", out)
    whole = bench_json(capsys, tables, *SEARCHES)
    assert without_seconds(resumed) == without_seconds(whole)


def _wait_for_cells(out: Path, process: subprocess.Popen[bytes], least: int) -> None:
    """Until so many cells are written, or the program has ended."""
    while process.poll() is None and _count_cells(out) < least:
        time.sleep(0.05)


def _count_cells(out: Path) -> int:
    return len(list((out / "cells").glob("[!.]*.json")))
