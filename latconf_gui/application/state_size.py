"""How much memory states hold: an estimate, for the bound on what can be undone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from latconf_core.data.preparing.prepare import Prepared
from latconf_core.data.reading.raw_table import RawTable
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.graph.mixed import MixedGraph

STATE_BYTES = 2_000  # the state itself, its names, choices and plans
PLACE_BYTES = 200  # a node's name and position
VISIT_BYTES = 400  # a DAG that a search has visited


def bytes_beside(shown: ProjectState, others: Iterable[ProjectState]) -> int:
    """What the other states hold that the one that is shown does not; parts they share count once."""
    seen = {id(part) for part, _ in _parts(shown)}
    total = 0
    for state in others:
        for part, size in _parts(state):
            if id(part) not in seen:
                seen.add(id(part))
                total += size
    return total


def _parts(state: ProjectState) -> Iterator[tuple[object, int]]:
    yield state, STATE_BYTES
    yield state.positions, PLACE_BYTES * len(state.positions)
    if state.raw is not None:
        yield state.raw, _table_bytes(state.raw)
    if state.prepared is not None:
        yield state.prepared, _data_bytes(state.prepared)
    for pag in state.pags:
        yield pag.graph, pag.graph.marks.nbytes
    for one in state.compared:
        if isinstance(one.content, MixedGraph):
            yield one.content, one.content.marks.nbytes
    for run in state.runs:
        yield run.result, VISIT_BYTES * len(run.result.history)


def _table_bytes(raw: RawTable) -> int:
    return sum(column.codes.nbytes for column in raw.columns)


def _data_bytes(prepared: Prepared) -> int:
    return 2 * prepared.dataset.codes.nbytes + prepared.rows.nbytes  # the distinct rows may be as many again
