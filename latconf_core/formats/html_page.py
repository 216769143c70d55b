"""The skeleton of a page in one HTML file: what the report and the table of a bench stand in."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from latconf_core.phrases import show_controls


def render_page(title: str, parts: Iterable[str], *, style: str) -> str:
    """The whole page; `parts` are HTML, the title is plain text. No name turns or hides what stands beside it."""
    return show_controls(
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )
