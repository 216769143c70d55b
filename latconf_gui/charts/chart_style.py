"""How the chart of a search looks, on the screen and on paper: one colour and one marker per level.

The live chart of the Search page and the picture that `latconf run --out` writes both draw in this style.
"""

from __future__ import annotations

from dataclasses import dataclass

X_LABEL = "DAGs visited"
Y_LABEL = "{} (nats)"  # with what the score is called
BEST_LABEL = "best so far"
WITHOUT_LABEL = "best without hidden causes"
DOT_ALPHA = 0.85


@dataclass(frozen=True)
class LevelStyle:
    """A dot of one level; colours keep apart for every kind of colour blindness, and markers without any colour."""

    marker: str  # in matplotlib's words
    on_light: str
    on_dark: str

    def colour(self, *, is_dark: bool) -> str:
        return self.on_dark if is_dark else self.on_light


# After Okabe and Ito (2008), each colour lightened or darkened until it stands out from its ground.
LEVELS = (
    LevelStyle("o", "#6b7480", "#a3acb8"),
    LevelStyle("s", "#0072b2", "#56b4e9"),
    LevelStyle("^", "#c75300", "#ff9d4d"),
    LevelStyle("D", "#00805d", "#2fc99c"),
    LevelStyle("v", "#b0488a", "#e79ac6"),
    LevelStyle("P", "#8a6d00", "#f0e442"),
    LevelStyle("X", "#5b3fa8", "#b7a3ff"),
    LevelStyle("p", "#1d2229", "#ffffff"),
)


def level_style(level: int) -> LevelStyle:
    """The style of DAGs visited at this level; it repeats above the eighth."""
    return LEVELS[level % len(LEVELS)]


def dot_width(count: int) -> float:
    """The width of a dot in heights of a line of text: smaller where there are more."""
    return 0.5 if count < 200 else 0.4 if count < 2000 else 0.32


@dataclass(frozen=True)
class ChartColours:
    """The colours of everything but the dots."""

    ground: str
    text: str
    faint: str
    grid: str
    best: str
    without: str
    is_dark: bool
    line_scale: float = 1.0  # how much thicker than usual lines are


PAPER = ChartColours(
    ground="#ffffff",
    text="#1d2229",
    faint="#4d555f",
    grid="#d9dde2",
    best="#1d2229",
    without="#1d2229",
    is_dark=False,
)
