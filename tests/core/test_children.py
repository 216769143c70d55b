"""Parts of the program as processes of their own, with a Python and in a program that is frozen into a folder."""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest

from latconf_core import children
from latconf_core.cli import doctor
from latconf_core.search import kernel_compiler
from latconf_gui.__main__ import main
from latconf_gui.drawing.layout import graphviz_layout

PROGRAM = """import sys
sys.frozen = True
sys.executable = {executable!r}
from latconf_gui.__main__ import main
sys.exit(main())
"""


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A program that believes itself frozen, as this process then does; it has no other words than its own."""
    script, program = tmp_path / "program.py", tmp_path / "latconf"
    script.write_text(PROGRAM.format(executable=str(program)), encoding="utf-8")
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{script}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    return program


def test_that_python_runs_a_module_and_no_file_of_the_folder_one_is_in() -> None:
    assert children.module_command("latconf_core.x", "a") == [sys.executable, "-P", "-m", "latconf_core.x", "a"]


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for the program is a shell script")
def test_that_a_frozen_program_lays_graphs_out_by_calling_itself(frozen: Path, tmp_path: Path) -> None:
    command = children.module_command(graphviz_layout.__name__)
    assert command[0] == str(frozen)
    request = graphviz_layout.LayoutRequest("dot", ("a", "b"), ((40.0, 20.0), (40.0, 20.0)), ((0, 1),), (400.0, 300.0))
    done = subprocess.run(command, input=request.to_json(), capture_output=True, text=True, cwd=tmp_path)
    assert done.stderr == ""
    assert json.loads(done.stdout) == {
        name: list(position) for name, position in graphviz_layout.lay_out(request).items()
    }


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for the program is a shell script")
def test_that_the_doctor_of_a_frozen_program_runs_its_trials_and_no_other_code(frozen: Path) -> None:
    assert doctor.run_trial(doctor.TRIALS["scipy"]) is None
    assert doctor.run_trial("raise SystemExit(7)") is None  # 7 where it had been run


def test_that_a_frozen_program_first_asks_whether_it_is_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(multiprocessing, "freeze_support", lambda: asked.append("asked"))
    assert children.answer_as_child(["run", "x.csv"]) is None
    assert asked == []
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert children.answer_as_child(["run", "x.csv"]) is None
    assert asked == ["asked"]


@pytest.mark.parametrize("words", [["--run-module"], ["--run-module", "os"], ["--run-module", "antigravity", "x"]])
@pytest.mark.parametrize("is_frozen", [True, False])
def test_that_only_parts_of_latconf_are_run_so(
    words: list[str], is_frozen: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "frozen", is_frozen, raising=False)
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert "unrecognized arguments: --run-module" in capsys.readouterr().err


def test_that_every_module_that_is_started_so_has_a_main() -> None:
    assert all(callable(module.main) for module in (graphviz_layout, kernel_compiler, doctor))
