"""The graphs that the activity offers besides the lessons; the first one is there at the beginning."""

from __future__ import annotations

from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.separation.source_graph import SourceGraph

EXAMPLES = (
    SourceGraph.of_dag(
        "Example: three causes, two of them related",
        DrawnDag(
            ("A", "B", "C", "D"),
            (("B", "C"), ("A", "D"), ("B", "D"), ("C", "D")),
            positions={"A": (0, 110), "B": (110, 0), "C": (260, 0), "D": (185, 130)},
        ),
    ),
    SourceGraph.of_dag(
        "Example: two hidden causes",
        DrawnDag(
            ("A", "B", "C", "D", "E", "H1", "H2"),
            (("A", "B"), ("B", "C"), ("D", "C"), ("D", "E"), ("H1", "B"), ("H1", "C"), ("H2", "C"), ("H2", "E")),
            frozenset(("H1", "H2")),
            {
                "A": (0, 60),
                "B": (110, 60),
                "C": (220, 120),
                "D": (330, 60),
                "E": (330, 180),
                "H1": (180, 0),
                "H2": (220, 210),
            },
        ),
    ),
)
