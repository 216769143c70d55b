"""How a score is said that is of a light fit: with "about", and a tip that says what to do about it."""

from __future__ import annotations

LIGHT_TIP = "Light fit: the score is only a lower bound. Opening the DAG on the Model page fits it fully"


def about(text: str, *, is_light: bool) -> str:
    """A score in words, marked where it is that of a light fit."""
    return f"about {text}" if is_light else text
