"""A learner to step through on a DAG, on rows drawn from it, or on data."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from support.small_runs import confounded

from latconf_core.control import Progress, RunControl, StopRequested
from latconf_core.errors import DataError, GraphError, OptionError
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import PagLearned
from latconf_core.pag.learners.catalogue import LEARNERS, run_learner
from latconf_core.pag.replay import Replay
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.starter_dags import STARTER_DAGS
from latconf_core.teaching.stepped_run import SteppedRun, learn_in_steps

DAG = STARTER_DAGS["Discriminating path"]


def learned(run: SteppedRun, **known: object) -> Replay:
    *progress, replay = learn_in_steps(run, RunControl(), **known)  # type: ignore[arg-type]
    assert all(isinstance(event, Progress) for event in progress)
    assert isinstance(replay, Replay)
    return replay


def test_that_on_the_dag_the_last_step_is_its_pag_without_hidden_variables() -> None:
    replay = learned(SteppedRun(DAG))
    assert replay.nodes == DAG.observed
    assert replay.graph(replay.last) == DAG.pag


@pytest.mark.parametrize("learner", list(LEARNERS))
def test_that_rows_are_drawn_by_the_seed_for_every_learner(learner: str) -> None:
    run = SteppedRun(DAG, "rows", learner, n_rows=500)
    first, again, other = learned(run), learned(run), learned(replace(run, seed=2))

    def essence(replay: Replay) -> tuple[object, ...]:
        return replay.events[:-1]  # the result has its seconds

    assert essence(first) == essence(again) != essence(other)
    assert first.nodes == DAG.observed
    assert isinstance(first.events[-1], PagLearned)


@pytest.mark.parametrize("learner", list(LEARNERS))
def test_that_on_data_the_last_step_is_what_the_learner_finds(learner: str) -> None:
    run = SteppedRun(DAG, "data", learner, alpha=0.01)
    data, known = confounded(), Knowledge(forbidden_indirect=(("C", "A"),))
    replay = learned(run, data=data, knowledge=known)
    expected = run_learner(data, PagOptions(method=learner, alpha=0.01), knowledge=known).graph
    assert replay.graph(replay.last) == expected


def test_that_what_cannot_be_learned_says_why() -> None:
    with pytest.raises(DataError, match="no data to learn from; open a file or an example"):
        learned(SteppedRun(DAG, "data"))
    with pytest.raises(GraphError, match="two variables that are not hidden"):
        learned(SteppedRun(DrawnDag(("A", "B"), (), frozenset({"A"}))))
    with pytest.raises(OptionError, match="GFCI needs a score of data"):
        learned(SteppedRun(DAG, "dag", "gfci"))


def test_that_a_run_can_be_stopped() -> None:
    with pytest.raises(StopRequested):
        list(learn_in_steps(SteppedRun(DAG, "rows"), RunControl(lambda: True)))


def test_that_a_run_comes_back_from_json_and_odd_ones_are_refused() -> None:
    run = SteppedRun(DAG, "rows", "mfci", 300, 7, 0.1)
    content = json.loads(json.dumps(run.to_json()))
    assert SteppedRun.from_json(content) == run
    with pytest.raises(ValueError, match="cannot be stepped through on 'moon'"):
        SteppedRun.from_json({**content, "origin": "moon"})
    with pytest.raises(OptionError, match="no learner 'pc'"):
        SteppedRun.from_json({**content, "learner": "pc"})


def test_that_another_dag_is_learned_from_instead_of_the_data() -> None:
    other = DrawnDag(("X", "Y"), (("X", "Y"),))
    assert SteppedRun(DAG, "data").with_dag(other).origin == "dag"
    assert SteppedRun(DAG, "rows").with_dag(other).origin == "rows"
    assert set(SteppedRun(DAG).with_dag(other).dag.positions) == {"X", "Y"}
