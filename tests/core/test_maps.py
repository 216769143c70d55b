"""The maps for newcomers are true: every room they name is there, every room that is there is named."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("latconf_core", "latconf_gui")
SAME_ROLE = {
    "__init__",
    "actions",
    "canvas",
    "catalogue",
    "events",
    "files",
    "inspector",
    "kernels",
    "registry",
    "sentences",
    "validity",
}


def rooms(package: str) -> list[Path]:
    return sorted(path.parent for path in (ROOT / package).rglob("__init__.py"))


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("package", PACKAGES)
def test_that_every_room_and_module_the_map_names_exists(package: str) -> None:
    text = (ROOT / package / "README.md").read_text(encoding="utf-8")
    named = [name for name in re.findall(r"`([^`]+)`", text) if "/" in name or name.endswith(".py")]
    assert len(named) > 10
    assert [name for name in named if not (ROOT / package / name).exists()] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_that_the_map_names_every_room(package: str) -> None:
    text = (ROOT / package / "README.md").read_text(encoding="utf-8")
    inside = [str(room.relative_to(ROOT / package)) for room in rooms(package) if room != ROOT / package]
    assert [name for name in inside if f"`{name}/`" not in text] == []


@pytest.mark.parametrize("room", [room for package in PACKAGES for room in rooms(package)], ids=str)
def test_that_a_room_says_what_is_in_it(room: Path) -> None:
    said = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8")))
    assert said is not None
    assert len(said.splitlines()) >= 3


@pytest.mark.parametrize("package", PACKAGES)
def test_that_no_two_modules_share_a_name_with_different_meanings(package: str) -> None:
    """Sub-commands have the names of what they do; a role that several rooms have is called the same in each."""
    places: dict[str, list[Path]] = {}
    for path in modules(package):
        if path.stem not in SAME_ROLE and path.parent.name != "cli":
            places.setdefault(path.stem, []).append(path)
    assert {name: value for name, value in places.items() if len(value) > 1} == {}
