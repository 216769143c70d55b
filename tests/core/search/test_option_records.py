"""Options of searches by their records: every record is a field, and a new one is in help, flags and JSON at once."""

from __future__ import annotations

import argparse

import pytest
from support.toy_option import ToyOptions, add_toy_option

from latconf_core.cli.terminal import search_options
from latconf_core.cli.terminal.search_options import add_search_options, read_search_options
from latconf_core.errors import OptionError
from latconf_core.options.searching import SearchOptions, read_field, with_field
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.option_records import OPTIONS, OneOf, OnOff, WholeNumber


def test_that_every_record_is_of_a_field_that_takes_its_values_and_of_some_search() -> None:
    defaults = SearchOptions()
    for record in OPTIONS:
        assert any(record.name in method.options for method in SEARCHES.values()), record.name
        present, kind = read_field(defaults, record.name), record.kind
        if isinstance(kind, OneOf):
            values = [value or None for value in kind.titles]
        elif isinstance(kind, OnOff):
            values = [False, True]
        else:
            assert isinstance(kind, WholeNumber)
            values = [kind.least, kind.most, *([None] if kind.none_text else [])]
        assert present in values or isinstance(kind, WholeNumber)
        for value in values:
            changed = with_field(defaults, record.name, value)
            assert read_field(SearchOptions.from_json(changed.to_json()), record.name) == value


def test_that_a_new_record_is_in_help_flags_and_json(monkeypatch: pytest.MonkeyPatch) -> None:
    add_toy_option(monkeypatch)
    monkeypatch.setattr(search_options, "DEFAULTS", ToyOptions())
    parser = argparse.ArgumentParser()
    parser.add_argument("--search")
    add_search_options(parser)
    assert "--toy-depth" in parser.format_help()
    assert "how deep the toy looks (default: 2)" in " ".join(parser.format_help().split())
    args = parser.parse_args(["--search", "ilc-v", "--toy-depth", "5"])
    options = read_search_options(args, ToyOptions())
    assert options == ToyOptions(toy_depth=5)
    assert ToyOptions.from_json(options.to_json()) == options
    with pytest.raises(OptionError, match="--toy-depth is for --search ilc-v"):
        read_search_options(parser.parse_args(["--search", "refine", "--toy-depth", "5"]), ToyOptions())
