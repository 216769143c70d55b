"""The example networks that come with the program, found in an installed wheel and in a checkout alike."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, overload

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.errors import FileFormatError, OptionError
from latconf_core.files import read_text
from latconf_core.formats.example_files import examples_folder
from latconf_core.formats.networks.bif import read_bif

if TYPE_CHECKING:
    from latconf_core.formats.measured_examples import MeasuredName, MeasuredTable


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


@overload
def load_example(name: MeasuredName) -> MeasuredTable: ...  # type: ignore[overload-overlap]
@overload
def load_example(name: str) -> BayesNet: ...
def load_example(name: str) -> BayesNet | MeasuredTable:
    """The network of one example, or one of the measured tables."""
    from latconf_core.formats.measured_examples import is_measured, load_measured

    if is_measured(name):
        return load_measured(name)
    return read_bif(examples_folder() / f"{example(name).name}.bif")


@cache
def _index() -> dict[str, Example]:
    entries = json.loads(read_text(examples_folder() / "index.json"))
    return {entry["name"]: Example(**entry) for entry in entries}
