"""How a score is said that is of a light fit: with "about", and a tip that says what to do about it."""

from __future__ import annotations

LIGHT_TIP = (
    "Fitted lightly: a first look, whose score is a lower bound. It is fitted fully when it is opened on the Model page"
)


def about(text: str, *, is_light: bool) -> str:
    """A score in words, marked where it is that of a light fit."""
    return f"about {text}" if is_light else text
