"""The header of a project (project.json), checked entry by entry: what is not as it should be is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from latconf_core.dag.latent_dag import Latent
from latconf_core.errors import FileFormatError, LatconfError
from latconf_core.formats.example_choice import ExampleChoice
from latconf_core.formats.knowledge_file import parse_table as parse_knowledge
from latconf_core.formats.projects.run_files import Part, reason
from latconf_core.json_form import UNREADABLE, Content, decode
from latconf_core.knowledge.knowledge import Knowledge

StateNames = dict[Latent, tuple[str, ...]]


class Header:
    """The entries of a header besides the table and the choices made about it; FileFormatError where one is odd."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self.name = self._read("name", _text, "its name")
        self.source = self._read("source", check_object, "the source of its table")
        self.settings = self._read("settings", check_object, "its settings")
        self.knowledge: Knowledge = self._read("knowledge", _knowledge, "its knowledge")
        self.current_pag = self._read("current_pag", _text_or_none, "the current PAG")
        self.current_run = self._read("current_run", _text_or_none, "the current run")
        self.latent_names = self._read("latent_names", _latent_names, "the names of latents")
        self.state_names: StateNames = self._read("state_names", _state_names, "the names of states")
        self.positions = self._read("positions", _positions, "the node positions")
        self.model_positions = self._read("model_positions", _positions, "where the nodes of models were put")

    def _read(self, key: str, check: Callable[[Any], Part], called: str) -> Part:
        try:
            return check(self._content[key])
        except (*UNREADABLE, LatconfError) as error:
            raise FileFormatError(f"the project is damaged ({called}: {reason(error)}); open an older copy") from None


def check_object(content: Any) -> Mapping[str, Any]:
    """An object of JSON."""
    if not isinstance(content, dict):
        raise FileFormatError("it is not an object")
    return content


def read_source(content: Mapping[str, Any]) -> Path | ExampleChoice | None:
    """Where a table comes from; ValueError where that is neither a path nor an example."""
    if "example" in content:
        choice: ExampleChoice = decode(ExampleChoice, check_object(content["example"]))
        return choice
    return Path(_text(content["path"])) if "path" in content else None


def check_texts(content: Any) -> tuple[str, ...]:
    """A list of texts."""
    texts: tuple[str, ...] = decode(tuple[str, ...], content)
    return texts


def _text(content: Any) -> str:
    text: str = decode(str, content)
    return text


def _text_or_none(content: Any) -> str | None:
    return None if content is None else _text(content)


def _knowledge(content: Any) -> Knowledge:
    return Knowledge.from_json(content) if isinstance(content, dict) else parse_knowledge(_text(content))


def _latent_names(content: Any) -> dict[tuple[str, ...], str]:
    return {check_texts(entry["children"]): _text(entry["name"]) for entry in content}


def _state_names(content: Any) -> StateNames:
    state_names = {}
    for entry in content:
        names = check_texts(entry["states"])
        latent = Latent(
            _text(entry["latent"]), len(names), check_texts(entry["children"]), _text_or_none(entry["parent"])
        )
        state_names[latent] = names
    return state_names


def _positions(content: Any) -> dict[str, tuple[float, float]]:
    places: dict[str, tuple[float, float]] = {}
    for name, position in check_object(content).items():
        x, y = decode(tuple[float, float], position)
        if not (isfinite(x) and isfinite(y)):
            raise FileFormatError(f"{name!r} has no valid position")
        places[name] = (x, y)
    return places
