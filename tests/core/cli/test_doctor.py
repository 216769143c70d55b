from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from latconf_core.cli import doctor


def nothing_wrong(code: str, environment: Mapping[str, str] | None = None) -> str | None:
    return None


def arguments(*, as_json: bool) -> argparse.Namespace:
    return argparse.Namespace(json=as_json)


def test_that_json_is_one_object_with_the_versions(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import numpy as np

    monkeypatch.setattr(doctor, "run_trial", nothing_wrong)
    assert doctor.run(arguments(as_json=True)) == 0
    loads = json.loads(capsys.readouterr().out)
    assert loads["python"].split(".")[:2] == [str(part) for part in sys.version_info[:2]]
    versions = {one["name"]: one["version"] for one in loads["packages"]}
    assert versions["numpy"] == np.__version__
    assert set(doctor.TRIALS) | set(doctor.OPTIONAL) < set(versions)


def test_that_a_broken_needed_package_is_named_and_makes_the_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = "ImportError: libEGL.so.1: cannot open shared object file"
    monkeypatch.setattr(doctor, "run_trial", lambda code, environment=None: problem if "PySide6" in code else None)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert doctor.run(arguments(as_json=False)) == 1
    [line] = [line for line in capsys.readouterr().out.splitlines() if "PySide6" in line]
    assert line.endswith(problem)


def test_that_a_missing_optional_package_names_what_is_lost_and_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = doctor.installed_version
    monkeypatch.setattr(doctor, "run_trial", nothing_wrong)
    monkeypatch.setattr(doctor, "installed_version", lambda name: None if name == "openpyxl" else real(name))
    assert doctor.run(arguments(as_json=False)) == 0
    assert "Excel files cannot be read" in capsys.readouterr().out


def test_that_a_trial_returns_the_last_line_of_what_went_wrong() -> None:
    assert doctor.run_trial("x = 1") is None
    assert doctor.run_trial("raise RuntimeError('no such thing')") == "RuntimeError: no such thing"
    assert doctor.run_trial("import os; os._exit(7)") == "ended with exit code 7"


@pytest.mark.slow
@pytest.mark.parametrize("package", ["PySide6-Essentials", "pygraphviz"])
def test_that_the_trials_pass_where_the_suite_runs(package: str) -> None:
    assert doctor.run_trial(doctor.TRIALS[package]) is None


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems need no display variable")
def test_that_no_display_variable_means_no_display() -> None:
    assert doctor.display_state({}).startswith("none: neither DISPLAY nor WAYLAND_DISPLAY is set")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems need no display variable")
def test_that_the_display_is_judged_by_a_trial_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "run_trial", lambda code, environment: f"cannot reach {environment['DISPLAY']}")
    assert doctor.display_state({"DISPLAY": ":7"}) == "DISPLAY=:7: cannot reach :7"
    monkeypatch.setattr(doctor, "run_trial", nothing_wrong)
    assert doctor.display_state({"DISPLAY": ":7"}) == "DISPLAY=:7: a window can open"


def test_that_a_trial_runs_no_python_file_of_the_folder_one_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "numpy.py").write_text("open('executed', 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    assert doctor.run_trial("import numpy; numpy.zeros(1)") is None
    assert not (tmp_path / "executed").exists()


def test_that_nobody_is_told_to_install_into_a_program_without_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(doctor, "installed_version", lambda name: None)
    lost = [one.problem for one in doctor.examine(nothing_wrong) if not one.required]
    assert "not in this folder: no clusters" in lost
    assert not any("pip" in str(problem) for problem in lost)
