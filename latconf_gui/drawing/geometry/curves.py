"""The lines that edges follow: one gentle bend, or straight stretches with round corners; plain numbers, no Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

Point = tuple[float, float]


@dataclass(frozen=True)
class Piece:
    """A quadratic curve."""

    start: Point
    control: Point
    end: Point

    def at(self, t: float) -> Point:
        return self._mixed((1 - t) * (1 - t), 2 * t * (1 - t), t * t)

    def _mixed(self, a: float, b: float, c: float) -> Point:
        (x0, y0), (x1, y1), (x2, y2) = self.start, self.control, self.end
        return a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2

    def between(self, low: float, high: float) -> Piece:
        """The part from one parameter to another."""
        # Blossom of the quadratic at (low, high): its middle control point.
        control = self._mixed((1 - low) * (1 - high), low * (1 - high) + high * (1 - low), low * high)
        return Piece(self.at(low), control, self.at(high))

    def turned(self) -> Piece:
        return Piece(self.end, self.control, self.start)


@dataclass(frozen=True)
class Curve:
    """Pieces that follow on each other, from the centre of one node to the centre of another; each has the same share
    of the parameter, which runs from 0 to 1.
    """

    pieces: tuple[Piece, ...]

    def at(self, t: float) -> Point:
        if len(self.pieces) == 1:
            return self.pieces[0].at(t)
        index, within = self._place(t)
        return self.pieces[index].at(within)

    def _place(self, t: float) -> tuple[int, float]:
        piece_index = min(int(t * len(self.pieces)), len(self.pieces) - 1)
        return piece_index, t * len(self.pieces) - piece_index

    def between(self, low: float, high: float) -> Curve:
        """The part of the curve from one parameter to another."""
        (first, start), (last, end) = self._place(low), self._place(high)
        if first == last:
            return Curve((self.pieces[first].between(start, end),))
        inner = self.pieces[first + 1 : last]
        return Curve((self.pieces[first].between(start, 1.0), *inner, self.pieces[last].between(0.0, end)))

    def turned(self) -> Curve:
        """The same line from its end to its start."""
        return Curve(tuple(piece.turned() for piece in reversed(self.pieces)))


def bent(start: Point, end: Point, bend: float) -> Curve:
    """The curve between two points whose middle lies `bend` × their distance to the side."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    middle = ((start[0] + end[0]) / 2 - 2 * bend * dy, (start[1] + end[1]) / 2 + 2 * bend * dx)
    return Curve((Piece(start, middle, end),))


def rounded(points: Sequence[Point], *, cut: float) -> Curve:
    """Straight stretches from point to point; the curve passes each inner one within `cut`."""
    pieces, last = list[Piece](), points[0]
    for before, corner, after in zip(points, points[1:], points[2:]):
        back, back_length = _direction(corner, before)
        ahead, ahead_length = _direction(corner, after)
        sharpness = hypot(back[0] + ahead[0], back[1] + ahead[1])  # 0 where the line goes straight on
        radius = min(back_length / 2, ahead_length / 2, 4 * cut / max(sharpness, 1e-9))
        begin = corner[0] + radius * back[0], corner[1] + radius * back[1]
        end = corner[0] + radius * ahead[0], corner[1] + radius * ahead[1]
        pieces += [_straight(last, begin), Piece(begin, corner, end)]
        last = end
    return Curve((*pieces, _straight(last, points[-1])))


def _straight(start: Point, end: Point) -> Piece:
    return Piece(start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end)


def _direction(start: Point, end: Point) -> tuple[Point, float]:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    return ((dx / length, dy / length) if length > 0 else (1.0, 0.0)), length


def unit(start: Point, end: Point) -> Point:
    """The direction from one point to another; to the right where they are the same."""
    return _direction(start, end)[0]
