"""Learners on data with missing cells: tests use the rows that they can, score searches get completed rows."""

from __future__ import annotations

from collections.abc import Iterator

from latconf_core.control import RunControl
from latconf_core.data.dataset import Dataset
from latconf_core.inference.completing.em_rounds import rows_to_score
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import LearnedPag, PagEvent, PagLearned
from latconf_core.pag.learners.catalogue import Source, find_learner, learn_pag


def learn_from_rows(
    source: Source,
    options: PagOptions | None = None,
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
    control: RunControl | None = None,
) -> Iterator[PagEvent]:
    """The events of `learn_pag`; what a score search needs for rows with missing cells is made first."""
    options = PagOptions() if options is None else options
    scored = None
    asks_for_rows = isinstance(source, Dataset) and not source.is_complete and options.any_column_order
    if asks_for_rows and isinstance(source, Dataset) and not find_learner(options.method).takes_oracle:
        scored = rows_to_score(source, control=control, known=knowledge.bind(source.names))
    yield from learn_pag(source, options, knowledge=knowledge, control=control, scored=scored)


def learned_from_rows(
    source: Source,
    options: PagOptions | None = None,
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
    control: RunControl | None = None,
) -> LearnedPag:
    """The result of `learn_from_rows`."""
    for event in learn_from_rows(source, options, knowledge=knowledge, control=control):
        if isinstance(event, PagLearned):
            return event.result
    raise AssertionError("a learning run ends with its result")
