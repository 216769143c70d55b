"""The example networks that come with the program, found in an installed wheel and in a checkout alike."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.errors import FileFormatError, OptionError
from latconf_core.files import read_text
from latconf_core.formats.networks.bif import read_bif

_PACKAGE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Example:
    """One network: what it is about, where it was published, and a common cause that is worth hiding."""

    name: str
    title: str
    description: str
    source: str
    hide: str


def examples() -> tuple[Example, ...]:
    """Every example, the smallest and best known first."""
    return tuple(_index().values())


def example_names() -> tuple[str, ...]:
    """The names that `load_example` knows."""
    return tuple(_index())


def example(name: str) -> Example:
    """What is known about one example."""
    if name not in _index():
        raise OptionError(f"there is no example {name!r}; choose one of {', '.join(_index())}")
    return _index()[name]


def load_named_example(text: str) -> BayesNet:
    """The example of this name, asked for where there is no such file."""
    if text in example_names():
        return load_example(text)
    names = ", ".join(example_names())
    raise FileFormatError(f"there is neither a file nor an example of this name (examples: {names})", text)


def load_example(name: str) -> BayesNet:
    """The network of one example."""
    return read_bif(_folder() / f"{example(name).name}.bif")


@cache
def _index() -> dict[str, Example]:
    entries = json.loads(read_text(_folder() / "index.json"))
    return {entry["name"]: Example(**entry) for entry in entries}


def _folder() -> Path:
    installed = _PACKAGE / "_examples"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources" / "examples"
