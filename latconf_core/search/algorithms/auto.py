"""Auto: what someone who just wants an answer runs. A PAG, a search of it, and Refine, within one time limit."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial

from latconf_core.control import Progress, RunControl, StopRequested
from latconf_core.data.completed_dataset import CompletedDataset
from latconf_core.mag.listing import MagListing
from latconf_core.model.bit_dag import BitDag
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import PagLearned
from latconf_core.pag.handling import handle_pag
from latconf_core.pag.learners.catalogue import learn_pag
from latconf_core.search.algorithms.hclc import hclc_v
from latconf_core.search.algorithms.ilc import ilc_v
from latconf_core.search.algorithms.refine import refine_with, time_share, until_time
from latconf_core.search.algorithms.restarting import search_again
from latconf_core.search.catalogue import LEARNING, SEARCHING_PAG
from latconf_core.search.outcome.cuts import CutKind
from latconf_core.search.outcome.events import Search, SearchEvent
from latconf_core.search.run import SearchRun

LEARNING_SHARE = 0.25  # of the time, at most
SEARCH_SHARE = 0.15  # of what is left, at most, for the search of the PAG
MOST_SEARCH_SECONDS = 60.0
MOST_LISTED = 2000  # MAGs of the two lowest levels up to which all are scored


def auto(run: SearchRun) -> Search:
    """Learn a PAG unless there is one, search it, and refine the best DAG without latents with what was found.

    That last part is made several times from other seeds.
    """
    if not run.setup.pag.marks.any():
        yield run.start_stage(LEARNING)
        yield from until_time(run, _learn(run), CutKind.LEARNING)
    start = None
    if run.setup.pag.marks.any():
        yield run.start_stage(SEARCHING_PAG)
        start = yield from _search_pag(run)
    return (yield from search_again(run, partial(refine_with, start=start)))


def _learn(run: SearchRun) -> Iterator[SearchEvent]:
    control = time_share(run, LEARNING_SHARE)
    data, scored, knowledge = run.dataset, None, run.setup.knowledge
    if isinstance(data, CompletedDataset):  # tests use the rows that were observed
        data, scored = data.source, data
    options = PagOptions(method="gfci")
    for event in learn_pag(data, options, knowledge=knowledge, control=control, scored=scored):
        if isinstance(event, PagLearned):
            run.take_pag(event.result.graph)
            run.findings.knowledge_conflicts = event.result.knowledge_conflicts
        if isinstance(event, (PagLearned, Progress)):
            yield event


def _search_pag(run: SearchRun) -> Generator[SearchEvent, None, BitDag | None]:
    """ILC-V or HCLC-V in a share of the time; its best DAG with latents, and what was found stays."""
    name, part = "hclc-v", _limited(run)
    try:
        with run.under(part), run.share_of_work(SEARCH_SHARE):
            pag = run.setup.pag
            run.take_pag(pag, handle_pag(pag, run.options.invalid_pag, control=part))
            name = choose_search(run)
            search = ilc_v if name == "ilc-v" else hclc_v
            yield from search(run)
    except StopRequested:
        run.control.checkpoint()
        run.cut(CutKind.PAG_SEARCH)
    run.name_part(name)
    best = run.history.best_with_latents
    return None if best is None else best.candidate


def choose_search(run: SearchRun) -> str:
    """ILC-V where the lowest levels have few MAGs, else HCLC-V: counted as the pre-flight does.

    It does not go by seconds, so that the result does not depend on the machine.
    """
    handling = run.pag_handling
    listing = MagListing(handling.graph, control=run.control, is_valid=handling.is_valid)
    n_left = MOST_LISTED
    for level in (listing.n_invariant, listing.n_invariant + 1):
        count = listing.count(level, limit=n_left)
        if count is None or count > n_left:
            return "hclc-v"
        n_left -= count
    return "ilc-v"


def _limited(run: SearchRun) -> RunControl:
    part = time_share(run, SEARCH_SHARE)
    limit = MOST_SEARCH_SECONDS if part.time_limit is None else min(part.time_limit, MOST_SEARCH_SECONDS)
    return run.control.child(time_limit=limit)
