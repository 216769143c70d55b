"""Pictures of values in a notebook, by whoever is installed to draw: the core itself knows no drawing library.

A package offers a painter as an entry point of the group `latconf.painters`; the window's package does.
"""

from __future__ import annotations

from html import escape
from importlib.metadata import entry_points
from typing import Any

GROUP = "latconf.painters"


def find_painter() -> Any:
    """Who draws, with the methods of `latconf_core.formats.painter.Painter`; None where nobody is installed to."""
    for entry in entry_points(group=GROUP):
        try:
            return entry.load()()
        except ImportError:  # its package is gone
            continue
    return None


def draw(method: str, value: object) -> str | None:
    """The picture of a value as SVG, drawn by a painter's method such as "dag_svg"; None where nobody can draw."""
    painter = find_painter()
    if painter is None:
        return None
    try:
        svg: str = getattr(painter, method)(value)
    except ImportError:  # a library that draws is missing
        return None
    return svg[svg.index("<svg") :]  # a page has no room for the head of a file


def make_table(titles: list[str], rows: list[list[object]]) -> str:
    """A small HTML table; every text is escaped."""
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
