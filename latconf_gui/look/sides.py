"""Which of two graphs that are laid over each other has something; free of Qt."""

from __future__ import annotations

from enum import Enum


class Side(Enum):
    """NONE where nothing is laid over anything."""

    NONE = "no overlay"
    BOTH = "both"
    ONLY_A = "A"
    ONLY_B = "B"
