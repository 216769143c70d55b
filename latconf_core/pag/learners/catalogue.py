"""The learners by name, and a run of one on data or on an oracle; a new one is its module and a line in LEARNERS."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from latconf_core.control import RunControl
from latconf_core.counts.canonical_order import arrange_by_content
from latconf_core.counts.families import counting_table
from latconf_core.data.copies import describe_copies, find_copies
from latconf_core.data.dataset import Dataset
from latconf_core.errors import DataError, OptionError
from latconf_core.independence.base import IndependenceTest
from latconf_core.independence.catalogue import make_test
from latconf_core.independence.incomplete import IncompleteTest, describe_test_rows
from latconf_core.independence.oracle import DSeparationOracle
from latconf_core.knowledge.bound import describe_missing
from latconf_core.knowledge.knowledge import NO_KNOWLEDGE, Knowledge
from latconf_core.options.learning import PagOptions
from latconf_core.pag.events import LearnedPag, PagEvent, PagLearned
from latconf_core.pag.learners.boss_fci import BOSS_FCI
from latconf_core.pag.learners.fci import CFCI, FCI, MFCI
from latconf_core.pag.learners.gfci import GFCI
from latconf_core.pag.learners.learner import Learner
from latconf_core.pag.learners.miic import MIIC
from latconf_core.pag.learners.rfci import RFCI
from latconf_core.pag.learners.work import Work
from latconf_core.pag.rules.mark_sets import Marks
from latconf_core.plugins import Catalogue

LEARNERS = Catalogue(
    "latconf.learners", (FCI, RFCI, CFCI, MFCI, GFCI, BOSS_FCI, MIIC), kind=Learner, check=lambda record: record.fault
)

Source = Dataset | DSeparationOracle


def find_learner(name: str) -> Learner:
    """The learner of this name; OptionError where there is none."""
    if name not in LEARNERS:
        raise OptionError(f"there is no learner {name!r}; choose one of {', '.join(LEARNERS)}")
    return LEARNERS[name]


def check_takes_oracle(learner: Learner) -> None:
    """Refuse a learner that independence tests alone do not serve, and name those that they do."""
    if not learner.takes_oracle:
        *others, last = (learner.name for learner in LEARNERS.values() if learner.takes_oracle)
        choice = f"{', '.join(others)} or {last}" if others else last
        raise OptionError(f"{learner.title} needs a score of data, which an oracle does not give; choose {choice}")


def learn_pag(
    source: Source,
    options: PagOptions | None = None,
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
    control: RunControl | None = None,
    scored: Dataset | None = None,
) -> Iterator[PagEvent]:
    """The events of one learning run; the last is PagLearned with the result.

    scored : rows for the score search of a learner that has one, where cells of the source are missing: its completed
        rows; the tests use the rows of the source that are complete in their variables

    With an oracle the budgets do not apply (its answers are exact and the question is what the method would find
    with infinite data); `max_conditioning` does. Raises StopRequested where `control` ends the run.
    """
    control = RunControl() if control is None else control
    options = PagOptions() if options is None else options
    learner = find_learner(options.method)
    data = source if isinstance(source, Dataset) else None
    if data is None:
        check_takes_oracle(learner)
        options = options.without_budgets()
    elif not data.is_complete:
        _check_incomplete(learner, options, has_rows=scored is not None)
    began = control.seconds()
    # A learner looks at one variable after the other; where data contradict themselves, what it sees first may count.
    arranged = arrange_by_content(data, control) if data is not None and options.is_order_free else data
    test = _test_for(source if arranged is None else arranged, options, control)
    shown = {name: k for k, name in enumerate(source.names)}
    rows = None if scored is None or arranged is None else scored.select(arranged.names)
    work = Work(test, options, knowledge, control, arranged, shown, scored=rows)
    work.notes.extend(describe_missing(knowledge.missing_names(source.names)))
    if data is not None:
        work.notes.extend(describe_copies(find_copies(data, control)))
    tests_before = work.test.n_tests
    marks = yield from learner.learn(work)
    if isinstance(test, IncompleteTest) and data is not None:
        work.notes.extend(describe_test_rows(data.n_rows, test.least_rows, test.most_rows, test.n_not_done))
    n_tests, seconds = work.test.n_tests - tests_before, control.seconds() - began
    yield PagLearned(_result(work, marks, source.names, n_tests=n_tests, seconds=seconds))


def run_learner(
    source: Source,
    options: PagOptions | None = None,
    *,
    knowledge: Knowledge = NO_KNOWLEDGE,
    control: RunControl | None = None,
    scored: Dataset | None = None,
) -> LearnedPag:
    """The result of one learning run, its events passed over."""
    for event in learn_pag(source, options, knowledge=knowledge, control=control, scored=scored):
        if isinstance(event, PagLearned):
            return event.result
    raise AssertionError("a learning run ends with its result")


def warm_up() -> None:
    """Compile the loops, or load them where that was done before, so that the next run starts at once."""
    tiny = Dataset("ABC", [("0", "1")] * 3, np.array([[0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 1, 0]]))
    for method in ("fci", "gfci"):
        run_learner(tiny, PagOptions(method=method, alpha=1e-6))


def _check_incomplete(learner: Learner, options: PagOptions, *, has_rows: bool) -> None:
    """Refuse missing cells where the paper is promised, or where a score search has no completed rows."""
    if not options.any_column_order:
        raise DataError(
            "cells are missing, which the paper's settings do not support; choose the preset 'default', or "
            "drop rows with missing cells"
        )
    if not learner.takes_oracle and not has_rows:
        raise DataError(f"cells are missing, and {learner.name} needs complete rows; complete them, or choose fci")


def _test_for(source: Source, options: PagOptions, control: RunControl) -> IndependenceTest:
    if isinstance(source, DSeparationOracle):
        return source
    if not source.n_rows:
        raise DataError("the data have no rows; a PAG cannot be learned from them")
    if source.is_complete:
        counting_table(source, control=control)  # here, where it can be stopped
    else:
        source.find_distinct(control)
    return make_test(source, options)


def _result(work: Work, marks: Marks, names: Sequence[str], *, n_tests: int, seconds: float) -> LearnedPag:
    """What was learned, in the order of these names."""
    columns = [work.shown[name] for name in work.names]
    sepsets = {
        (min(columns[a], columns[c]), max(columns[a], columns[c])): tuple(sorted(columns[v] for v in given))
        for (a, c), given in work.sepsets.items()
    }
    ambiguous = sorted(
        (min(columns[a], columns[c]), columns[b], max(columns[a], columns[c])) for a, b, c in work.ambiguous
    )
    return LearnedPag(
        graph=work.graph(marks).reordered(names),
        options=work.options,
        sepsets={(names[a], names[c]): tuple(names[v] for v in given) for (a, c), given in sorted(sepsets.items())},
        n_tests=n_tests,
        truncated=work.truncated,
        notes=tuple(work.notes),
        conflicts=tuple(work.refused),
        ambiguous=tuple((names[a], names[b], names[c]) for a, b, c in ambiguous),
        seconds=seconds,
        knowledge_conflicts=tuple(work.knowledge_conflicts),
    )
