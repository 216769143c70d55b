"""How much memory states hold: an estimate, for the bound on what can be undone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.preparing.prepare import Prepared
from latconf_core.data.raw_table import RawTable
from latconf_core.formats.projects.project_state import ProjectState
from latconf_core.graph.mixed import MixedGraph

STATE_BYTES = 2_000  # the state itself, its names, choices and plans; about the same for a DAG
PLACE_BYTES = 200  # a node's name and position
VISIT_BYTES = 400  # a DAG that a search has visited
SAMPLE_BYTES = 30_000  # the PAG and the DAG of a sample of the rows


def bytes_beside(shown: ProjectState, others: Iterable[ProjectState]) -> int:
    """What the other states hold that the one that is shown does not; parts they share count once."""
    seen = {id(part) for part in _parts(shown)}
    total = 0
    for state in others:
        for part in _parts(state):
            if id(part) not in seen:
                seen.add(id(part))
                total += _size_of(part)
    return total


def _parts(state: ProjectState) -> Iterator[object]:
    yield from (state, state.positions, state.raw, state.prepared)
    yield from (pag.graph for pag in state.pags)
    yield from (item.content for item in state.compared)
    yield from (run.result.history for run in state.runs)  # which results that were graded again share
    yield from (pag.stability for pag in state.pags if pag.stability is not None)
    yield from (run.stability for run in state.runs if run.stability is not None)


def _size_of(part: object) -> int:
    match part:
        case ProjectState() | LatentDag():
            return STATE_BYTES
        case RawTable():
            return sum(column.codes.nbytes for column in part.columns)
        case Prepared():
            return 2 * part.dataset.codes.nbytes + part.rows.nbytes  # the distinct rows may be as many again
        case MixedGraph():
            return part.marks.nbytes
        case Mapping():
            return PLACE_BYTES * len(part)
        case object(candidates=candidates):  # a history; its type is not loaded for this
            return VISIT_BYTES * len(candidates)
        case object(outcomes=outcomes):  # a stability
            return SAMPLE_BYTES * len(outcomes)
    return 0
