"""A search on real scores that is stopped at any moment and any depth ends soon, and keeps what it had."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from itertools import combinations, count, pairwise

import numpy as np
import pytest
from support.builders import mixed

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.data.sampling import sample
from latconf_core.formats.examples import load_example
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.learning import pag_preset
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.handling import handle_pag
from latconf_core.pag.learners.catalogue import run_learner
from latconf_core.search.outcome.events import SearchFinished
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import start_search

N_STOPS = 50
N_CHECKPOINTS = 100  # at which long work is stopped; it must have come so far
MAX_ASKED_AFTER_STOP = 20  # by other threads, and where what was found is handed over


@cache
def alarm() -> tuple[Dataset, MixedGraph]:
    """Rows of the Alarm network with a hidden variable, and the PAG learned from them."""
    dataset = sample(load_example("alarm"), 500, rng=np.random.default_rng(1), hide=["INTUBATION"]).dataset
    return dataset, run_learner(dataset, pag_preset("default", "gfci")).graph


def result_of(search: str, workers: int, control: RunControl | None = None) -> SearchResult:
    """The result of a search, checked to be told once and last."""
    options = SearchOptions(max_bidirected=2, workers=workers)
    events = list(start_search(*alarm(), search, options=options, control=control, with_evidence=False))
    assert [event for event in events if isinstance(event, SearchFinished)] == events[-1:]
    assert isinstance(events[-1], SearchFinished)
    return events[-1].result


def assert_kept(result: SearchResult, whole: SearchResult) -> None:
    """What a stopped run must have of the whole one."""
    visits = list(result.history)
    assert visits == list(whole.history)[: len(visits)]  # the same DAGs, their scores the same to the last bit
    if len(visits) < len(whole.history):
        assert result.stop_reason is StopReason.CANCELLED
    if visits:
        best = max(visits, key=lambda visit: visit.p_elbo)
        assert result.p_elbo == best.p_elbo
        assert result.best == result.history.dag(best.index)
        assert result.posterior is not None
        assert result.posterior.p_elbo == pytest.approx(best.p_elbo, abs=1e-6)  # sums in another order
    else:
        assert result.best is None
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("latconf-score")]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("search", ["ilc-v", "hclc-v"])
def test_that_a_stop_from_another_thread_at_any_time_keeps_the_best_of_a_prefix(search: str, workers: int) -> None:
    whole = result_of(search, 1)
    rng = np.random.default_rng(workers)
    lengths = []
    for _ in range(N_STOPS // 2):
        stop = threading.Event()
        timer = threading.Timer(rng.uniform(0, whole.seconds), stop.set)
        timer.start()
        result = result_of(search, workers, RunControl(stop.is_set))
        timer.join()
        assert_kept(result, whole)
        lengths.append(len(result.history))
    assert min(lengths) < max(lengths)  # they were stopped at different moments indeed


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("search", ["ilc-v", "hclc-v"])
def test_that_a_stop_at_any_checkpoint_keeps_the_best_of_a_prefix(search: str, workers: int) -> None:
    times_asked = count()
    whole = result_of(search, workers, RunControl(lambda: next(times_asked) < 0))
    n_checkpoints = next(times_asked)
    rng = np.random.default_rng(workers)
    for last in rng.integers(n_checkpoints, size=N_STOPS // 2):
        is_over = map(last.__le__, count())
        assert_kept(result_of(search, workers, RunControl(is_over.__next__)), whole)


def chained(n_rows: int, n_variables: int, n_states: int) -> Dataset:
    """Variables that each follow one of two hidden causes, which they share with their neighbours."""
    rng = np.random.default_rng(0)
    hidden = rng.integers(n_states, size=(n_rows, n_variables + 1), dtype=np.uint8)
    noise = rng.integers(n_states, size=(n_rows, n_variables), dtype=np.uint8)
    codes = np.choose(rng.integers(3, size=noise.shape), [hidden[:, :-1], hidden[:, 1:], noise])
    return Dataset([f"V{k:02}" for k in range(n_variables)], [list(map(str, range(n_states)))] * n_variables, codes)


def fit_of_many_states() -> tuple[Dataset, MixedGraph]:
    return chained(10_000, 4, 8), mixed(*(f"V0{a} <-> V0{b}" for a, b in combinations(range(4), 2)))


def fit_of_latents_in_a_chain() -> tuple[Dataset, MixedGraph]:
    return chained(20_000, 4, 4), mixed(*(f"V0{a} <-> V0{b}" for a, b in pairwise(range(4))))


def grouping_of_many_rows() -> tuple[Dataset, MixedGraph]:
    data = chained(1_000_000, 12, 3)
    return data, mixed(*(f"{a} o-> {b}" for a, b in zip(data.names[::2], data.names[1::2])))


def listing_of_many_mags() -> tuple[Dataset, MixedGraph]:
    data = chained(500, 24, 2)
    groups = [data.names[first : first + 8] for first in (0, 8, 16)]
    return data, mixed(*(f"{a} o-o {b}" for group in groups for a, b in combinations(group, 2)))


def cover_of_many_edges() -> tuple[Dataset, MixedGraph]:
    data = chained(500, 20, 2)
    rng = np.random.default_rng(3)
    pairs = [pair for pair in combinations(data.names, 2) if rng.random() < 0.5]
    return data, mixed(*(f"{a} <-> {b}" for a, b in pairs), nodes=data.names)


def check_of_an_invalid_graph() -> tuple[Dataset, MixedGraph]:
    data = chained(500, 27, 2)
    names = data.names
    cliques = [names[k : k + 3] for k in range(0, 24, 3)]
    edges = [f"{a} o-o {b}" for clique in cliques for a, b in combinations(clique, 2)]
    return data, mixed(
        *edges, f"{names[24]} <-> {names[25]}", f"{names[24]} --> {names[26]}", f"{names[26]} --> {names[25]}"
    )


def large_invalid_graph() -> MixedGraph:
    rng = np.random.default_rng(1)
    names = [f"V{k:02}" for k in range(100)]
    pairs = [pair for pair in combinations(names, 2) if rng.random() < 0.1]
    return mixed(*(f"{a} {rng.choice(['o->', '-->', '<->', 'o-o'])} {b}" for a, b in pairs), nodes=names)


class StopAfter:
    """Asks for a stop from the checkpoint of this number on; `n_asked` counts all checkpoints."""

    def __init__(self, n_checkpoints: int) -> None:
        self._n_checkpoints = n_checkpoints
        self._asked = count(1)
        self.n_asked = 0

    def __call__(self) -> bool:
        self.n_asked = next(self._asked)
        return self.n_asked >= self._n_checkpoints


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    "case",
    [
        fit_of_many_states,
        fit_of_latents_in_a_chain,
        grouping_of_many_rows,
        listing_of_many_mags,
        cover_of_many_edges,
        check_of_an_invalid_graph,
    ],
)
def test_that_long_work_asks_again_and_again_whether_to_stop_and_then_stops(
    case: Callable[[], tuple[Dataset, MixedGraph]], workers: int
) -> None:
    """How soon is measured by tests/benchmarks/stopping.py."""
    dataset, pag = case()
    stop = StopAfter(N_CHECKPOINTS)
    events = list(start_search(dataset, pag, options=SearchOptions(workers=workers), control=RunControl(stop)))
    assert isinstance(events[-1], SearchFinished)
    assert events[-1].result.stop_reason is StopReason.CANCELLED
    assert N_CHECKPOINTS <= stop.n_asked <= N_CHECKPOINTS + MAX_ASKED_AFTER_STOP


def test_that_a_repair_asks_again_and_again_whether_to_stop_and_then_stops() -> None:
    stop = StopAfter(N_CHECKPOINTS)
    with pytest.raises(StopRequested):
        handle_pag(large_invalid_graph(), "repair", control=RunControl(stop))
    assert stop.n_asked == N_CHECKPOINTS


@pytest.mark.parametrize("workers", [1, 2])
def test_that_a_paused_search_can_be_stopped(workers: int) -> None:
    times_paused, is_cancelled = count(1), threading.Event()

    def is_paused() -> bool:
        """Go on a hundred times, then pause, and after a while of waiting ask for the stop."""
        asked = next(times_paused)
        if asked > 150:
            is_cancelled.set()
        return asked > 100

    control = RunControl(is_cancelled.is_set, is_paused)
    events = list(start_search(*fit_of_latents_in_a_chain(), options=SearchOptions(workers=workers), control=control))
    assert isinstance(events[-1], SearchFinished)
    assert events[-1].result.stop_reason is StopReason.CANCELLED
