"""The command `latconf`, as a terminal sees it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from latconf_gui.__main__ import main
from latconf_gui.window.display import display_problem


def test_that_help_names_the_window_and_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    said = capsys.readouterr().out
    for word in ("latconf [FILE | --example NAME]", "--reset-settings", "sample", "doctor"):
        assert word in said


def test_that_the_version_is_said_without_a_window(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith("latconf ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nosuch.csv"], "there is neither a file nor a command 'nosuch.csv'"),
        (["--example", "nosuch"], "there is no example 'nosuch'"),
        (["--example", "asia", "pyproject.toml"], "give a file or an example, not both"),
    ],
)
def test_that_wrong_arguments_are_one_sentence_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_that_without_a_display_there_is_a_sentence_and_exit_code_2() -> None:
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    run = subprocess.run(
        [sys.executable, "-m", "latconf_gui"], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 2
    assert run.stderr.startswith("latconf: there is no display")
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("environment", "platform", "problem"),
    [
        ({}, "linux", "there is no display"),
        ({"DISPLAY": ":4711"}, "linux", "no X server responds at the display :4711"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", ""),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", ""),
        ({}, "darwin", ""),
        ({}, "win32", ""),
    ],
)
def test_that_a_missing_display_is_noticed_before_qt_is_loaded(
    environment: dict[str, str], platform: str, problem: str
) -> None:
    said = display_problem(environment, platform)
    assert said.startswith(problem)
    assert bool(said) == bool(problem)


def test_that_a_sub_command_loads_no_qt() -> None:
    code = (
        "import sys; from latconf_gui.__main__ import main; main(['example']);"
        "sys.exit('PySide6' in sys.modules or 'matplotlib' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    assert "asia" in run.stdout
