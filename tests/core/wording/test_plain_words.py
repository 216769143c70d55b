"""Words that the program no longer uses: each stands for its kind, so that new texts do not bring them back."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PHRASES = (
    r"direct cause\b",
    r"so their edge goes",
    r"common cause links them",
    r"links them",
    r"speaks against",
    r"asks for (it|a hidden)",
    r"\bare asked for",
    r"a suspicion",
    r"explains? as much",
    r"stands? or falls?",
    r"the search ended before:",
    r"look(s|ed)? for such",
    r"looked for without",
    r"that are not there",
    r"foresees?\b",
    r"cannot be used as it is",
    r"that come of it",
    r"about as many rows",
    r"where I say",
    r"\bby hand\b",
    r"Tiers without causes",
    r"who (comes|causes)\b",
    r"\btaken? back\b",
    r"\bMost (bidirected|DAGs|states|parents)\b",
    r"Tolerance of",
    r"no better than those before",
    r"How often it comes back",
    r"comes? back\b",
    r"came back\b",
    r"Nothing was repeated",
    r"goes with\b",
    r"tells? (the|most of each) other",
    r"See against",
    r"h(e|o)ld(ing|s)? (\{[^}]*\} |\w+ )?fixed",
    r"(is|are) seen (or|and) set",
    r"Know nothing",
    r"with Shift held",
    r"look no further",
    r"\banew\b",
    r"Turn the arrow",
    r"turn(ed|ing)? (the .*)?round\b",
    r"\bMend\b",
    r"would overwrite the other",
    r"than can be meant",
    r"\bNo (MAG|PAG): puzzle",
    r"fit paper",
    r"that data prove",
    r"nothing (that )?(tells|decided)",
    r"perhaps for want",
    r"\bby way of\b",
    r"says the same as",
    r"is there already",
    r"not there any more",
    r"as it was before it was changed",
    r"no length of time",
    r"this is no (?!longer)",
    r"(?<!here )is no (MAG|PAG|DAG|collider|valid|variable|probability|address|network|text)\b",
    r"\bwhatever it is\b",
    r"luck plays",
    r"begins? anew",
    r"rests? on (those|the)",
    r"\bbinds?\b",
    r"what is (seen|set|kept|hidden|done)\b",
    r"near(s|er)? the truth",
    r"put into the best",
    r"in the place of",
    r"\bOpen data \(Bench\)",
    r"Forget recent",
)
FOUND = re.compile("|".join(f"(?:{phrase})" for phrase in PHRASES))
PACKAGES = ("latconf_core", "latconf_gui")
ALLOWED = ("Most probably",)


def said_in(path: Path) -> Iterator[str]:
    """The strings of a module with spaces in them that are no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
            yield "".join(str(part) for part in parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.value


def texts_of(content: object) -> Iterator[str]:
    """Every text of a JSON value."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        for value in content.values():
            yield from texts_of(value)
    elif isinstance(content, list):
        for value in content:
            yield from texts_of(value)


def old_words(texts: Iterator[str]) -> list[str]:
    return [text for text in texts if FOUND.search(text) and not any(phrase in text for phrase in ALLOWED)]


@pytest.mark.parametrize("package", PACKAGES)
def test_that_no_text_of_the_program_has_the_old_words(package: str) -> None:
    paths = sorted((ROOT / package).rglob("*.py"))
    assert {str(path.relative_to(ROOT)): old for path in paths if (old := old_words(said_in(path)))} == {}


def test_that_no_page_of_the_documentation_has_the_old_words() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "resources" / "docs").glob("*.md"))]
    lines = {page.name: iter(page.read_text(encoding="utf-8").splitlines()) for page in pages}
    assert {name: old for name, texts in lines.items() if (old := old_words(texts))} == {}


def test_that_no_lesson_and_no_term_has_the_old_words() -> None:
    paths = [*(ROOT / "resources" / "lessons").glob("*.json"), *(ROOT / "resources" / "glossary").glob("*.json")]
    read = {path.name: texts_of(json.loads(path.read_text(encoding="utf-8"))) for path in paths}
    assert {name: old for name, texts in read.items() if (old := old_words(texts))} == {}
