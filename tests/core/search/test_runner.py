"""However a search ends, the best is kept, one SearchFinished comes last, and no thread is left."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest
from support.builders import mixed
from support.search_runs import made_up_run

from latconf_core.control import RunControl, StopReason
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.options.searching import SearchOptions
from latconf_core.search.algorithms.ilc import ilc_v
from latconf_core.search.outcome.events import CandidateScored, SearchEvent, SearchFinished, StatesTried
from latconf_core.search.outcome.history import History
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import run_to_end

ZIGZAG = mixed("A o-> B", "C o-> B", "C o-> D", "E o-> D", "E o-> F", "G o-> F")


def varied(dag: LatentDag) -> float:
    """A score that differs from DAG to DAG and rises with latents."""
    return len(dag.latents) + hash(dag.key) % 1000 / 1000


def search(control: RunControl | None = None, *, workers: int = 1, seconds: float = 0.0) -> Iterator[SearchEvent]:
    def score_of(dag: LatentDag) -> float:
        time.sleep(seconds)
        return varied(dag)

    run = made_up_run(ZIGZAG, score_of, options=SearchOptions(workers=workers), control=control)
    return run_to_end(ilc_v(run), run)


def the_result(events: list[SearchEvent]) -> SearchResult:
    """The result of a finished run, checked to stand alone at the end."""
    assert sum(isinstance(event, SearchFinished) for event in events) == 1
    assert isinstance(events[-1], SearchFinished)
    return events[-1].result


def scoring_threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("latconf-score")]


def test_that_a_whole_run_tells_each_visit_once_and_keeps_the_best() -> None:
    events = list(search())
    result = the_result(events)
    visits = [event for event in events if isinstance(event, (CandidateScored, StatesTried))]
    assert [event.index for event in visits] == list(range(len(result.history)))
    assert [event.dag for event in visits] == [result.history.dag(i) for i in range(len(result.history))]
    assert result.p_elbo == max(event.p_elbo for event in visits)
    assert result.best == max(visits, key=lambda event: event.p_elbo).dag


@pytest.mark.parametrize("workers", [2, 3])
def test_that_the_number_of_workers_changes_nothing(workers: int) -> None:
    assert list(search(workers=workers))[:-1] == list(search())[:-1]
    assert the_result(list(search(workers=workers))).history == the_result(list(search())).history
    assert not scoring_threads()


def test_that_cancelling_at_any_moment_keeps_the_best_of_a_prefix_of_the_history() -> None:
    whole = the_result(list(search())).history
    rng = np.random.default_rng(1)
    n_candidates = sum(visit.kind == "candidate" for visit in whole)
    for trial in range(50):
        stop = threading.Event()
        last = int(rng.integers(n_candidates - 1))
        run_events = []
        for event in search(RunControl(stop.is_set), workers=1 + trial % 2):
            run_events.append(event)
            if isinstance(event, CandidateScored) and event.index == last:
                stop.set()
        result = the_result(run_events)
        assert (result.stop_reason is StopReason.CANCELLED) == (len(result.history) < len(whole))
        assert list(result.history) == list(whole)[: len(result.history)]
        assert result.p_elbo == max(visit.p_elbo for visit in result.history)
        assert not scoring_threads()


def test_that_a_run_cancelled_before_its_first_score_has_no_best() -> None:
    result = the_result(list(search(RunControl(lambda: True))))
    assert result.best is None
    assert result.p_elbo is None
    assert result.stop_reason is StopReason.CANCELLED
    assert len(result.history) == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_that_the_time_limit_ends_the_run_with_a_sentence(workers: int) -> None:
    seconds = [0.0]

    def score_of(dag: LatentDag) -> float:
        seconds[0] += 0.01
        return varied(dag)

    control = RunControl(clock=lambda: seconds[0])
    run = made_up_run(ZIGZAG, score_of, options=SearchOptions(time_limit=0.1, workers=workers), control=control)
    result = the_result(list(run_to_end(ilc_v(run), run)))
    assert result.stop_reason is StopReason.TIME_LIMIT
    assert result.cuts == ("the search stopped at the time limit of 0.1 s",)
    assert result.best is not None


def test_that_a_paused_run_waits_and_then_goes_on() -> None:
    is_paused, waited = threading.Event(), []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 10:
            is_paused.clear()

    events = search(RunControl(is_paused=is_paused.is_set, sleep=wait), workers=2)
    found = [next(events) for _ in range(3)]
    is_paused.set()
    found += list(events)
    assert len(waited) >= 10
    assert the_result(found).history == the_result(list(search())).history


@pytest.mark.parametrize("workers", [1, 2])
def test_that_real_errors_pass_through(workers: int) -> None:
    def score_of(dag: LatentDag) -> float:
        raise ZeroDivisionError

    run = made_up_run(ZIGZAG, score_of, options=SearchOptions(workers=workers))
    with pytest.raises(ZeroDivisionError):
        list(run_to_end(ilc_v(run), run))
    assert not scoring_threads()


def test_that_a_run_that_is_no_longer_followed_leaves_no_thread() -> None:
    events = search(workers=2, seconds=0.001)
    for _ in range(5):
        next(events)
    assert scoring_threads()
    events.close()  # type: ignore[attr-defined]  # a generator
    assert not scoring_threads()


def test_that_a_dag_that_cannot_be_scored_is_left_out_with_a_sentence() -> None:
    from latconf_core.errors import GraphError

    def score_of(dag: LatentDag) -> float:
        if len(dag.latents) == 1 and dag.latents[0].children == ("A", "B"):
            raise GraphError("its table is too large")
        return varied(dag)

    run = made_up_run(ZIGZAG, score_of, options=SearchOptions(max_bidirected=1, max_states=2))
    result = the_result(list(run_to_end(ilc_v(run), run)))
    assert result.cuts == ("a DAG could not be scored and was left out: its table is too large",)
    assert result.history.per_level() == {0: 1, 1: 5}


def test_that_events_survive_pickling() -> None:
    import pickle

    for event in search():
        if not isinstance(event, SearchFinished):
            assert pickle.loads(pickle.dumps(event)) == event


def test_that_a_history_equals_only_the_same_history() -> None:
    history = the_result(list(search())).history
    assert History(history.nodes, list(history)) == history
    assert History(history.nodes, list(history)[:-1]) != history


def test_that_a_rival_without_latents_is_scored_although_none_was_visited() -> None:
    def score_of(dag: LatentDag) -> float:
        return 10.0 * len(dag.latents) + 3.0 * (("B", "C") in dag.edges) + (("A", "B") in dag.edges)

    run = made_up_run(mixed("A <-> B", "B <-> C"), score_of, options=SearchOptions(max_states=2))
    result = the_result(list(run_to_end(ilc_v(run), run)))
    assert (result.best_with_latents, result.best_without_latents) == (20.0, None)
    assert result.rival == 4.0  # A --> B instead of one latent, B --> C of the other
    assert result.gain == 16.0
    assert len(result.history) == 1


def test_that_a_stopped_run_knows_the_rival_too() -> None:
    stop = threading.Event()

    def score_of(dag: LatentDag) -> float:
        stop.set()
        return float(len(dag.latents))

    run = made_up_run(mixed("A <-> B", "B <-> C"), score_of, control=RunControl(stop.is_set))
    result = the_result(list(run_to_end(ilc_v(run), run)))
    assert result.stop_reason is StopReason.CANCELLED
    assert result.gain == 2.0
