"""The graphs that the activity offers besides the lessons, and what it begins with."""

from __future__ import annotations

from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.separation.source_graph import SourceGraph
from latconf_gui.pages.learn.separation.choice import Choice

EXAMPLES = (
    SourceGraph.of_dag(
        "Example: chain, collider, hidden cause",
        DrawnDag(
            ("A", "B", "C", "D", "E", "H"),
            (("A", "B"), ("B", "C"), ("A", "D"), ("C", "D"), ("D", "E"), ("H", "B"), ("H", "E")),
            frozenset("H"),
            {"A": (0, 0), "B": (130, -80), "C": (260, 0), "D": (130, 80), "E": (130, 180), "H": (340, 90)},
        ),
    ),
    SourceGraph.of_dag(
        "Example: two paths",
        DrawnDag(
            ("X", "U", "V", "W", "Y", "Z"),
            (("U", "X"), ("U", "V"), ("V", "Y"), ("W", "X"), ("W", "Y"), ("X", "Z"), ("Y", "Z")),
            positions={"X": (0, 120), "Y": (260, 120), "U": (30, 0), "V": (230, 0), "W": (130, 60), "Z": (130, 190)},
        ),
    ),
)
BEGINNING = Choice("A", "C")
