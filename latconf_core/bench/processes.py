"""Lanes in processes of their own: cells side by side on the cores of one machine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from latconf_core.bench.cell import CellResult
from latconf_core.bench.lanes import Lanes, Task, ThisThread, begin_lane
from latconf_core.control import RunControl
from latconf_core.errors import LatconfError
from latconf_core.worker_processes import WorkerProcesses

LOST = (
    "a worker process ended unexpectedly, perhaps because memory ran out; finished cells are kept: run the "
    "benchmark again with fewer workers"
)


class LostLaneError(LatconfError):
    """A process ended that was not asked to."""

    def __init__(self) -> None:
        super().__init__(LOST)


class Processes(WorkerProcesses[Task, CellResult]):
    """As many lanes as processes, each with some threads."""

    def __init__(self, n_lanes: int, *, workers: int = 1) -> None:
        super().__init__(n_lanes, partial(_begin, workers), lost=LostLaneError)


def make_lanes(n_workers: int, n_data: int, control: RunControl) -> Lanes:
    """The best use of some cores: a process per data set while there are as many, the other cores inside a cell.

    Cells on one data set stay together because they share PAGs and the best DAG without latents. Threads inside a cell
    help less: of the CPU time on Alarm with 1,000 rows ILC-V spends 0.27 in fits, which is all that they share, HCLC-V
    0.48, GLSL 0.66, the search without latents nothing.
    """
    n_lanes = max(1, min(n_workers, n_data))
    if n_lanes == 1:
        return ThisThread(control, workers=n_workers)
    return Processes(n_lanes, workers=n_workers // n_lanes)


def _begin(workers: int, control: RunControl) -> Callable[[Task], CellResult | None]:
    """What runs a cell in a new process, which keeps what cells on its data share."""
    warm_up()
    return begin_lane(workers, control)


def warm_up() -> None:
    """Load or compile every kernel, so that no cell's seconds hold that."""
    from latconf_core.families.discrete import warm_up as warm_up_refining
    from latconf_core.pag.learners.catalogue import warm_up as warm_up_learners
    from latconf_core.score.scorer import warm_up as warm_up_scoring

    warm_up_scoring()
    warm_up_refining()
    warm_up_learners()
