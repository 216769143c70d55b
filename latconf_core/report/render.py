"""The report of a result as one HTML file, which needs nothing from elsewhere."""

from __future__ import annotations

import platform
from importlib.metadata import version
from pathlib import Path

from latconf_core.files import write_text_atomically
from latconf_core.formats.html_page import render_page
from latconf_core.formats.painter import Painter
from latconf_core.report import sections
from latconf_core.report.contents import ReportContents
from latconf_core.report.determined_section import determined_section
from latconf_core.report.knowledge_section import knowledge_section
from latconf_core.report.page import STYLE
from latconf_core.report.stability_section import stability_section


def render_report(contents: ReportContents, painter: Painter | None = None) -> str:
    """The HTML of a report; without a painter it has no pictures."""
    versions = used_versions()
    parts = [
        sections.head(contents, version=versions["latconf"]),
        knowledge_section(contents),
        sections.model_section(contents, painter, number=1),
        determined_section(contents, painter, number=4),
        sections.search_section(contents, painter, number=2),
        sections.pag_section(contents, painter, number=3),
        stability_section(contents),
        sections.comparison_section(contents),
        sections.data_section(contents),
        sections.repeat_section(contents, versions=versions),
    ]
    return render_page(contents.title, [part for part in parts if part], style=STYLE)


def write_report(contents: ReportContents, path: str | Path, *, painter: Painter | None = None) -> None:
    """Write the report of a result."""
    write_text_atomically(path, render_report(contents, painter))


def used_versions() -> dict[str, str]:
    """What computed the numbers."""
    names = ("latconf", "numpy", "scipy", "numba")
    return {
        **{name: version(name) for name in names},
        "Python": platform.python_version(),
        "system": platform.platform(),
    }
