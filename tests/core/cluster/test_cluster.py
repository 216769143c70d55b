"""Searches, benches and samples on a scheduler with two workers: the results of this computer, whatever is killed."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("distributed", reason="clusters need the extra latconf[cluster]")

from support.builders import mixed, random_dataset
from support.small_bench import fill, small_plan, without_seconds
from support.small_cluster import SmallCluster

from latconf_core.bench.cluster_lanes import ClusterLanes
from latconf_core.cluster import batched_scoring, client, versions, workers
from latconf_core.cluster.batched_scoring import BatchedScoring, scoring_of
from latconf_core.cluster.connection import Cluster, connect
from latconf_core.cluster.on_worker import fit_batch, hold
from latconf_core.cluster.scheduler import ClusterError, Scheduler
from latconf_core.cluster.workers import try_scheduler
from latconf_core.control import StopReason
from latconf_core.families.discrete import DiscreteFamilies
from latconf_core.model.bit_dag import Hidden
from latconf_core.model.component import Component
from latconf_core.options.learning import PagOptions
from latconf_core.options.resampling import StabilityOptions
from latconf_core.options.scoring import Effort, VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.search.outcome.events import CandidateScored, SearchFinished
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.runner import start_search
from latconf_core.stability.cluster_samples import open_workers
from latconf_core.stability.stability_result import Stability
from latconf_core.stability.stability_run import StabilityFinished, start_stability

DATA = random_dataset(np.random.default_rng(5), 600, [2] * 5)
PAG = mixed(*(f"{a} o-o {b}" for a, b in combinations("ABCDE", 2)))
OPTIONS = SearchOptions(vbem=VbemOptions(restarts=8), seed=7, max_bidirected=1, levels_without_gain=2)
MOST_SECONDS = 60.0


@pytest.fixture(autouse=True)
def workers_may_take_long_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "WAIT_SECONDS", MOST_SECONDS)
    monkeypatch.setattr(client, "CONNECT_SECONDS", 20)


@pytest.fixture(scope="module")
def small_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallCluster]:
    with SmallCluster(tmp_path_factory.mktemp("cluster")) as made:
        yield made


@pytest.fixture
def own_cluster(tmp_path: Path) -> Iterator[SmallCluster]:
    """One to kill."""
    with SmallCluster(tmp_path) as made:
        yield made


@pytest.fixture
def all_are_sent(monkeypatch: pytest.MonkeyPatch) -> list[BatchedScoring]:
    """This computer takes no share while there is a cluster; gives the ports that were made."""
    made: list[BatchedScoring] = []
    begin, begin_to_help = BatchedScoring.__init__, BatchedScoring._help

    def help_alone(self: BatchedScoring) -> None:
        with self._changed:
            while not self._is_giving_up and self._cluster.lost is None:
                self._changed.wait(0.05)
        begin_to_help(self)

    def remember(self: BatchedScoring, *given: object) -> None:
        begin(self, *given)  # type: ignore[arg-type]
        made.append(self)

    monkeypatch.setattr(BatchedScoring, "__init__", remember)
    monkeypatch.setattr(BatchedScoring, "_help", help_alone)
    return made


def wait_for_workers(cluster: Cluster, number: int) -> None:
    cluster._client.wait_for_workers(number, timeout=MOST_SECONDS)


def result_of(
    cluster: Cluster | None,
    effort: Effort,
    *,
    on_visit: Callable[[CandidateScored], object] = lambda _: None,
) -> SearchResult:
    options = replace(OPTIONS, effort=effort)
    scoring = None if cluster is None else scoring_of(cluster)
    for event in start_search(DATA, PAG, "ilc-v", options=options, scoring=scoring, with_evidence=False):
        if isinstance(event, CandidateScored):
            on_visit(event)
        elif isinstance(event, SearchFinished):
            return event.result
    raise AssertionError("a search ends with its result")


def assert_same(there: SearchResult, here: SearchResult) -> None:
    assert there.history == here.history
    assert there.best == here.best
    assert there.posterior is not None
    assert here.posterior is not None
    assert there.posterior.p_elbo == here.posterior.p_elbo
    assert there.stop_reason is here.stop_reason


@pytest.mark.slow
@pytest.mark.parametrize("effort", ["light", "full"])
def test_that_a_cluster_gives_visit_for_visit_the_results_of_this_computer(
    small_cluster: SmallCluster, all_are_sent: list[BatchedScoring], effort: Effort
) -> None:
    with connect(Scheduler(small_cluster.address)) as cluster:
        wait_for_workers(cluster, 2)
        there = result_of(cluster, effort)
        assert len(cluster._held) == 1  # the data went out once, although batches were many
    assert_same(there, result_of(None, effort))
    assert len(all_are_sent) == (4 if effort == "light" else 1)  # glances and two light looks beside the full fits
    assert sum(one.n_batches for one in all_are_sent) > 3
    assert sum(one.n_sent for one in all_are_sent) >= 80


@pytest.mark.slow
def test_that_this_computer_helps_and_nothing_changes(
    small_cluster: SmallCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batched_scoring, "LINGER_SECONDS", 0.0)
    with connect(Scheduler(small_cluster.address)) as cluster:
        there = result_of(cluster, "full")
        again = result_of(cluster, "full")  # the second use of a connection
    here = result_of(None, "full")
    assert_same(there, here)
    assert_same(again, here)


@pytest.mark.slow
def test_that_a_cluster_gives_cell_for_cell_the_table_of_this_computer(small_cluster: SmallCluster) -> None:
    plan = small_plan("ilc-v", "no-latents", "cil")
    with connect(Scheduler(small_cluster.address)) as cluster:
        wait_for_workers(cluster, 2)
        there, reason = fill(plan, lanes=ClusterLanes(cluster, len(plan.cells)))
    here, _ = fill(plan)
    assert reason is StopReason.FINISHED
    assert without_seconds(there.to_json()) == without_seconds(here.to_json())


@pytest.mark.slow
def test_that_killing_a_worker_loses_nothing(own_cluster: SmallCluster, all_are_sent: list[BatchedScoring]) -> None:
    killed: list[int] = []

    def kill_first(event: CandidateScored) -> None:
        if event.level == 1 and not killed:
            own_cluster.kill(own_cluster.workers[0])
            killed.append(event.index)

    with connect(Scheduler(own_cluster.address)) as cluster:
        wait_for_workers(cluster, 2)
        there = result_of(cluster, "full", on_visit=kill_first)
        assert len(cluster._client.nthreads()) == 1
    assert len(there.history) > killed[0] + 50
    assert there.cuts == ()
    assert_same(there, result_of(None, "full"))


@pytest.mark.slow
def test_that_killing_the_scheduler_keeps_the_best_so_far_and_says_so(
    own_cluster: SmallCluster, all_are_sent: list[BatchedScoring]
) -> None:
    def kill(event: CandidateScored) -> None:
        if event.level == 1 and not killed:
            own_cluster.kill(own_cluster.scheduler)
            killed.append(event.index)

    killed: list[int] = []
    with connect(Scheduler(own_cluster.address)) as cluster:
        wait_for_workers(cluster, 2)
        there = result_of(cluster, "full", on_visit=kill)
        with pytest.raises(ClusterError, match="was lost"):
            result_of(cluster, "full")
    assert there.stop_reason is StopReason.CLUSTER_LOST
    assert own_cluster.address in there.cuts[0]
    assert "so far are kept" in there.cuts[0]
    here = [visit.p_elbo for visit in result_of(None, "full").history]
    assert killed[0] < len(there.history) < len(here)
    assert [visit.p_elbo for visit in there.history] == here[: len(there.history)]
    assert there.p_elbo == max(visit.p_elbo for visit in there.history)
    assert there.posterior is not None


@pytest.mark.slow
def test_that_a_bench_whose_scheduler_is_killed_keeps_its_cells_and_goes_on_elsewhere(
    own_cluster: SmallCluster, tmp_path: Path
) -> None:
    plan, folder = small_plan("no-latents", "ilc-v"), tmp_path / "bench"
    with connect(Scheduler(own_cluster.address)) as cluster:
        lanes = ClusterLanes(cluster, len(plan.cells))
        submit, asked = lanes.submit, []

        def submit_and_kill(lane, task):  # type: ignore[no-untyped-def]
            asked.append(task.cell)
            if len(asked) == 4:
                own_cluster.kill(own_cluster.scheduler)
            return submit(lane, task)

        lanes.submit = submit_and_kill  # type: ignore[method-assign]
        table, reason = fill(plan, lanes=lanes, folder=folder)
    assert reason is StopReason.CLUSTER_LOST
    assert not table.is_whole
    assert len(list(folder.rglob("*.json"))) >= 2
    assert without_seconds(fill(plan, folder=folder)[0].to_json()) == without_seconds(fill(plan)[0].to_json())


@pytest.mark.slow
def test_that_workers_leave_a_fit_that_nobody_wants_any_more(small_cluster: SmallCluster) -> None:
    """Each of the two has one thread: while that fits, nothing else is done."""
    data, other = (random_dataset(np.random.default_rng(seed), 2000, [4] * 4) for seed in (1, 2))
    endless = [Component(4, (Hidden(0b1111, 4),), (0, 0, 0, 0))] * 100_000
    with connect(Scheduler(small_cluster.address)) as cluster:
        wait_for_workers(cluster, 2)
        sent = [
            cluster.submit(fit_batch, data, endless, VbemOptions(), DiscreteFamilies, cluster.versions)
            for _ in range(2)
        ]
        deadline = time.monotonic() + MOST_SECONDS
        while sum(map(len, cluster._client.processing().values())) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        cluster.give_up(sent)
        held = [cluster.submit(hold, one) for one in (data, other)]
        assert [one.result(timeout=MOST_SECONDS) for one in held] == [data, other]
        assert not any(one.done() for one in sent)


@pytest.mark.slow
def test_that_a_test_of_the_address_counts_workers(small_cluster: SmallCluster) -> None:
    with connect(Scheduler(small_cluster.address)) as cluster:
        wait_for_workers(cluster, 2)
    said = str(try_scheduler(Scheduler(small_cluster.address)))
    assert said == "2 workers with 2 threads, all of the same versions as this computer."


@pytest.mark.slow
@pytest.mark.parametrize("package", ["latconf", "numpy", "numba"])
def test_that_other_versions_are_refused_with_what_is_different(
    small_cluster: SmallCluster, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    installed = versions._installed
    monkeypatch.setattr(versions, "_installed", lambda name: "0.0.1" if name == package else installed(name))
    versions.read_versions.cache_clear()
    try:
        with pytest.raises(ClusterError, match=rf"the scheduler has {package} .* instead of 0\.0\.1, .*install"):
            try_scheduler(Scheduler(small_cluster.address))
    finally:
        versions.read_versions.cache_clear()


@pytest.mark.slow
def test_that_a_scheduler_without_workers_is_told_from_one_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "WAIT_SECONDS", 0.2)
    monkeypatch.setattr(client, "CONNECT_SECONDS", 2)
    with SmallCluster(tmp_path, n_workers=0) as alone:
        with pytest.raises(ClusterError, match=f"has no workers; start one by `dask worker {alone.address}`"):
            try_scheduler(Scheduler(alone.address))
        alone.kill(alone.scheduler)
        with pytest.raises(ClusterError, match=f"no scheduler answers at {alone.address}; check"):
            try_scheduler(Scheduler(alone.address))


@pytest.mark.slow
def test_that_an_encrypted_cluster_takes_only_those_with_its_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("certificates are made by openssl, which is not here")
    cert, key = str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
    made = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=latconf"]
    subprocess.run([*made, "-keyout", key, "-out", cert], check=True, capture_output=True)
    monkeypatch.setattr(client, "CONNECT_SECONDS", 2)
    more = ("--tls-ca-file", cert, "--tls-cert", cert, "--tls-key", key)
    with SmallCluster(tmp_path, n_workers=1, protocol="tls", more=more) as encrypted:
        assert try_scheduler(Scheduler(encrypted.address, cert, cert, key)).n_workers == 1
        with pytest.raises(ClusterError, match="no scheduler answers"):
            try_scheduler(Scheduler(encrypted.address.replace("tls", "tcp")))


@pytest.mark.slow
def test_that_samples_on_a_cluster_come_out_as_on_this_computer(small_cluster: SmallCluster) -> None:
    asked = StabilityOptions(samples=4, learner=PagOptions(method="fci"), search=None, seed=3)
    here = shares_of(asked, None)
    assert shares_of(asked, Scheduler(small_cluster.address)).to_json() == here.to_json()
    assert here.n_samples == 4


def shares_of(asked: StabilityOptions, scheduler: Scheduler | None) -> Stability:
    with open_workers(scheduler) as workers_of:
        *_, last = start_stability(DATA, asked, workers=workers_of)
    assert isinstance(last, StabilityFinished)
    return replace(last.stability, seconds=0.0)
