"""Marks at the ends of an edge, and an edge as it is written: `A o-> B`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum


class Mark(IntEnum):
    """The mark at one end of an edge; the codes are those of pcalg's amat.pag."""

    NONE = 0
    CIRCLE = 1
    ARROW = 2
    TAIL = 3


MARK_NAMES: Mapping[Mark, str] = {Mark.CIRCLE: "circle", Mark.ARROW: "arrowhead", Mark.TAIL: "tail"}
_LEFT = {Mark.CIRCLE: "o", Mark.ARROW: "<", Mark.TAIL: "-"}
_RIGHT = {Mark.CIRCLE: "o", Mark.ARROW: ">", Mark.TAIL: "-"}
_LEFT_MARK = {text: mark for mark, text in _LEFT.items()}
_RIGHT_MARK = {text: mark for mark, text in _RIGHT.items()}


def arrow_text(at_first: Mark, at_second: Mark) -> str:
    """The three characters between two names: `o->`."""
    return f"{_LEFT[at_first]}-{_RIGHT[at_second]}"


def marks_of_arrow(text: str) -> tuple[Mark, Mark]:
    """The marks (at the first, at the second) that three characters such as `o->` stand for."""
    if len(text) == 3 and text[1] == "-" and text[0] in _LEFT_MARK and text[2] in _RIGHT_MARK:
        return _LEFT_MARK[text[0]], _RIGHT_MARK[text[2]]
    raise ValueError(f"{text!r} is not an edge; expected three characters such as -->, o->, <-> or o-o")


@dataclass(frozen=True)
class Edge:
    """An edge with a mark at each end; prints as `A o-> B`."""

    first: str
    second: str
    at_first: Mark
    at_second: Mark

    def __post_init__(self) -> None:
        if self.first == self.second:
            raise ValueError(f"an edge needs two different nodes, not {self.first!r} twice")
        if Mark.NONE in (self.at_first, self.at_second):
            raise ValueError(f"the edge {self.first!r}, {self.second!r} needs a mark at both ends")

    @classmethod
    def parse(cls, text: str) -> Edge:
        """The edge written as `A o-> B` (names without blanks)."""
        parts = text.split()
        if len(parts) != 3:
            raise ValueError(f"{text!r} is not an edge; expected NAME MARKS NAME such as A o-> B")
        return cls(parts[0], parts[2], *marks_of_arrow(parts[1]))

    @classmethod
    def from_json(cls, content: list[str]) -> Edge:
        """The edge that `to_json` gave."""
        first, arrow, second = content
        return cls(first, second, *marks_of_arrow(arrow))

    def to_json(self) -> list[str]:
        """The edge as `["A", "o->", "B"]`."""
        return [self.first, self.arrow, self.second]

    @property
    def arrow(self) -> str:
        return arrow_text(self.at_first, self.at_second)

    @property
    def is_bidirected(self) -> bool:
        return self.at_first == self.at_second == Mark.ARROW

    def reversed(self) -> Edge:
        """The same edge written from its other end."""
        return Edge(self.second, self.first, self.at_second, self.at_first)

    def __str__(self) -> str:
        return f"{self.first} {self.arrow} {self.second}"
