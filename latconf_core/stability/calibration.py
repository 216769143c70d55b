"""How often chance does as well: the same search on tables drawn from the best DAG without latents.

A parametric bootstrap. Nothing is hidden in these tables, so that what the search gains there is what it gains by
looking at many hidden causes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from latconf_core.control import RunControl, StopReason, StopRequested
from latconf_core.data.dataset import Dataset
from latconf_core.errors import OptionError
from latconf_core.families.objectives import JUDGING
from latconf_core.graph.mixed import MixedGraph
from latconf_core.inference.completing.em_rounds import rows_to_score
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.score.scorer import Scorer
from latconf_core.search.outcome.evidence import largest_gain
from latconf_core.search.outcome.result import SearchResult
from latconf_core.stability.draw_workers import MakeDrawWorkers, make_draw_workers
from latconf_core.stability.null_draw import NullDraw, NullSearch
from latconf_core.stability.repeats import RepeatFinished
from latconf_core.stability.sample_workers import LostWorkerError
from latconf_core.stability.search_again import check_known, search_of
from latconf_core.workers_port import work_through

DEFAULT_DRAWS = 19  # a claim that gains more than all of them has p ≤ 0.05
WITHOUT_LATENTS = ("no-latents", "hc")


@dataclass(frozen=True)
class Calibration:
    """What the same search gained where nothing is hidden.

    asked : draws that were asked for
    draws : those that are done, by their number
    gain : the most that a latent of the result gains
    """

    asked: int
    draws: tuple[NullDraw, ...]
    gain: float
    seconds: float
    stop_reason: StopReason = StopReason.FINISHED

    @property
    def null_gains(self) -> tuple[float, ...]:
        return tuple(draw.gain for draw in self.draws if draw.gain is not None)

    @property
    def failures(self) -> tuple[str, ...]:
        return tuple(draw.failure for draw in self.draws if draw.failure)

    @property
    def share_at_least(self) -> float | None:
        """The share of draws that gained at least as much as the result; None where none is done."""
        gains = self.null_gains
        return sum(gain >= self.gain for gain in gains) / len(gains) if gains else None

    def to_json(self) -> dict[str, Any]:
        """What `latconf calibrate --json` prints."""
        return {
            "draws": len(self.null_gains),
            "null_gains": list(self.null_gains),
            "gain": self.gain,
            "share_at_least": self.share_at_least,
            "seconds": self.seconds,
            "asked": self.asked,
            "failures": list(self.failures),
            "stop_reason": self.stop_reason.value,
        }


@dataclass(frozen=True)
class CalibrationFinished:
    """The end, with all draws that were done by then."""

    calibration: Calibration


CalibrationEvent = RepeatFinished | CalibrationFinished


def start_calibration(
    result: SearchResult,
    dataset: Dataset,
    *,
    draws: int = DEFAULT_DRAWS,
    pag: MixedGraph | None = None,
    learner: PagOptions | None = None,
    knowledge: Knowledge | None = None,
    control: RunControl | None = None,
    workers: MakeDrawWorkers = make_draw_workers,
    n_workers: int = 1,
) -> Iterator[CalibrationEvent]:
    """The events of a calibration; the last is CalibrationFinished, also where `control` ends it.

    pag : what every search keeps to; None where a PAG is learned from each draw, or the search needs none
    knowledge : what binds every learner and search; that of the run where none is given
    workers : who works on draws; the figures do not depend on it
    """
    gain = check_result(result, dataset)
    if draws < 1:
        raise OptionError(f"the number of draws is {draws}; it must be at least 1")
    again = search_of(result, pag, learner, knowledge)
    limited = (control or RunControl()).child()
    known = again.knowledge.bind(dataset.names)
    rows = rows_to_score(dataset, seed=result.seed, control=limited, known=known)
    scorer = Scorer(rows, JUDGING.apply(result.options.vbem), control=limited)
    assert result.reference is not None
    work = NullSearch(
        network=scorer.posterior(result.reference.dag).network(),
        n_rows=dataset.n_rows,
        again=again,
        missing=None if dataset.is_complete else np.asarray(dataset.codes < 0),
    )
    return _events(work, draws, gain, limited, lambda: workers(work, min(n_workers, draws), limited))


def check_result(result: SearchResult, dataset: Dataset) -> float:
    """The most that a latent of a result gains; OptionError where that cannot be compared with chance."""
    if result.dataset_digest != dataset.digest:
        raise OptionError("the run used other data; give the table that was searched")
    check_known(result)
    if result.algorithm in WITHOUT_LATENTS:
        raise OptionError(f"{result.algorithm} does not look for hidden causes; choose a run of another search")
    if result.reference is None:
        raise OptionError(
            "the run has no best DAG without hidden causes to draw from, because it stopped early; run the search again"
        )
    if result.judged_under != JUDGING.name:
        raise OptionError("an older version of latconf judged the run under another objective; run the search again")
    gain = largest_gain(result.evidence)
    if gain is None:
        raise OptionError("the hidden causes of the run were not judged, so there is no gain to compare with chance")
    return gain


def _events(
    work: NullSearch, n_draws: int, gain: float, control: RunControl, open_workers: Callable[[], Any]
) -> Iterator[CalibrationEvent]:
    done: dict[int, NullDraw] = {}
    reason = StopReason.FINISHED
    yield RepeatFinished(0, n_draws)
    try:
        for draw in work_through(open_workers(), range(1, n_draws + 1), control, lost=LostWorkerError):
            done[draw.number] = draw
            yield RepeatFinished(len(done), n_draws)
    except StopRequested as stop:
        reason = stop.reason
    draws = tuple(done[number] for number in sorted(done))
    yield CalibrationFinished(Calibration(n_draws, draws, gain, control.seconds(), reason))
