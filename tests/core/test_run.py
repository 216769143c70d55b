"""run.py, without installing anything."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
import shlex
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from latconf_core.children import RUN_MODULE
from latconf_core.formats.example_choice import FIRST_EXAMPLE
from latconf_core.search import kernel_compiler
from latconf_core.search.kernel_compiler import PARTS

ROOT = Path(__file__).resolve().parents[2]

linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux is set up with apt-get")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """run.py as a module whose environment is in an empty folder."""
    specification = importlib.util.spec_from_file_location("run", ROOT / "run.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    folder = tmp_path / "environment"
    monkeypatch.setattr(module, "ENVIRONMENT", folder)
    monkeypatch.setattr(module, "PYTHON", folder / "python")
    monkeypatch.setattr(module, "STAMP", folder / "stamp.json")
    return module


@pytest.fixture
def commands(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The set-up commands that would have run; making the environment makes its Python."""
    ran: list[list[str]] = []

    def record(command: list[str], problem: str) -> None:
        ran.append(command)
        if "venv" in command:
            run.ENVIRONMENT.mkdir()
            run.PYTHON.write_text("")

    monkeypatch.setattr(run, "run_set_up", record)
    monkeypatch.setattr(run, "compile_kernels", lambda command: None)
    monkeypatch.setattr(run, "has_working_environment", lambda: run.PYTHON.exists())
    return ran


def pretend(
    run: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    *,
    user: int = 0,
    tools: tuple[str, ...] = ("apt-get", "sudo"),
    terminal: bool = True,
    missing: tuple[str, ...] = (),
    has_venv: bool = True,
) -> None:
    """A machine: who runs, which tools there are, what is missing."""
    monkeypatch.setattr(os, "geteuid", lambda: user, raising=False)
    monkeypatch.setattr(run.shutil, "which", lambda name: f"/usr/bin/{name}" if name in tools else None)
    monkeypatch.setattr(run.sys.stdin, "isatty", lambda: terminal, raising=False)
    monkeypatch.setattr(run, "can_load", lambda name: name not in missing)
    monkeypatch.setattr(run, "has_modules", lambda *names: has_venv)


