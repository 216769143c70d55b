"""The same search on the table cut elsewhere, for a run, and why that cannot be; free of Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from latconf_core.control import RunControl
from latconf_core.data.preparing.choices import Preparation
from latconf_core.data.preparing.other_cuttings import RECUTS, cut_columns, other_cuttings
from latconf_core.data.raw_table import RawTable
from latconf_core.errors import LatconfError
from latconf_core.formats.projects.kept_items import KeptRun
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.graph.mixed import MixedGraph
from latconf_core.options.learning import PagOptions
from latconf_core.phrases import list_names
from latconf_core.search.catalogue import SEARCHES, search_title
from latconf_core.search.outcome.result import SearchResult
from latconf_core.stability.other_cuts import OtherCuts, OtherCutsFinished, start_other_cuts
from latconf_core.stability.repeats import RepeatProgress
from latconf_gui.pages.stability.stability_job import NO_RUN, OTHER_PROGRAM, pag_source

NOT_CUT = "No column of these data was discretised, so there are no other cut points to try."
MOST_NAMED = 5


@dataclass(frozen=True, eq=False)
class CutsJob:
    """What is cut and searched.

    title : the name of the run
    columns : those that were cut from numbers
    pag : what every search keeps to, where none is learned
    """

    title: str
    result: SearchResult
    raw: RawTable
    preparation: Preparation
    columns: tuple[str, ...]
    learner: PagOptions | None
    pag: MixedGraph | None

    @property
    def text(self) -> str:
        """What is done, in sentences."""
        named = list_names(self.columns[:MOST_NAMED])
        rest = len(self.columns) - MOST_NAMED
        cut = f"{named} and {rest} more" if rest > 0 else named
        ways = f"{cut} {'gets' if len(self.columns) == 1 else 'get'} other cut points: {', '.join(RECUTS)}."
        return f"{ways} {search_title(self.result.algorithm)} searches each table as in the run."


def cuts_job(state: ProjectState, run: KeptRun | None) -> CutsJob | str:
    """What is cut and searched for a run; a sentence where that cannot be."""
    dataset, raw = state.dataset, state.raw
    if run is None or dataset is None or raw is None or run.result.best is None:
        return NO_RUN
    if run.result.algorithm not in SEARCHES:
        return OTHER_PROGRAM
    columns = cut_columns(state.preparation, dataset)
    if not columns:
        return NOT_CUT
    learner, pag = pag_source(state, run)
    return CutsJob(run.name, run.result, raw, state.preparation, columns, learner, pag)


def cuts_events(job: CutsJob, workers: int, control: RunControl) -> Iterator[object]:
    """Progress, and in the end what came of it or a sentence why nothing did, on a thread of its own."""
    progress = RepeatProgress("cutting")
    try:
        cuttings = other_cuttings(job.raw, job.preparation, job.result.dataset_digest, control=control)
    except LatconfError as error:
        yield OtherCuts(0, (), 0.0, obstacle=str(error))
        return
    for event in start_other_cuts(
        job.result, cuttings, pag=job.pag, learner=job.learner, control=control, n_workers=workers
    ):
        yield event.cuts if isinstance(event, OtherCutsFinished) else progress.see(event)
