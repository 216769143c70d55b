"""The DAGs that the activity offers besides the lessons; the first one is there at the beginning."""

from __future__ import annotations

from latconf_core.teaching.drawn_dag import DrawnDag
from latconf_core.teaching.separation.source_graph import SourceGraph

EXAMPLES = (
    SourceGraph.of_dag(
        "Example: rain, sprinkler and grass",
        DrawnDag(
            ("Season", "Rain", "Sprinkler", "Wet", "Slippery"),
            (
                ("Season", "Rain"),
                ("Season", "Sprinkler"),
                ("Rain", "Wet"),
                ("Sprinkler", "Wet"),
                ("Wet", "Slippery"),
            ),
            positions={
                "Season": (120, 0),
                "Rain": (20, 95),
                "Sprinkler": (220, 95),
                "Wet": (120, 190),
                "Slippery": (120, 285),
            },
        ),
    ),
    SourceGraph.of_dag(
        "Example: four proteins, nothing determined",
        DrawnDag(
            ("A", "B", "C", "D"),
            (("A", "B"), ("A", "C"), ("B", "C"), ("C", "D")),
            positions={"A": (0, 0), "B": (190, 0), "C": (95, 110), "D": (95, 220)},
        ),
    ),
    SourceGraph.of_dag(
        "Example: a hidden cause of two variables, and a common cause of both",
        DrawnDag(
            ("A", "B", "C", "D", "H"),
            (("A", "B"), ("A", "C"), ("H", "B"), ("H", "C"), ("C", "D")),
            frozenset("H"),
            positions={"A": (100, 0), "B": (0, 100), "C": (200, 100), "D": (200, 210), "H": (100, 170)},
        ),
    ),
)
