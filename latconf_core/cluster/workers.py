"""Who is there: the workers of a cluster, and whether they run what this process runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from latconf_core.cluster.client import make_client
from latconf_core.cluster.scheduler import ClusterError, Scheduler
from latconf_core.cluster.versions import Versions, read_versions
from latconf_core.phrases import counted

if TYPE_CHECKING:
    from distributed import Client

WAIT_SECONDS = 10  # for the first worker: it may be starting


@dataclass(frozen=True)
class WorkersReport:
    """What a cluster has.

    other_processors : kinds of processors that are not this computer's
    """

    n_workers: int
    n_threads: int
    other_processors: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = (
            f"{counted(self.n_workers, 'worker')} with {counted(self.n_threads, 'thread')}, all of the same versions "
            "as this computer."
        )
        if self.other_processors:
            said += (
                f" Some have a different processor ({', '.join(self.other_processors)}): their scores may "
                "differ from this computer's in the last digits."
            )
        return said


def try_scheduler(scheduler: Scheduler) -> WorkersReport:
    """Connect, ask who is there, and leave again; ClusterError says what is wrong and the remedy."""
    client = make_client(scheduler)
    try:
        return check_workers(scheduler, client)
    finally:
        client.close(timeout=5)


def check_workers(scheduler: Scheduler, client: Client) -> WorkersReport:
    """The workers of a cluster; ClusterError where there are none, or one or the scheduler has other versions."""
    here = read_versions()
    try:
        client.wait_for_workers(1, timeout=WAIT_SECONDS)
        n_threads: Mapping[str, int] = client.nthreads()
        of_scheduler = _scheduler_versions(client)
        of_workers: Mapping[str, object] = client.run(read_versions, on_error="return")
    except TimeoutError:
        raise ClusterError(
            f"the scheduler at {scheduler.address} has no workers; start one by `dask worker {scheduler.address}`"
        ) from None
    except OSError as error:
        raise ClusterError(f"the scheduler at {scheduler.address} no longer answers") from error
    _check("the scheduler", of_scheduler, here)
    for address, worker in of_workers.items():
        _check(f"the worker at {address}", worker, here)
    others = {versions.processor for versions in of_workers.values() if isinstance(versions, Versions)} - {
        here.processor
    }
    return WorkersReport(len(n_threads), sum(n_threads.values()), tuple(sorted(others)))


def _scheduler_versions(client: Client) -> object:
    try:
        return client.run_on_scheduler(read_versions)
    except OSError:
        raise
    except Exception as error:  # what it says where latconf is not installed there
        return error


def _check(who: str, answer: object, here: Versions) -> None:
    if not isinstance(answer, Versions):
        raise ClusterError(
            f"{who} cannot run latconf ({answer}); install latconf {here.latconf} with its cluster extra there, and "
            "start it again"
        )
    differences = here.differences(answer)
    if differences:
        raise ClusterError(
            f"{who} has {', '.join(differences)}, so results could differ; install the same versions there "
            "and restart it"
        )
