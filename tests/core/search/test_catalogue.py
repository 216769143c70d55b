"""The catalogue of searches: a search that is added to it is found everywhere."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from support.builders import mixed, random_dataset
from support.toy_search import TOY

from latconf_core.cli.main import main
from latconf_core.data.reading.write import write_dataset
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import CilOptions, GlslOptions, SearchOptions
from latconf_core.search.catalogue import SEARCHES, SearchMethod
from latconf_core.search.estimate.preflight import preflight
from latconf_core.search.runner import run_search

DATA = random_dataset(np.random.default_rng(2), 100, [2, 2, 2])


@pytest.fixture
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SEARCHES, TOY.name, TOY)


@pytest.mark.parametrize("method", SEARCHES.values(), ids=lambda method: method.name)
def test_that_every_record_names_what_exists(method: SearchMethod) -> None:
    known = {"start", *(field.name for options in (SearchOptions, VbemOptions) for field in fields(options))}
    known |= {f"cil.{field.name}" for field in fields(CilOptions)}
    known |= {f"glsl.{field.name}" for field in fields(GlslOptions)}
    assert callable(method.load_search())
    assert callable(method.load_estimate())
    assert known.issuperset(method.options)


@pytest.mark.usefixtures("_toy")
def test_that_an_added_search_is_in_the_help_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["run", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert f"{{{','.join(SEARCHES)}}}" in told
    assert "toy: Scores the DAG without edges." in told


@pytest.mark.usefixtures("_toy")
def test_that_an_added_search_runs_from_python_and_is_looked_at_before() -> None:
    pag = mixed("A o-> B", nodes=list("ABC"))
    assert len(run_search(DATA, pag, "toy").history) == 1
    assert list(preflight(DATA, pag, options=SearchOptions(vbem=VbemOptions(restarts=1))).seconds) == list(SEARCHES)


@pytest.mark.usefixtures("_toy")
def test_that_a_search_that_needs_no_pag_runs_without_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_dataset(DATA, tmp_path / "data.csv")
    assert main(["run", str(tmp_path / "data.csv"), "--search", "toy", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["n_scored"] == 1


def test_that_a_search_that_needs_a_pag_says_how_to_give_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_dataset(DATA, tmp_path / "data.csv")
    assert main(["run", str(tmp_path / "data.csv"), "--search", "ilc-v"]) == 2
    assert "ilc-v needs a PAG; give one with --pag FILE, or learn one with --learn METHOD" in capsys.readouterr().err
