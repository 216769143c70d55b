"""The workers port: every task is done once by whoever works, and a back-end of one module serves samples and cells."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count

import pytest
from support.small_bench import confounded, fill, small_plan, without_seconds
from support.toy_workers import ToyWorkers

from latconf_core.bench.lanes import begin_lane
from latconf_core.control import RunControl, StopRequested
from latconf_core.errors import DataError, LatconfError
from latconf_core.options.learning import PagOptions
from latconf_core.options.resampling import StabilityOptions
from latconf_core.stability.run_sample import SampleOutcome, SampleWork
from latconf_core.stability.sample_workers import begin_samples
from latconf_core.stability.stability_run import StabilityFinished, start_stability
from latconf_core.workers_port import OneWorker, Workers, until_stopped, work_through


def begin_squares(control: RunControl) -> Callable[[int], int | None]:
    def square(number: int, own: RunControl) -> int:
        own.checkpoint()
        return number**2

    return until_stopped(square, control)


@pytest.mark.parametrize("n_workers", [1, 3])
def test_that_every_task_is_done_once_and_the_workers_are_closed(n_workers: int) -> None:
    toy = ToyWorkers(n_workers, begin_squares)
    reached = list(work_through(toy, range(20), RunControl(), lost=LatconfError))
    assert sorted(reached) == [number**2 for number in range(20)]
    assert toy.is_closed
    alone = OneWorker(begin_squares, RunControl())
    assert list(work_through(alone, range(20), RunControl(), lost=LatconfError)) == [k**2 for k in range(20)]


def test_that_a_stop_ends_the_work_and_closes_the_workers() -> None:
    toy, asked = ToyWorkers(2, begin_squares), count()
    stopped = RunControl(lambda: next(asked) > 5)
    with pytest.raises(StopRequested):
        list(work_through(toy, count(), stopped, lost=LatconfError))
    assert toy.is_closed


def test_that_an_error_of_a_task_passes_through_and_closes_the_workers() -> None:
    def begin(control: RunControl) -> Callable[[int], int | None]:
        def fail(number: int) -> int | None:
            raise DataError("no rows")

        return fail

    toy: ToyWorkers[int, int] = ToyWorkers(2, begin)
    with pytest.raises(DataError, match="no rows"):
        list(work_through(toy, range(3), RunControl(), lost=LatconfError))
    assert toy.is_closed


def test_that_another_back_end_gives_the_same_samples() -> None:
    def make(work: SampleWork, control: RunControl) -> Workers[int, SampleOutcome]:
        return ToyWorkers(2, partial(begin_samples, work))

    options = StabilityOptions(samples=3, seed=1, search=None, learner=PagOptions(method="gfci"))
    data = confounded(60, 2)
    *_, own = start_stability(data, options)
    *_, other = start_stability(data, options, workers=make)
    assert isinstance(own, StabilityFinished)
    assert isinstance(other, StabilityFinished)
    assert other.stability.outcomes == own.stability.outcomes


def test_that_another_back_end_gives_the_same_cells() -> None:
    plan = small_plan("no-latents", learners=("fci",))
    own, _ = fill(plan)
    other, _ = fill(plan, lanes=ToyWorkers(2, partial(begin_lane, 1)))
    assert without_seconds(other.to_json()) == without_seconds(own.to_json())
