"""The end of a learner that promises a valid PAG: the nearest one, where tests and score contradict each other."""

from __future__ import annotations

from collections import deque

from latconf_core.graph.bits import BitGraph, bits
from latconf_core.graph.marks import Edge
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.events import EdgeRepaired, PhaseStarted
from latconf_core.pag.learners.colliders import put_knowledge
from latconf_core.pag.learners.learner import Learning
from latconf_core.pag.learners.work import Work
from latconf_core.pag.nearest import Nearest, find_nearest_pag
from latconf_core.pag.rules.mark_sets import Marks
from latconf_core.pag.rules.orientation import Orientation, Verdict, orient
from latconf_core.pag.validity import check_pag, differences, pag_of_mag
from latconf_core.phrases import counted

REPAIR = (
    "Repair: the tests and the score contradict each other, so this graph is not the PAG of any MAG. Replace it by "
    "the nearest valid PAG that single changes of edges lead to."
)


def repair_marks(work: Work, marks: Marks) -> Learning:
    """The marks of the nearest valid PAG, and with knowledge of the nearest one to which that was added."""
    graph = work.graph(marks)
    check = check_pag(graph, control=work.control)
    if check.valid and not work.known.binds:
        return marks
    nearest = _find(work, graph)
    if nearest.n_faults:
        if not check.valid:
            work.notes.append(
                "No valid PAG near the graph was found that agrees with the knowledge; it stays as the rules left it."
            )
        return marks
    changed = differences(graph, nearest.graph, control=work.control)
    if not changed:
        return marks
    yield PhaseStarted("repair", REPAIR)
    fault = check.reasons[0].sentence if check.reasons and not work.known.binds else ""
    for before, after in changed:
        yield EdgeRepaired(before, after, fault)
        _forget_separation(work, after)
    work.notes.append(
        f"Tests and score contradicted each other: {counted(len(changed), 'edge')} changed to make the PAG valid."
    )
    return Marks(nearest.graph.marks)


def _find(work: Work, graph: MixedGraph) -> Nearest:
    if not work.known.binds:
        return find_nearest_pag(graph, control=work.control)
    return find_nearest_pag(
        graph,
        read=lambda mag: _with_knowledge(work, mag),
        count_faults=lambda mag: _count_faults(work, mag),
        control=work.control,
    )


def _with_knowledge(work: Work, mag: BitGraph) -> MixedGraph:
    """The PAG of a MAG with the marks that knowledge puts, and what the rules make of them."""
    marks = Marks(pag_of_mag(mag, control=work.control).marks)
    deque(put_knowledge(work, marks), maxlen=0)

    def read_off(path: tuple[int, ...]) -> Verdict:
        before, node, after = path[-3:]
        into = mag.parents[node] | mag.spouses[node]
        return Verdict.COLLIDER if into >> before & 1 and into >> after & 1 else Verdict.NONCOLLIDER

    state = Orientation(marks, read_off, checkpoint=work.control.checkpoint, one_way=work.one_way)
    deque(orient(state, jointly=True), maxlen=0)
    return work.graph(marks)


def _count_faults(work: Work, mag: BitGraph) -> int:
    """The edges of a MAG that knowledge rules out, and those that it requires and the MAG has not."""
    known = work.known
    n_faults = 0
    for b in range(work.n):
        n_faults += (known.required[b] & ~mag.parents[b]).bit_count()
        n_faults += (mag.parents[b] & known.never_above[b]).bit_count()
        lone = mag.spouses[b] & ~known.siblings[b]
        n_faults += sum(1 for a in bits(lone) if a < b)
    return n_faults


def _forget_separation(work: Work, after: Edge | None) -> None:
    """Drop the set that separated a pair which is joined after all."""
    if after is not None:
        a, c = sorted((work.names.index(after.first), work.names.index(after.second)))
        work.sepsets.pop((a, c), None)
