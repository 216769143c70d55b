"""A bench run to its end, stopped and resumed, in one thread and in processes: always the same table."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import numpy as np
import pytest
from support.small_bench import TRUTH, fill, small_plan, without_seconds

from latconf_core.bench import run_cell as run_cell_module
from latconf_core.bench import shared_work
from latconf_core.bench.bench_columns import row_json
from latconf_core.bench.bench_run import BenchEvent, CellFinished, CellStarted
from latconf_core.bench.lanes import ThisThread
from latconf_core.bench.processes import Processes, make_lanes
from latconf_core.bench.shared_work import split_rows
from latconf_core.control import RunControl, StopReason
from latconf_core.errors import GraphError
from latconf_core.families.objectives import JUDGING
from latconf_core.inference.held_out import measure
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.score.scorer import Scorer
from latconf_core.search.references import References
from latconf_core.search.runner import run_search

FEW = ("hclc-v", "no-latents")


def test_that_a_cell_has_the_result_of_the_search_on_the_learned_pag() -> None:
    plan = small_plan(*FEW, learners=("fci",))
    table, reason = fill(plan)
    assert reason is StopReason.FINISHED
    assert table.is_whole
    for row in table.rows():
        if row.cell.is_truth:
            continue
        parts = split_rows(plan.find(row.cell.data).dataset, plan.options.split)
        assert parts is not None
        data = parts[0]  # the training rows alone
        pag = run_learner(data, plan.options.pag_options("fci")).graph
        alone = run_search(data, pag, row.cell.search, options=plan.options.options)
        assert alone.best is not None
        published = Scorer(data, plan.options.options.vbem).score(alone.best)  # one objective for all methods
        assert row.result.p_elbo == pytest.approx(published.p_elbo, abs=1e-9)
        assert row.result.dag == alone.best
        assert row.result.n_visited == len(alone.history)
        assert row.result.stop_reason == alone.stop_reason.value


def test_that_the_gap_is_to_the_true_dag_by_the_same_scorer() -> None:
    plan = small_plan("no-latents")
    for row in fill(plan)[0].rows():
        parts = split_rows(plan.find(row.cell.data).dataset, plan.options.split)
        assert parts is not None
        truth = Scorer(parts[0], plan.options.options.vbem).score(TRUTH)
        assert row.true_p_elbo == truth.p_elbo
        assert row.gap == row.result.p_elbo - truth.p_elbo  # type: ignore[operator]
        assert row_json(row)["missed"] == (0 if row.cell.is_truth else 1)
        assert row_json(row)["exact"] == (1 if row.cell.is_truth else 0)


def test_that_the_held_out_model_is_fitted_on_the_training_rows() -> None:
    plan = small_plan("no-latents", n_rows=100)
    for row in fill(plan)[0].rows():
        parts = split_rows(plan.find(row.cell.data).dataset, plan.options.split)
        assert parts is not None
        train, test = parts
        assert (train.n_rows, test.n_rows) == (80, 20)
        whole = plan.find(row.cell.data).dataset.codes.tolist()
        assert sorted([*train.codes.tolist(), *test.codes.tolist()]) == sorted(whole)
        assert row.result.dag is not None
        network = Scorer(train, JUDGING.apply(plan.options.options.vbem)).posterior(row.result.dag).network()
        assert row.result.held_out == pytest.approx(measure(network, test).per_row, abs=1e-12)


def test_that_pags_and_the_best_dag_without_latents_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    learned: list[tuple[str, str]] = []
    searched: list[str] = []
    reach, learn_rows = References.reach, shared_work.learned_from_rows

    def learn(source, options, **rest):  # type: ignore[no-untyped-def]
        learned.append((source.digest, options.method))
        return learn_rows(source, options, **rest)

    def find(self, scorer, options, **rest):  # type: ignore[no-untyped-def]
        if not self.knows(scorer.dataset, options):
            searched.append(scorer.dataset.digest)
        yield from reach(self, scorer, options, **rest)

    monkeypatch.setattr(shared_work, "learned_from_rows", learn)
    monkeypatch.setattr(References, "reach", find)
    fill(small_plan("hclc-v", "ilc-v", "no-latents", "refine"))
    assert len(learned) == len(set(learned)) == 4  # two data sets, two learners
    assert len(searched) == len(set(searched)) == 2


def test_that_interrupting_at_twenty_random_moments_and_resuming_gives_the_same_table(tmp_path: Path) -> None:
    plan = small_plan(*FEW)
    counted = Countdown(10**9)
    whole, _ = fill(plan, control=RunControl(counted))
    n_checkpoints = 10**9 - counted.left
    rng = np.random.default_rng(5)
    n_stopped = 0
    for _ in range(20):
        stop = Countdown(int(rng.integers(1, n_checkpoints // 4)))
        _, reason = fill(plan, folder=tmp_path, control=RunControl(stop))
        n_stopped += reason is StopReason.CANCELLED
    assert n_stopped >= 10
    resumed, reason = fill(plan, folder=tmp_path)
    assert reason is StopReason.FINISHED
    assert without_seconds(resumed.to_json()) == without_seconds(whole.to_json())


class Countdown:
    """Asks for a stop after so many looks."""

    def __init__(self, left: int) -> None:
        self.left = left

    def __call__(self) -> bool:
        self.left -= 1
        return self.left <= 0


def test_that_a_finished_cell_is_never_run_again(tmp_path: Path) -> None:
    plan = small_plan(*FEW)
    fill(plan, folder=tmp_path)
    events: list[BenchEvent] = []
    fill(plan, folder=tmp_path, events=events)
    assert not [event for event in events if isinstance(event, CellStarted)]
    finished = [event for event in events if isinstance(event, CellFinished)]
    assert len(finished) == len(plan.cells)
    assert all(event.is_kept for event in finished)


def test_that_stopping_keeps_what_is_done(tmp_path: Path) -> None:
    plan = small_plan(*FEW)
    done: list[BenchEvent] = []
    control = RunControl(lambda: sum(isinstance(event, CellFinished) for event in done) >= 3)
    table, reason = fill(plan, folder=tmp_path, control=control, events=done)
    assert reason is StopReason.CANCELLED
    assert not table.is_whole
    assert "not finished" in table.notes[-1]
    assert len(list((tmp_path / "cells").iterdir())) == 3


def test_that_a_cell_that_cannot_be_run_says_why_and_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = run_cell_module.start_search

    def refuse(dataset, pag, search, **rest):  # type: ignore[no-untyped-def]
        if search == "hclc-v":
            raise GraphError("this graph is too large; remove edges")
        return start(dataset, pag, search, **rest)

    monkeypatch.setattr(run_cell_module, "start_search", refuse)
    plan = small_plan(*FEW)
    table, reason = fill(plan, folder=tmp_path)
    assert reason is StopReason.FINISHED
    failed = [row for row in table.rows() if row.result.has_failed]
    assert {row.cell.search for row in failed} == {"hclc-v"}
    assert len(failed) == 4
    assert any("too large" in note for note in table.notes)
    monkeypatch.undo()
    again, _ = fill(plan, folder=tmp_path)  # what failed is tried again
    assert not any(row.result.has_failed for row in again.rows())


def test_that_a_time_limit_is_that_of_a_cell_and_said() -> None:
    plan = small_plan("no-latents")
    clock = count(0, 5000)  # each look at the clock is more than an hour after the one before
    table, reason = fill(plan, control=RunControl(clock=lambda: float(next(clock))))
    assert reason is StopReason.FINISHED
    searched = [row for row in table.rows() if not row.cell.is_truth]
    assert {row.result.stop_reason for row in searched} == {StopReason.TIME_LIMIT.value}
    assert all("time limit" in row.result.notes[0] for row in table.rows() if not row.cell.is_truth)


def test_that_few_rows_leave_the_held_out_column_empty() -> None:
    table, _ = fill(small_plan("no-latents", n_rows=9))
    assert {row.result.held_out for row in table.rows()} == {None}
    assert all("too few rows" in " ".join(row.result.notes) for row in table.rows())


@pytest.mark.parametrize(
    ("workers", "n_data", "lanes", "kind"), [(1, 5, 1, ThisThread), (4, 1, 1, ThisThread), (4, 2, 2, Processes)]
)
def test_that_data_sets_go_to_processes_and_other_cores_into_a_cell(
    workers: int, n_data: int, lanes: int, kind: type
) -> None:
    made = make_lanes(workers, n_data, RunControl())
    assert isinstance(made, kind)
    assert made.n_workers == lanes
    made.close()


@pytest.mark.slow
def test_that_processes_give_the_table_of_one_thread(tmp_path: Path) -> None:
    plan = small_plan(*FEW)
    alone, _ = fill(plan)
    side_by_side, reason = fill(plan, lanes=Processes(2))
    assert reason is StopReason.FINISHED
    assert without_seconds(side_by_side.to_json()) == without_seconds(alone.to_json())
