"""Points in Spot the error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

NUMBERS = ("points", "rounds", "solved", "lost")
FULL = 3  # points for an answer at the first try without a hint


@dataclass(frozen=True)
class Score:
    """points, out of `FULL` for each of `n_rounds`; `lost` counts tries and hints of this round; `is_over` ends it."""

    points: int = 0
    n_rounds: int = 0
    n_solved: int = 0
    lost: int = 0
    is_over: bool = False

    @property
    def at_stake(self) -> int:
        """What a right answer would bring now; one point at least."""
        return max(FULL - self.lost, 1)

    def solve(self) -> Score:
        """A right answer; a second one brings nothing."""
        if self.is_over:
            return self
        return replace(
            self,
            points=self.points + self.at_stake,
            n_rounds=self.n_rounds + 1,
            n_solved=self.n_solved + 1,
            is_over=True,
        )

    def lose(self) -> Score:
        """A wrong answer or a hint."""
        return self if self.is_over else replace(self, lost=self.lost + 1)

    def give_up(self) -> Score:
        """The answer was shown."""
        return self if self.is_over else replace(self, n_rounds=self.n_rounds + 1, is_over=True)

    def next_round(self) -> Score:
        """Another puzzle; one that was left open does not count."""
        return replace(self, lost=0, is_over=False)

    def __str__(self) -> str:
        if not self.n_rounds:
            return f"A right answer gives {self.at_stake} points, fewer after a hint or a wrong answer."
        most = FULL * self.n_rounds
        return f"{self.points} of {most} points; {self.n_solved} of {self.n_rounds} solved."

    def to_json(self) -> dict[str, Any]:
        return {
            "points": self.points,
            "rounds": self.n_rounds,
            "solved": self.n_solved,
            "lost": self.lost,
            "over": self.is_over,
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Score:
        """The score that `to_json` gave; missing parts are as at the beginning."""
        points, rounds, solved, lost = (max(int(content.get(name, 0)), 0) for name in NUMBERS)
        return cls(points, rounds, solved, lost, bool(content.get("over", False)))
