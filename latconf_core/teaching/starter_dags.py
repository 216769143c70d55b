"""DAGs to step through a learner with, each chosen for the phases and rules that it needs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from latconf_core.teaching.drawn_dag import DrawnDag, Places


def _drawn(edges: str, *, hidden: str = "", places: Places | None = None) -> DrawnDag:
    """The DAG of "A>C B>C"; hidden variables by their names, nodes without a place on a circle."""
    arrows = [tuple(arrow.split(">")) for arrow in edges.split()]
    names = dict.fromkeys(sorted(name for arrow in arrows for name in arrow))
    return DrawnDag(tuple(names), tuple((a, b) for a, b in arrows), frozenset(hidden.split()), places or {}).placed()


STARTER_DAGS: Mapping[str, DrawnDag] = MappingProxyType(
    {
        "Collider and its effect": _drawn(
            "A>C B>C C>D", places={"A": (0, 0), "B": (240, 0), "C": (120, 110), "D": (120, 220)}
        ),
        "Two hidden causes": _drawn(
            "A>B L>B L>C M>C M>D E>D",
            hidden="L M",
            places={
                "A": (0, 120),
                "B": (120, 120),
                "C": (260, 120),
                "D": (400, 120),
                "E": (520, 120),
                "L": (190, 20),
                "M": (330, 20),
            },
        ),
        "Discriminating path": _drawn(
            "D>A L>A L>B A>C B>C",
            hidden="L",
            places={"D": (0, 130), "A": (140, 130), "L": (210, 20), "B": (280, 130), "C": (210, 250)},
        ),
        "Possible-d-sep": _drawn(
            "G>A E>B A>C D>E G>E L>A L>B M>C M>D N>D N>E",
            hidden="L M N",
            places={
                "G": (170, 0),
                "A": (0, 80),
                "E": (340, 80),
                "B": (190, 150),
                "L": (90, 200),
                "C": (0, 270),
                "D": (340, 270),
                "M": (170, 330),
                "N": (440, 175),
            },
        ),
        "Tail rules": _drawn(
            "D>A F>A A>B A>C B>C D>C F>C G>C B>E E>G",
            places={
                "D": (0, 0),
                "F": (210, 0),
                "A": (90, 100),
                "B": (160, 200),
                "E": (260, 290),
                "G": (390, 260),
                "C": (420, 110),
            },
        ),
    }
)
