"""The pages of the documentation, as the Help shows them and a code host does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
INDEX = "index.md"


@dataclass(frozen=True)
class DocumentationPage:
    """One page: the name of its file, its title and its Markdown."""

    name: str
    title: str
    text: str

    def has(self, words: str) -> bool:
        """Whether all of these words are in the page."""
        said = self.text.casefold()
        return all(word in said for word in words.casefold().split())


def documentation_folder() -> Path:
    """Where the pages are, installed or in a checkout."""
    installed = _PACKAGE / "_docs"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources" / "docs"


@cache
def documentation() -> Mapping[str, DocumentationPage]:
    """Every page by the name of its file, in the order of the table of contents."""
    folder = documentation_folder()
    index = (folder / INDEX).read_text(encoding="utf-8")
    names = [INDEX, *dict.fromkeys(re.findall(r"\]\(([\w-]+\.md)\)", index))]
    return {name: _read_page(folder / name) for name in names}


def heading_slug(title: str) -> str:
    """What a heading is called in links, as code hosts call it."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


def _read_page(path: Path) -> DocumentationPage:
    text = path.read_text(encoding="utf-8")
    return DocumentationPage(path.name, text.partition("\n")[0].lstrip("# ").strip(), text)
