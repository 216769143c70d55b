"""What is repeated for a PAG or for a run, and where its outcome is kept; free of Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import ceil

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.formats.projects.kept_items import KeptPag, KeptRun, find_item
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.formats.projects.state_changes import keep_pag_stability, keep_run_stability
from latconf_core.graph.mixed import MixedGraph
from latconf_core.knowledge.knowledge import Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.options.resampling import StabilityOptions
from latconf_core.options.searching import SearchOptions
from latconf_core.pag.events import PagLearned
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.search.catalogue import SEARCHES, search_title
from latconf_core.stability.stability_result import Stability
from latconf_core.stability.stability_run import (
    StabilityFinished,
    StabilityProgress,
    Whole,
    start_stability,
)
from latconf_core.wording.knowledge_texts import knowledge_remark

NO_PAG = "There is no PAG yet: learn one from the data first."
NOT_LEARNED = "This PAG was not learned here, so learning cannot be repeated. Learn one from the data."
NO_RUN = "There is no model yet: run a search first."
OTHER_PROGRAM = "This version of latconf does not know the search of this run, so it cannot repeat it."

Keep = Callable[[ProjectState, Stability], ProjectState]


@dataclass(frozen=True, eq=False)
class StabilityJob:
    """What is repeated on each sample.

    title : of what it is the stability, as in a heading
    text : what is done with each sample, in a sentence
    pag : what every search keeps to, where none is learned
    keep : puts the outcome where it belongs
    seconds : that all rows took, once; None where nobody knows
    """

    title: str
    text: str
    dataset: Dataset
    knowledge: Knowledge
    whole: Whole
    keep: Keep
    learner: PagOptions | None = None
    search: str | None = None
    search_options: SearchOptions = field(default_factory=SearchOptions)
    pag: MixedGraph | None = None
    seconds: float | None = None

    def estimate(self, options: StabilityOptions) -> float | None:
        """How many seconds all samples will take, at most about: half of the rows take no longer than all."""
        return None if self.seconds is None else self.seconds * ceil(options.samples / options.workers)


def learned_options(kept: KeptPag | None) -> PagOptions | None:
    """How a PAG was learned here; None where it was not, or was edited since."""
    learned = None if kept is None else kept.learned
    return None if learned is None or learned.options.method not in LEARNERS else learned.options


def _knowledge_text(used: Knowledge, now: Knowledge) -> str:
    """Under which knowledge a PAG is learned again: that under which it was learned."""
    if not used:
        return "without knowledge, as it was learned" if now else "without knowledge"
    return f"the knowledge with which it was learned ({knowledge_remark(used, now)})"


def pag_job(state: ProjectState) -> StabilityJob | str:
    """Learning the current PAG anew from each sample; a sentence where that cannot be."""
    kept, dataset = state.kept_pag, state.dataset
    if kept is None or dataset is None:
        return NO_PAG
    options = learned_options(kept)
    if options is None:
        return NOT_LEARNED
    return StabilityJob(
        title=kept.name,
        text=f"A PAG is learned by {LEARNERS[options.method].title} from each sample, with the same settings and "
        f"{_knowledge_text(kept.knowledge, state.knowledge)}.",
        dataset=dataset,
        knowledge=kept.knowledge,
        whole=Whole(pag=kept.graph),
        keep=lambda now, stability: keep_pag_stability(now, kept.name, stability),
        learner=options,
        seconds=_learning_seconds(kept),
    )


def run_job(state: ProjectState, run: KeptRun | None) -> StabilityJob | str:
    """Learning and searching anew on each sample, as a run did; a sentence where that cannot be."""
    dataset = state.dataset
    if run is None or dataset is None or run.result.best is None:
        return NO_RUN
    result = run.result
    if result.algorithm not in SEARCHES:
        return OTHER_PROGRAM
    learner, pag = pag_source(state, run)
    return StabilityJob(
        title=run.name,
        text=_run_text(result.algorithm, learner, pag),
        dataset=dataset,
        knowledge=result.knowledge,
        whole=Whole(pag=result.pag, dag=result.best),
        keep=lambda now, stability: keep_run_stability(now, run.name, stability),
        learner=learner,
        search=result.algorithm,
        search_options=result.options,
        pag=pag,
        seconds=result.seconds + (_learning_seconds(find_item(state.pags, run.pag)) or 0.0 if learner else 0.0),
    )


def _learning_seconds(kept: KeptPag | None) -> float | None:
    """How long the learner of a PAG took."""
    last = kept.events[-1] if kept is not None and kept.events else None
    return last.result.seconds if isinstance(last, PagLearned) else None


def pag_source(state: ProjectState, run: KeptRun) -> tuple[PagOptions | None, MixedGraph | None]:
    """How the PAG of a sample is learned, or the PAG that all keep to; neither where the search needs none."""
    result, kept = run.result, find_item(state.pags, run.pag)
    if not result.pag.n_edges or (kept is not None and kept.is_by_search):
        return None, result.pag if SEARCHES[result.algorithm].needs_pag else None
    options = learned_options(kept)
    learned = None if kept is None else kept.learned
    was_edited = learned is not None and learned.graph.reordered(result.pag.nodes) != result.pag
    return (None, result.pag) if options is None or was_edited else (options, None)


def _run_text(search: str, learner: PagOptions | None, pag: MixedGraph | None) -> str:
    if learner is not None:
        learned = f"A PAG is learned by {LEARNERS[learner.method].title} from each sample"
        return f"{learned} and searched by {search_title(search)}."
    if pag is not None:
        return (
            f"Each sample is searched by {search_title(search)} on the PAG of the run, which was drawn, "
            "edited or imported and is not relearned."
        )
    return f"Each sample is searched by {search_title(search)}."


def job_events(job: StabilityJob, options: StabilityOptions, control: RunControl) -> Iterator[object]:
    """Progress, and a Stability whose shares are counted, on a thread of its own."""
    seen = StabilityProgress(options.workers)
    for event in start_stability(
        job.dataset, options, pag=job.pag, knowledge=job.knowledge, whole=job.whole, control=control
    ):
        seen.see(event)
        if isinstance(event, StabilityFinished):
            event.stability.count_shares()
            yield event.stability
        else:
            yield seen.progress()
