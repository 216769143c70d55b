"""Environment variables that other programs leave behind change nothing of an answer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from latconf_core.data.reading.write import write_dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example

NOWHERE = "/nonexistent/folder"
ODD = {
    "nothing": {},
    "places": {
        **dict.fromkeys(("TMPDIR", "TEMP", "TMP", "LATCONF_RECOVERY_FOLDER"), NOWHERE),
        **dict.fromkeys(("HOME", "XDG_CACHE_HOME", "MPLCONFIGDIR"), ""),
    },
    "signs": {"PYTHONIOENCODING": "ascii", "LC_ALL": "xx_YY", "LANG": "C", "TERM": "dumb", "COLUMNS": "-5"},
    "numbers": {"NUMBA_NUM_THREADS": "abc", "OMP_NUM_THREADS": "-1", "COLUMNS": "x", "PYTHONHASHSEED": "12"},
}


@pytest.mark.slow
def test_that_odd_environments_change_no_answer(tmp_path: Path) -> None:
    drawn = sample(load_example("cancer"), 200, rng=np.random.default_rng(1)).dataset
    names = ["Größe", *drawn.names[1:]]
    write_dataset(type(drawn)(names, drawn.states, drawn.codes), tmp_path / "data.csv")
    answers = {}
    for name, odd in ODD.items():
        done = subprocess.run(
            [sys.executable, "-m", "latconf_gui", "pag", "data.csv", "--out", "pag.txt"],
            cwd=tmp_path,
            env={**os.environ, **odd},
            capture_output=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, f"{name}: {done.stderr!r}"
        answers[name] = (tmp_path / "pag.txt").read_text(encoding="utf-8")
        assert "Größe" in answers[name]
        (tmp_path / "pag.txt").unlink()
    assert set(answers.values()) == {answers["nothing"]}
