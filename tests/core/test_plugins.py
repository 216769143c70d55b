"""Plug-ins by entry points: a toy package is found everywhere, and broken ones break nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.toy_package import HOSTILE, SOUND, install

from latconf_core.pag.learners.fci import FCI
from latconf_core.pag.learners.gfci import GFCI
from latconf_core.pag.learners.learner import Learner
from latconf_core.plugins import Catalogue

ROOT = Path(__file__).resolve().parents[2]
TABLE = "A,B\n" + "x,x\ny,y\nx,y\n" * 30


def latconf(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own, with a folder of packages."""
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}
    code = "import sys; from latconf_core.cli.main import main; sys.exit(main(sys.argv[1:]))"
    return subprocess.run(
        [sys.executable, "-P", "-c", code, *words], capture_output=True, text=True, env=surroundings, cwd=folder
    )


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = install(tmp_path_factory.mktemp("site"), SOUND)
    (folder / "data.csv").write_text(TABLE)
    (folder / "data.semi").write_text(TABLE.replace(",", ";"))
    (folder / "fail.semi").write_text(TABLE.replace(",", ";"))
    return folder


def learners() -> Catalogue[Learner]:
    return Catalogue("latconf.learners", (FCI, GFCI), kind=Learner, check=lambda record: record.fault)


@pytest.mark.slow
def test_that_help_and_learning_know_a_learner_and_a_test_of_a_package(installed: Path) -> None:
    help_text = " ".join(latconf(installed, "pag", "--help").stdout.split())
    assert "toy: The skeleton alone" in help_text
    assert "agreement: How often two columns agree" in help_text
    done = latconf(installed, "pag", "data.csv", "--method", "toy", "--statistic", "agreement", "--json")
    (pag,) = json.loads(done.stdout)["pags"]  # what the plug-in prints while it loads is not there
    assert (pag["method"], pag["edges"]) == ("toy", [["A", "o-o", "B"]])
    assert "a plug-in that prints" in done.stderr


@pytest.mark.slow
def test_that_a_search_of_a_package_searches(installed: Path) -> None:
    done = latconf(installed, "run", "data.csv", "--search", "toy-search", "--json")
    told = json.loads(done.stdout)
    assert (told["search"], told["edges"] != []) == ("toy-search", True)


@pytest.mark.slow
def test_that_a_table_format_of_a_package_is_read_and_its_mistakes_are_said_of_its_files(installed: Path) -> None:
    done = latconf(installed, "pag", "data.semi", "--json")
    assert json.loads(done.stdout)["pags"][0]["nodes"] == ["A", "B"]
    failed = latconf(installed, "pag", "fail.semi")
    assert failed.returncode == 2
    assert (
        "fail.semi: Semicolons cannot read this file (IndexError('no such cell')); convert it to CSV" in failed.stderr
    )


def test_that_hostile_plugins_are_named_and_nothing_else_fails(tmp_path: Path) -> None:
    folder = install(tmp_path, {"latconf.learners": {**HOSTILE, "toy": "toy_plugins.sound:LEARNER"}})
    (folder / "data.csv").write_text(TABLE)
    done = latconf(folder, "pag", "data.csv", "--method", "toy", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["pags"][0]["method"] == "toy"
    told = [line for line in done.stderr.splitlines() if "plug-in '" in line]
    assert len(told) == len(HOSTILE)
    assert all(any(f"{name!r} of toy-plugins (latconf.learners)" in line for line in told) for name in HOSTILE)
    assert all(line.startswith("latconf: ") and line.endswith("update toy-plugins or uninstall it") for line in told)


def test_that_each_fault_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(install(tmp_path, {"latconf.learners": HOSTILE}))
    catalogue = learners()
    assert list(catalogue) == ["fci", "gfci"]
    reasons = {problem.entry: problem.reason for problem in catalogue.problems}
    assert reasons == {
        "absent": "ModuleNotFoundError: No module named 'toy_plugins.absent'",
        "exits": "SystemExit: 3",
        "interrupts": "KeyboardInterrupt",
        "generator": "Odd: of its own kind",
        "nonsense": "it gives a int, where a Learner is needed",
        "kind": "it gives a type, where a Learner is needed",
        "taken": "there is already one called gfci",
        "shouting": "its name 'LOUD' has other characters than small letters, digits and + . _ -",
        "options": "it names the option 'colour', which learners do not have",
        "silent": "its learn cannot be called",
    }


def test_that_nothing_is_imported_before_somebody_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(install(tmp_path, {"latconf.learners": HOSTILE}))
    monkeypatch.delitem(sys.modules, "toy_plugins.nonsense", raising=False)
    catalogue = learners()
    assert "toy_plugins.nonsense" not in sys.modules
    assert catalogue["fci"] is FCI
    assert "toy_plugins.nonsense" in sys.modules


def test_that_without_plugins_the_command_line_asks_no_package_for_its_entry_points() -> None:
    code = (
        "import sys; from latconf_core.plugins import entries_of; entries_of('latconf.learners'); "
        "print('importlib.metadata' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-S", "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(ROOT)}
    )
    assert done.stdout.strip() == "False", done.stderr


def test_that_a_second_thread_waits_until_all_are_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(install(tmp_path, {"latconf.learners": {"toy": "toy_plugins.sound:LEARNER"}}))
    catalogue = learners()
    seen: list[list[str]] = []
    threads = [threading.Thread(target=lambda: seen.append(list(catalogue))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [["fci", "gfci", "toy"]] * 4
