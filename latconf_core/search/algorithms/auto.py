"""Auto: what someone who just wants an answer runs. A PAG, a search of it, and Refine, within one time limit."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from latconf_core.control import Progress, RunControl, StopReason, StopRequested
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import PagLearned
from latconf_core.pag.learners.catalogue import learn_pag
from latconf_core.search.algorithms.hclc import hclc_v
from latconf_core.search.algorithms.ilc import ilc_v
from latconf_core.search.algorithms.refine import refine_with, time_share, until_time
from latconf_core.search.outcome.events import Search, SearchEvent
from latconf_core.search.pag_handling import handle_pag
from latconf_core.search.run import SearchRun

LEARNING_SHARE = 0.25  # of the time, at most
SEARCH_SHARE = 0.15  # of what is left, at most, for the search of the PAG
MOST_SEARCH_SECONDS = 60.0
MOST_VARIABLES_LISTED = 12  # up to which every MAG is listed


def auto(run: SearchRun) -> Search:
    """Learn a PAG unless there is one, search it, and refine the best DAG without latents with what was found."""
    if not run.pag.marks.any():
        yield from until_time(run, _learn(run), "learning the PAG")
    children: list[int] = []
    if run.pag.marks.any():
        yield from _search_pag(run)
        best = run.history.best_with_latents
        children = [] if best is None else [one.children for one in best.candidate.latents]
    yield from refine_with(run, children)
    return StopReason.LOCAL_MAXIMUM


def _learn(run: SearchRun) -> Iterator[SearchEvent]:
    control = time_share(run, LEARNING_SHARE)
    for event in learn_pag(run.dataset, PagOptions(method="gfci"), control=control):
        if isinstance(event, PagLearned):
            run.pag = event.result.graph
        if isinstance(event, (PagLearned, Progress)):
            yield event


def _search_pag(run: SearchRun) -> Iterator[SearchEvent]:
    """ILC-V where there are few variables, else HCLC-V, in a share of the time; what was found stays."""
    whole = run.control
    part = _limited(run)
    run.control = part
    try:
        run.pag_handling = handle_pag(run.pag, run.options.invalid_pag, control=part)
        search = ilc_v if run.dataset.n_variables <= MOST_VARIABLES_LISTED else hclc_v
        yield from _events_of(search(run))
    except StopRequested:
        whole.checkpoint()
        run.cut("the search of the PAG was ended to leave time for the rest")
    finally:
        run.control = whole


def _limited(run: SearchRun) -> RunControl:
    part = time_share(run, SEARCH_SHARE)
    limit = MOST_SEARCH_SECONDS if part.time_limit is None else min(part.time_limit, MOST_SEARCH_SECONDS)
    return run.control.child(time_limit=limit)


def _events_of(search: Generator[SearchEvent, None, StopReason]) -> Iterator[SearchEvent]:
    """The events alone."""
    yield from search
