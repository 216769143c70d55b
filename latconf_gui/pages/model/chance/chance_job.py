"""The same search on tables with nothing hidden, for a run, and why that cannot be; free of Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.errors import OptionError
from latconf_core.formats.projects.kept_items import KeptRun
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.search.catalogue import search_title
from latconf_core.search.outcome.result import SearchResult
from latconf_core.stability.calibration import (
    CalibrationFinished,
    check_result,
    start_calibration,
)
from latconf_core.stability.repeats import RepeatProgress
from latconf_gui.pages.stability.stability_job import NO_RUN, pag_source

NO_SUPPORT = "The data support no hidden cause of this run, so there is no gain to compare with chance."


@dataclass(frozen=True, eq=False)
class ChanceJob:
    """What is drawn and searched.

    title : the name of the run
    pag : what every search keeps to, where none is learned
    """

    title: str
    result: SearchResult
    dataset: Dataset
    knowledge: Knowledge
    learner: PagOptions | None
    pag: MixedGraph | None

    @property
    def text(self) -> str:
        """What is done with each draw, in sentences."""
        drawn = "Each draw is a table with as many rows as the data, from the best model without hidden causes."
        search = search_title(self.result.algorithm)
        if self.learner is not None:
            learner = LEARNERS[self.learner.method].title
            return f"{drawn} A PAG is learned from it by {learner} and searched by {search}."
        return f"{drawn} It is searched by {search}{'' if self.pag is None else ' on the PAG of the run'}."

    @property
    def seconds(self) -> float:
        """How long the run took, with what it was judged by: about what a draw takes."""
        return self.result.total_seconds


def chance_job(state: ProjectState, run: KeptRun | None) -> ChanceJob | str:
    """What is drawn and searched for a run; a sentence where that cannot be, or says nothing."""
    dataset = state.dataset
    if run is None or dataset is None or run.result.best is None:
        return NO_RUN
    try:
        check_result(run.result, dataset)
    except OptionError as error:
        reason = str(error)
        return f"{reason[:1].upper()}{reason[1:]}."
    if not any(latent_evidence.support in ("strong", "weak") for latent_evidence in run.result.evidence):
        return NO_SUPPORT
    learner, pag = pag_source(state, run)
    return ChanceJob(run.name, run.result, dataset, run.result.knowledge, learner, pag)


def chance_events(job: ChanceJob, draws: int, workers: int, control: RunControl) -> Iterator[object]:
    """Progress, and a Calibration in the end, on a thread of its own."""
    progress = RepeatProgress("draw")
    for event in start_calibration(
        job.result,
        job.dataset,
        draws=draws,
        pag=job.pag,
        learner=job.learner,
        knowledge=job.knowledge,
        control=control,
        n_workers=workers,
    ):
        yield event.calibration if isinstance(event, CalibrationFinished) else progress.see(event)
