"""An option of a search that the program lacks: the field of its dataclass and its record, nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from latconf_core.options.searching import SearchOptions
from latconf_core.search import option_records
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.option_records import OptionRecord, WholeNumber


@dataclass(frozen=True)
class ToyOptions(SearchOptions):
    """What another line in SearchOptions would make of it."""

    toy_depth: int = 2


TOY = OptionRecord(
    "toy_depth",
    WholeNumber(0, 9),
    "--toy-depth",
    "ilc-v: how deep the toy looks",
    "Depth of the toy",
    "So deep the toy looks",
    of=("ilc-v",),
)


def add_toy_option(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the record into the catalogue, and what the catalogue of searches takes from there."""
    monkeypatch.setattr(option_records, "OPTIONS", (*option_records.OPTIONS, TOY))
    method = SEARCHES["ilc-v"]
    named = option_records.options_of(method.name)
    assert named == ("toy_depth",)
    monkeypatch.setitem(SEARCHES, method.name, replace(method, options=(*method.options, *named)))
