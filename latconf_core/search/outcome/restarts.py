"""How many times a search was made from other seeds, and how many of these came to the same hidden causes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Restarts:
    """Of a search that is made several times.

    asked : how often it was to be made
    made : how often it was made to its end; fewer where a limit left no room
    agreeing : how many of these support the hidden causes of the result and no others, itself among them
    """

    asked: int
    made: int
    agreeing: int

    def __post_init__(self) -> None:
        if not 1 <= self.agreeing <= self.made <= self.asked:
            raise ValueError(f"{self.agreeing} of {self.made} of {self.asked} restarts cannot agree")
