"""What is wrong with a cluster is said in one sentence, before any work is sent."""

from __future__ import annotations

import pickle
import sys
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from support.builders import mixed, random_dataset

from latconf_core.cli.main import EXIT_BAD_INPUT, main
from latconf_core.cluster.batched_scoring import BatchedScoring
from latconf_core.cluster.on_worker import FitsDone, OtherVersionsError, check_versions, fit_batch
from latconf_core.cluster.scheduler import ClusterError, Scheduler
from latconf_core.cluster.versions import read_versions
from latconf_core.cluster.workers import WorkersReport, try_scheduler
from latconf_core.control import StopReason, StopRequested
from latconf_core.families.discrete import DiscreteFamilies
from latconf_core.model.bit_dag import Hidden
from latconf_core.model.component import Component
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.outcome.events import SearchFinished
from latconf_core.search.runner import start_search

DATA = random_dataset(np.random.default_rng(5), 100, [2, 3, 2])
COMPONENTS = [Component(3, (Hidden(0b101),), (0, 2)), Component(3, (Hidden(0b011),), (0, 0))]


@pytest.mark.parametrize(
    "address", ["", "localhost", "localhost:8786", "http://localhost:8786", "tcp://localhost", "tcp://:8786",
                "tcp://localhost:0", "tcp://localhost:70000", "tcp://a b:1", "tcp://localhost:8786/path"],
)  # fmt: skip
def test_that_what_is_no_address_is_refused_with_an_example(address: str) -> None:
    with pytest.raises(ClusterError, match="is not a scheduler address; write it as tcp://"):
        Scheduler(address)


@pytest.mark.parametrize("address", ["tcp://localhost:8786", "tls://10.0.0.1:1", "tcp://[::1]:8786"])
def test_that_hosts_and_numbers_are_addresses(address: str) -> None:
    assert Scheduler(address).address == address


def test_that_certificates_need_an_encrypted_address_and_come_in_threes() -> None:
    with pytest.raises(ClusterError, match="write the address as tls://"):
        Scheduler("tcp://localhost:8786", "ca.pem", "cert.pem", "key.pem")
    with pytest.raises(ClusterError, match="three files"):
        Scheduler("tls://localhost:8786", "ca.pem")


def test_that_a_missing_certificate_is_named(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="clusters need the extra latconf[cluster]")
    missing = str(tmp_path / "ca.pem")
    with pytest.raises(ClusterError, match=r"ca\.pem is not there"):
        try_scheduler(Scheduler("tls://localhost:8786", missing, missing, missing))


def test_that_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r'pip install "latconf\[cluster\]"'):
        try_scheduler(Scheduler("tcp://localhost:8786"))


@pytest.mark.parametrize("command", [["run", "no.csv"], ["bench", "asia_smoke_100"]])
def test_that_the_command_line_refuses_a_bad_address_before_it_reads_data(
    capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    assert main([*command, "--scheduler", "here"]) == EXIT_BAD_INPUT
    assert "'here' is not a scheduler address" in capsys.readouterr().err
    assert main([*command, "--tls-ca", "ca.pem"]) == EXIT_BAD_INPUT
    assert "give it with --scheduler" in capsys.readouterr().err


def test_that_a_bench_on_a_cluster_takes_no_number_of_cores(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "asia_smoke_100", "--scheduler", "tcp://localhost:1", "--workers", "2"]) == EXIT_BAD_INPUT
    assert "omit it" in capsys.readouterr().err


def test_that_other_versions_are_told_apart_and_the_processor_changes_nothing() -> None:
    here = read_versions()
    assert here.differences(replace(here, processor="another")) == ()
    other = replace(here, python="2.7", code="0" * 10)
    assert here.differences(other) == (
        f"latconf's code 0000000000 instead of {here.code}",
        f"Python 2.7 instead of {here.python}",
    )
    check_versions(here)
    with pytest.raises(OtherVersionsError, match="numpy"):
        check_versions(replace(here, numpy="0"))


def test_that_other_processors_are_said_since_they_may_round_otherwise() -> None:
    assert "last digits" not in str(WorkersReport(1, 4))
    assert "different processor (zen9)" in str(WorkersReport(1, 4, ("zen9",)))


def test_that_a_worker_fits_what_this_computer_fits() -> None:
    pytest.importorskip("distributed", reason="clusters need the extra latconf[cluster]")
    options = VbemOptions(restarts=2, seed=3)
    done = fit_batch(DATA, COMPONENTS, options, DiscreteFamilies, read_versions())
    assert isinstance(done, FitsDone)
    scorer = Scorer(DATA, options)
    for component, fit in zip(COMPONENTS, pickle.loads(pickle.dumps(done)).fits):
        look = scorer.fit(component)
        assert (fit.p_elbo, fit.iterations) == (look.p_elbo, look.iterations)
        assert np.array_equal(fit.parameters, look.parameters)


class LostCluster:
    """A cluster that is gone with the first batch."""

    n_threads = 2
    versions = read_versions()
    lost: str | None = None

    def submit(self, *_: object) -> Future[FitsDone]:
        self.lost = "it is gone"
        future: Future[FitsDone] = Future()
        future.set_exception(StopRequested(StopReason.CLUSTER_LOST, self.lost))
        return future

    def give_up(self, _: object) -> None:
        pass


def test_that_a_lost_cluster_ends_the_run_but_not_what_is_asked_after_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    help_out = BatchedScoring._help
    monkeypatch.setattr(BatchedScoring, "_help", lambda self: None)
    scorer = Scorer(DATA, VbemOptions(restarts=2))
    scoring = BatchedScoring(LostCluster(), scorer, Event())  # type: ignore[arg-type]
    with pytest.raises(StopRequested) as stop:
        scoring.submit(COMPONENTS[0]).result(timeout=30)
    assert stop.value.reason is StopReason.CLUSTER_LOST
    with pytest.raises(StopRequested, match="cluster lost"):
        scorer.control.checkpoint()
    scoring.cancel_all()
    monkeypatch.setattr(BatchedScoring, "_help", help_out)
    with scorer.control.ignore_stop():  # the result is put together
        assert (
            scoring.submit(COMPONENTS[1]).result(timeout=30).p_elbo
            == Scorer(DATA, scorer.options).fit(COMPONENTS[1]).p_elbo
        )
    scoring.cancel_all()


@pytest.mark.parametrize("search", ["auto", "hclc-v"])
def test_that_a_search_ends_with_the_best_so_far_when_its_cluster_is_lost(
    monkeypatch: pytest.MonkeyPatch, search: str
) -> None:
    """Also Auto, which else goes on when a part of it ends."""
    monkeypatch.setattr(BatchedScoring, "_help", lambda self: None)
    data = random_dataset(np.random.default_rng(5), 200, [2] * 4)
    pag = mixed("A o-> B", "C o-> B", "C o-> D")
    options = SearchOptions(vbem=VbemOptions(restarts=2), effort="full")
    lost = partial(BatchedScoring, LostCluster())
    *_, last = start_search(data, pag, search, options=options, scoring=lost, with_evidence=False)  # type: ignore[arg-type]
    assert isinstance(last, SearchFinished)
    assert last.result.stop_reason is StopReason.CLUSTER_LOST
    assert last.result.cuts[-1] == "it is gone"
    assert last.result.best is not None
