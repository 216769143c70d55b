"""Drawings of a member, with hollow arrows where the class leaves them open, and of the class, with lines there."""

from __future__ import annotations

from dataclasses import replace

from latconf_core.graph.marks import Edge, Mark
from latconf_core.teaching.classes.dag_members import DagMembers
from latconf_core.teaching.classes.sentences import arrow_sentence
from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_gui.drawing.content.graph_drawing import Drawing, DrawnEdge, DrawnKind
from latconf_gui.pages.learn.stage import drawing_of_drawn_dag


def drawing_of_member(dag: DrawnDag, members: DagMembers | None) -> Drawing:
    """A DAG; once its class is known, the arrows that another member has the other way are hollow."""
    drawing = drawing_of_drawn_dag(dag)
    if members is None:
        return drawing
    edges = []
    for drawn in drawing.edges:
        arrow = drawn.edge.first, drawn.edge.second
        edges.append(replace(drawn, is_open=members.is_open(arrow), note=arrow_sentence(arrow, members)))
    return replace(drawing, edges=tuple(edges))


def drawing_of_class(members: DagMembers) -> Drawing:
    """What all members have: their common arrows, and a line without marks where they differ."""
    drawing = drawing_of_drawn_dag(members.members[0])
    edges = tuple(_class_edge(drawn, members) for drawn in drawing.edges)
    return replace(drawing, edges=edges, kind=DrawnKind.CLASS)


def _class_edge(drawn: DrawnEdge, members: DagMembers) -> DrawnEdge:
    cause, effect = drawn.edge.first, drawn.edge.second
    note = arrow_sentence((cause, effect), members)
    if members.is_open((cause, effect)):
        return replace(drawn, edge=Edge(cause, effect, Mark.TAIL, Mark.TAIL), note=note)
    return replace(drawn, note=note)
