"""README and the documentation: links lead somewhere, commands are commands, tables are those of the catalogues."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from latconf_core.cli.main import build_parser
from latconf_core.independence.catalogue import INDEPENDENCE_TESTS
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.search.catalogue import SEARCHES

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "resources" / "docs" / "methods.md"
CATALOGUES = (("search", SEARCHES), ("learner", LEARNERS), ("test", INDEPENDENCE_TESTS))


def test_that_the_page_on_methods_lists_what_the_catalogues_hold() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    wanted = [f"| `{name}` ({kind}) | {value.description} |" for kind, own in CATALOGUES for name, value in own.items()]
    assert [line for line in lines if line.startswith("| `") and line.split("`")[2].startswith(" (")] == wanted


def pages() -> list[Path]:
    return [ROOT / "README.md", *sorted(PAGE.parent.glob("*.md"))]


def test_that_the_readme_fits_a_screen_or_two() -> None:
    assert (ROOT / "README.md").stat().st_size <= 6 * 1024


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_that_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if not link.startswith("http")]
    for link in links:
        place, _, heading = link.partition("#")
        target = (page.parent / place).resolve() if place else page
        assert target.exists(), link
        assert not heading or heading in headings(target), link


def headings(page: Path) -> set[str]:
    """What the headings of a page are called in links, as code hosts call them."""
    lines = page.read_text(encoding="utf-8").splitlines()
    titles = [line.lstrip("#").strip().lower() for line in lines if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in titles}


def test_that_the_contents_name_every_page() -> None:
    text = (PAGE.parent / "index.md").read_text(encoding="utf-8")
    assert [
        page.name for page in PAGE.parent.glob("*.md") if page.name != "index.md" and f"({page.name})" not in text
    ] == []


def commands() -> list[str]:
    """Every line of the pages that calls latconf, with or without run.py."""
    lines = [line for page in pages() for line in page.read_text(encoding="utf-8").splitlines()]
    return [line.strip() for line in lines if re.match(r" {4}(latconf|python3 run\.py) \w", line)]


@pytest.mark.parametrize("command", commands())
def test_that_every_command_of_the_pages_is_one(command: str) -> None:
    words = shlex.split(command, comments=True)
    words = words[2:] if words[0] == "python3" else words[1:]
    if words[0] in ("test", "build"):  # of run.py itself
        return
    args = build_parser().parse_args(words)
    assert args.command == words[0]


def test_that_the_citation_and_the_licence_agree_with_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {project['version']}\n" in citation
    assert f"license: {project['license']}\n" in citation
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith(f"{project['license']} License")