def test_that_python_3_7_can_read_the_file_far_enough_to_say_that_it_is_too_old(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ast.parse((ROOT / "run.py").read_text(encoding="utf-8"), feature_version=(3, 7))
    monkeypatch.setattr(run.sys, "version_info", (3, 10, 4, "final", 0))
    assert run.main([]) == 1
    assert "latconf needs Python 3.11 or newer, and this is Python 3.10.4." in capsys.readouterr().err


@linux_only
def test_that_a_bare_machine_gets_one_installation_of_just_what_is_missing(
    run: ModuleType, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pretend(run, monkeypatch, missing=("libEGL.so.1", "libxcb-cursor.so.0"), has_venv=False)
    run.set_up("test", for_window=True)
    packages = ["python3-venv", "libegl1", "libxcb-cursor0"]
    assert "will be installed" in capsys.readouterr().err
    assert commands[0][-1] == "update"
    assert commands[1][-len(packages) - 1 :] == ["--no-install-recommends", *packages]
    assert "sudo" not in commands[1]
    assert commands[2][1:3] == ["-m", "venv"]
    assert commands[3][-1] == ".[test]"
    assert len(commands) == 4


@linux_only
def test_that_nothing_is_installed_where_nothing_is_missing_and_nothing_at_all_the_second_time(
    run: ModuleType, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(run, monkeypatch, missing=("libEGL.so.1",))  # of the window alone
    run.set_up("", for_window=False)
    assert [("apt-get" in command) for command in commands] == [False, False]
    commands.clear()
    run.set_up("", for_window=False)
    assert commands == []
    run.set_up("test", for_window=False)
    assert [command[-1] for command in commands][-1] == ".[test]"
    commands.clear()
    run.set_up("", for_window=False)
    assert commands == []
    run.set_up("build", for_window=False)
    commands.clear()
    run.set_up("test", for_window=False)  # not forgotten over the other
    assert commands == []


def test_that_a_changed_project_is_installed_again(
    run: ModuleType, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(run, monkeypatch)
    run.set_up("", for_window=False)
    stamp = json.loads(run.STAMP.read_text())
    run.STAMP.write_text(json.dumps({**stamp, "fingerprint": "of another pyproject.toml"}))
    assert not run.is_installed("")
    run.STAMP.write_text("half a fi")
    assert not run.is_installed("")


def test_that_only_an_environment_whose_python_runs_with_pip_is_kept(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not run.has_working_environment()
    run.ENVIRONMENT.mkdir()
    run.PYTHON.write_text("")
    assert not run.has_working_environment()
    monkeypatch.setattr(run, "PYTHON", sys.executable)
    assert run.has_working_environment()
    monkeypatch.setattr(run.sys, "version_info", (3, 99, 0, "final", 0))
    assert not run.has_working_environment()


@linux_only
@pytest.mark.parametrize(("terminal", "before"), [(True, ["sudo", "env"]), (False, ["sudo", "-n", "env"])])
def test_that_sudo_asks_only_where_someone_can_answer(
    terminal: bool, before: list[str], run: ModuleType, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(run, monkeypatch, user=1000, terminal=terminal, missing=("libEGL.so.1",))
    run.set_up("", for_window=True)
    assert commands[0][: len(before)] == before


@linux_only
def test_that_a_user_without_sudo_gets_the_command_to_run_as_root(
    run: ModuleType, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(run, monkeypatch, user=1000, tools=("apt-get",), has_venv=False)
    with pytest.raises(run.SetupError, match="as root run: apt-get install python3-venv"):
        run.set_up("", for_window=False)
    assert commands == []


@linux_only
@pytest.mark.parametrize(
    ("user", "tools", "problem"),
    [
        (0, (), "install with your package manager what Debian calls libxrender1"),
        (1000, ("apt-get",), "as root run: apt-get install libxrender1"),
    ],
)
def test_that_libraries_that_cannot_be_installed_are_named_and_the_rest_goes_on(
    user: int,
    tools: tuple[str, ...],
    problem: str,
    run: ModuleType,
    commands: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pretend(run, monkeypatch, user=user, tools=tools, missing=("libXrender.so.1",))
    run.set_up("", for_window=False)
    assert f"{problem}; going on without libXrender.so.1" in capsys.readouterr().err
    assert [command[-1] for command in commands][-1] == "."


@linux_only
def test_that_without_a_display_the_example_runs_into_the_results_folder(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    started: list[list[str]] = []
    monkeypatch.setattr(run, "run_python", lambda arguments: started.append(arguments) or 0)
    assert run.start() == 0
    folder = str(ROOT / "results" / FIRST_EXAMPLE)
    assert started[0] == ["-m", "latconf_gui", "example", FIRST_EXAMPLE, "--out", folder]
    assert started[1][:4] == ["-m", "latconf_gui", "run", f"{folder}/data.csv"]
    assert started[1][4:6] == ["--search", "auto"]
    assert started[1][-2:] == ["--out", f"{folder}/run"]
    assert f"the results are in {folder}" in capsys.readouterr().err


def test_that_the_window_opens_on_the_example_of_the_first_start(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(run, "display_problem", lambda: None)
    monkeypatch.setattr(run, "run_python", lambda arguments: started.append(arguments) or 0)
    assert run.start() == 0
    assert started == [["-m", "latconf_gui", "--example", FIRST_EXAMPLE]]


@linux_only
def test_that_testing_installs_what_a_real_window_is_tested_with(
    run: ModuleType, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pretend(run, monkeypatch, tools=("apt-get", "xauth"))
    monkeypatch.setattr(run, "run_tests", lambda arguments: 0)
    assert run.main(["test"]) == 0
    installed = [command for command in commands if "install" in command and "apt-get" in command]
    assert [command[-2:] for command in installed] == [["xvfb", "xdotool"]]
    assert "will be installed (they test the window on a screen of its own): xvfb xdotool" in capsys.readouterr().err
    commands.clear()
    pretend(run, monkeypatch, tools=("apt-get", "Xvfb", "xauth", "xdotool"))
    assert run.main(["test"]) == 0
    assert commands == []


@linux_only
def test_that_only_tests_ask_for_a_screen(
    run: ModuleType, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(run, monkeypatch, tools=("apt-get",))
    monkeypatch.setattr(run, "run_python", lambda arguments: 0)
    assert run.main(["doctor"]) == 0
    assert not any("xvfb" in command for command in commands)


@linux_only
@pytest.mark.parametrize("tools", [(), ("apt-get",)])
def test_that_tests_run_without_a_screen_where_none_can_be_installed(
    tools: tuple[str, ...],
    run: ModuleType,
    commands: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pretend(run, monkeypatch, user=1000, tools=tools)
    ran: list[list[str]] = []
    monkeypatch.setattr(run, "run_tests", lambda arguments: ran.append(arguments) or 0)
    assert run.main(["test"]) == 0
    assert ran == [[]]
    assert "going on without xvfb xauth xdotool: the tests of a real window are skipped" in capsys.readouterr().err
    assert not any("apt-get" in command for command in commands)


def test_that_ci_runs_the_command_that_the_readme_names_and_no_other() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    work = [line for line in lines if line and not line.startswith(("#", "set ", "cd "))]
    assert work == ["python3 run.py test"]
    assert work[0] in (ROOT / "README.md").read_text(encoding="utf-8")


def test_that_git_hooks_run_the_checks_of_the_suite_from_the_projects_environment(run: ModuleType) -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    commands = [shlex.split(entry) for entry in re.findall(r"entry: (.*)", text)]
    assert commands == [[".venv/bin/python", *check] for _, check in run.CHECKS]
    assert re.findall(r"repo: (.*)", text) == ["local"]


def test_that_the_program_runs_no_python_file_of_the_folder_one_is_in(
    run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("open('executed', 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, "PYTHON", sys.executable)
    assert run.run_python(["-c", "import json; json.dumps(1)"]) == 0
    assert not (tmp_path / "executed").exists()


def test_that_the_parts_that_are_compiled_side_by_side_are_those_of_the_compiler(run: ModuleType) -> None:
    assert PARTS == run.KERNEL_PARTS


@pytest.fixture
def compiler(run: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in place of the environment's Python."""
    program = tmp_path / "python"
    monkeypatch.setattr(run, "PYTHON", program)
    return program


def write_program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@linux_only
def test_that_the_bar_counts_the_steps_of_all_parts(
    run: ModuleType, compiler: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_program(compiler, "echo 1 3; echo 2 3; echo 3 3")
    monkeypatch.setattr(run.sys.stderr, "isatty", lambda: True)
    run.compile_kernels([str(compiler)])
    told = capsys.readouterr().err
    assert told.endswith("[######] 6 of 6\n")
    assert "could not" not in told


@linux_only
def test_that_a_set_up_goes_on_where_the_loops_cannot_be_compiled(
    run: ModuleType, compiler: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run.compile_kernels([str(compiler)])
    assert "the first search will do it" in capsys.readouterr().err
    write_program(compiler, "echo 1 3; exit 1")
    run.compile_kernels([str(compiler)])
    assert "the first search will do the rest" in capsys.readouterr().err


@linux_only
def test_that_building_calls_pyinstaller_and_lets_the_program_compile_its_own_loops(
    run: ModuleType, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    compiled: list[list[str]] = []
    pretend(run, monkeypatch, tools=("apt-get",))
    monkeypatch.setattr(run, "BUILT", tmp_path / "dist" / "latconf")
    monkeypatch.setattr(run, "compile_kernels", compiled.append)
    assert run.main(["build"]) == 0
    program = str(tmp_path / "dist" / "latconf" / "latconf")
    tool, trial = commands[-2:]
    assert ["apt-get" in command and "binutils" in command for command in commands].count(True) == 1
    assert any(command[-1] == ".[build]" for command in commands)
    assert tool[1:3] == ["-m", "PyInstaller"]
    assert Path(tool[-1]).exists()
    assert compiled[-1] == [program, RUN_MODULE, kernel_compiler.__name__]
    assert trial == [program, "--version"]


def test_that_the_recipe_of_the_build_takes_what_a_wheel_takes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    folders = {path.name for path in (ROOT / "resources").iterdir()}
    assert {Path(source).name for source in packed} == folders - {"pictures", "packaging"}
    ast.parse((ROOT / "resources" / "packaging" / "latconf.spec").read_text(encoding="utf-8"))
