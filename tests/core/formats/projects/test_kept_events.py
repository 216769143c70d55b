"""What a learner told stays with its PAG in the project."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.small_runs import confounded

from latconf_core.control import Progress
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.prepare import prepare
from latconf_core.data.preparing.prepare_table import table_of_dataset
from latconf_core.formats.projects.kept_items import DataMark, KeptPag
from latconf_core.formats.projects.project_file import Project, read_project, write_project
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import PagLearned
from latconf_core.pag.learners.catalogue import LEARNERS, learn_pag
from latconf_core.pag.replay import Replay
from latconf_core.wording.mark_reasons import explain_mark


@pytest.mark.parametrize("method", list(LEARNERS))
def test_that_a_reopened_pag_says_why_as_before(method: str, tmp_path: Path) -> None:
    data, known = confounded(), Knowledge(forbidden_indirect=(("C", "A"),))
    told = learn_pag(data, PagOptions(method=method), knowledge=known)
    events = tuple(event for event in told if not isinstance(event, Progress))
    assert isinstance(events[-1], PagLearned)
    graph = events[-1].result.graph
    raw, preparation = table_of_dataset(data), Preparation(missing_marks=())
    project = Project(
        name="p",
        raw=raw,
        preparation=preparation,
        prepared=prepare(raw, preparation),
        pags=(KeptPag(method, graph, method, DataMark.of(data), events, knowledge=known),),
        current_pag=method,
    )
    write_project(project, tmp_path / "a.latconf")
    read = read_project(tmp_path / "a.latconf")
    assert read.notes == ()
    assert read.pags[0].events == events
    assert read.pags[0].learned == events[-1].result
    assert read.pags[0].knowledge == known
    before, after = Replay(events), Replay(read.pags[0].events)
    assert [before.graph(k) for k in range(len(before))] == [after.graph(k) for k in range(len(after))]
    for node, other in (("A", "B"), ("B", "A"), ("C", "A"), ("A", "C")):
        assert explain_mark(before, graph, node, other) == explain_mark(after, graph, node, other)
