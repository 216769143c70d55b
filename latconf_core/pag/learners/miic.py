"""MIIC (Verny, Sella, Affeldt, Singh and Isambert 2017), which draws <->, run by pyAgrum; its graph completed to a PAG.

MIIC decides which variables are joined and where arrowheads stand. It gives directed edges, whose tails are not meant
as "a cause for sure": here a tail stands only where the rules of PAGs, or knowledge, ask for one.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from latconf_core.children import module_command
from latconf_core.counts.families import counting_table
from latconf_core.errors import DataError
from latconf_core.graph.bits import bits
from latconf_core.graph.marks import Mark
from latconf_core.pag.events import MIIC as MIIC_RULE
from latconf_core.pag.events import GraphStarted, PagEvent, PhaseStarted
from latconf_core.pag.learners.colliders import orientation_by_sepsets, put_knowledge
from latconf_core.pag.learners.fci import orient_by_rules
from latconf_core.pag.learners.kept_apart import separate_kept_apart
from latconf_core.pag.learners.learner import Learner, Learning
from latconf_core.pag.learners.miic_program import MiicGraph, MiicTable, find_miic_graph
from latconf_core.pag.learners.work import Work
from latconf_core.pag.rules.mark_sets import Marks
from latconf_core.pag.rules.orientation import Orientation

WORK_HERE = 50_000  # rows times pairs: below, MIIC takes less than 0.05 s; a process takes 0.3 s to begin
POLL_SECONDS = 0.02
READS = (
    "MIIC: compare the information that two variables share with what others explain of it, and keep what is left; "
    "then put arrowheads where three variables share less than their pairs do."
)


def learn_miic(work: Work) -> Learning:
    """MIIC; returns the oriented marks."""
    yield GraphStarted((), "No two variables are joined: MIIC says which ones are.")
    yield PhaseStarted("skeleton", READS)
    graph = _find_graph(work)
    work.adjacent = _neighbours(work, graph)
    names = work.names
    pairs = tuple((names[a], names[c]) for a in range(work.n) for c in bits(work.adjacent[a] & -(2 << a)))
    yield GraphStarted(pairs, "The edges of MIIC, with a circle at every end.")
    separate_kept_apart(work, work.adjacent)
    marks = work.circles()
    yield PhaseStarted("colliders", "Arrowheads: those of MIIC. Its tails are left open: they may hide a common cause.")
    yield from put_knowledge(work, marks)
    state = orientation_by_sepsets(work, marks)
    yield from _put_heads(work, state, graph)
    yield from orient_by_rules(work, state)
    return marks


def _neighbours(work: Work, graph: MiicGraph) -> list[int]:
    """MIIC's edges without those that knowledge rules out, and with those that it requires."""
    neighbours = [0] * work.n
    required = [(a, b) for b, causes in enumerate(work.known.required) for a in bits(causes)]
    allowed = [(a, b) for a, b in graph.joined if work.joinable[a] >> b & 1]
    for a, b in (*allowed, *required):
        neighbours[a] |= 1 << b
        neighbours[b] |= 1 << a
    return neighbours


def _put_heads(work: Work, state: Orientation, graph: MiicGraph) -> Iterator[PagEvent]:
    """MIIC's arrowheads; one that contradicts knowledge is refused and told."""
    marks: Marks = state.marks
    for a, b in graph.heads:
        work.control.checkpoint()
        if marks.is_adjacent(a, b):
            for change in state.put(MIIC_RULE, (a, b), (marks.at(b, a), Mark.ARROW), because=(a, b)):
                yield work.mark_changed(change)


def _find_graph(work: Work) -> MiicGraph:
    """MIIC's graph over the positions of `work`; columns with one state stay out of it."""
    codes, weights = counting_table(work.dataset, control=work.control)
    varied = np.flatnonzero((codes != codes[:1]).any(axis=0))
    if len(varied) < 2:
        return MiicGraph((), ())
    table = MiicTable(codes[:, varied], weights)
    is_small = len(codes) * len(varied) ** 2 <= WORK_HERE
    miic_graph = find_miic_graph(table) if is_small else _find_elsewhere(table, work)
    columns = varied.tolist()
    return MiicGraph(
        tuple((columns[a], columns[b]) for a, b in miic_graph.joined),
        tuple((columns[a], columns[b]) for a, b in miic_graph.heads),
    )


def _find_elsewhere(table: MiicTable, work: Work) -> MiicGraph:
    """The graph from a process of its own, which ends where the run is stopped."""
    command = module_command("latconf_core.pag.learners.miic_program")
    with tempfile.TemporaryFile() as given:  # to a pipe, a wait with a limit of time writes only at its first try
        given.write(table.to_bytes())
        given.seek(0)
        process = subprocess.Popen(
            command, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )
    with process:
        try:
            while True:
                work.control.checkpoint()
                with suppress(subprocess.TimeoutExpired):
                    answer, said = process.communicate(timeout=POLL_SECONDS)
                    break
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        lines = said.decode("utf-8", "replace").strip().splitlines() or [f"exit code {process.returncode}"]
        raise DataError(f"MIIC gave no graph for these data ({lines[-1]}); choose another learner, such as gfci")
    return MiicGraph.from_json(answer.decode("ascii"))


MIIC = Learner(
    "miic",
    "MIIC",
    "Multivariate information, run by pyAgrum; included for comparison.",
    ("any_column_order", "complete_rules"),
    learn_miic,
    takes_oracle=False,
)
