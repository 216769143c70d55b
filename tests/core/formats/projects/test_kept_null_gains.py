"""What chance gains in a project: kept with its run, whatever that is called, and read back with its grades."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.small_runs import confounded, kept_pag, kept_run, small_run

from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare import prepare
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.errors import OptionError
from latconf_core.formats.projects.project_file import Project, read_project, write_project
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.formats.projects.state_changes import delete_run, keep_null_gains, rename_run


def test_that_gains_go_to_the_run_that_was_searched_also_under_another_name() -> None:
    run = kept_run()
    state = rename_run(ProjectState(runs=(run,), current_run=run.name), run.name, "mine")
    (kept,) = keep_null_gains(state, run.result, (0.0, 2.0)).runs
    assert (kept.name, kept.result.null_gains) == ("mine", (0.0, 2.0))
    (again,) = keep_null_gains(replace(state, runs=(kept,)), run.result, (1.0,)).runs
    assert again.result.null_gains == (1.0,)
    with pytest.raises(OptionError, match="deleted"):
        keep_null_gains(delete_run(state, "mine"), run.result, (0.0,))


def test_that_gains_and_grades_survive_a_project(tmp_path: Path) -> None:
    result = small_run()
    strong = replace(result, evidence=tuple(replace(one, density=9.0, over_local=9.0) for one in result.evidence))
    doubted = strong.with_null_gains((9.5, 0.0))
    raw, preparation = table_of_dataset(confounded()), Preparation(missing_marks=())
    project = Project(
        "x",
        raw=raw,
        preparation=preparation,
        prepared=prepare(raw, preparation),
        pags=(kept_pag(),),
        current_pag="drawn",
        runs=(kept_run(doubted), kept_run(name="not compared")),
        current_run="HCLC-V on drawn",
    )
    write_project(project, tmp_path / "own.latconf")
    compared, other = read_project(tmp_path / "own.latconf").runs
    assert compared.result.null_gains == (9.5, 0.0)
    assert compared.result.evidence == doubted.evidence
    assert compared.result.evidence[0].support == "weak"
    assert other.result.null_gains is None
