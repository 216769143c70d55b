"""The options of searches on the command line, by their records; refused where the chosen search has no use for one."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from latconf_core.cli.terminal.arguments import natural, positive
from latconf_core.errors import OptionError
from latconf_core.options.searching import SearchOptions, read_field, with_field
from latconf_core.search import option_records
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.option_records import OneOf, OnOff, OptionRecord, WholeNumber

DEFAULTS = SearchOptions()


@dataclass(frozen=True)
class SearchFlag:
    """An argument that sets fields of SearchOptions, named as in the catalogue of searches.

    settings : what argparse needs to know of it; the default is left to the options
    """

    flag: str
    fields: tuple[str, ...]
    help: str
    settings: Mapping[str, Any]

    @property
    def attribute(self) -> str:
        """Where argparse puts it."""
        return self.flag.strip("-").replace("-", "_")


def search_flags() -> tuple[SearchFlag, ...]:
    """The arguments of all options, in their order."""
    of_flag: dict[str, list[OptionRecord]] = {}
    for record in option_records.OPTIONS:
        of_flag.setdefault(record.flag, []).append(record)
    return tuple(
        SearchFlag(flag, tuple(record.name for record in records), records[0].help, _settings(records))
        for flag, records in of_flag.items()
    )


def _settings(records: Sequence[OptionRecord]) -> Mapping[str, Any]:
    """What argparse needs to know of the argument that sets some options."""
    kinds = [record.kind for record in records]
    first = kinds[0]
    if isinstance(first, OneOf):
        return {"choices": [value for value in first.titles if value]}
    if isinstance(first, OnOff):
        return {"action": "store_const", "const": not read_field(DEFAULTS, records[0].name)}
    least = min(kind.least for kind in kinds if isinstance(kind, WholeNumber))
    return {"type": positive if least > 0 else natural, "metavar": records[0].metavar}


def add_search_options(parser: argparse.ArgumentParser) -> None:
    """Add every option of a search but those that all have: time limit, seed and workers."""
    for flag in search_flags():
        default = read_field(DEFAULTS, flag.fields[0])
        shown = "" if default is None or isinstance(default, bool) else f" (default: {default})"
        parser.add_argument(flag.flag, default=None, help=f"{flag.help}{shown}", **flag.settings)


def read_search_options(args: argparse.Namespace, options: SearchOptions = DEFAULTS) -> SearchOptions:
    """The options with what the arguments say; OptionError where the search that they name has no use for it."""
    taken = SEARCHES[args.search].options
    for flag in search_flags():
        value = getattr(args, flag.attribute, None)
        if value is not None:
            refuse_unused(flag.flag, flag.fields, args.search)
            for name in flag.fields:
                options = with_field(options, name, value) if name in taken else options
    return options


def refuse_unused(flag: str, fields: tuple[str, ...], search: str) -> None:
    """Refuse an argument that a search has no use for, and say which have."""
    if not set(fields) & set(SEARCHES[search].options):
        users = ", ".join(name for name, search in SEARCHES.items() if set(fields) & set(search.options))
        raise OptionError(f"{flag} is for --search {users}, not for {search}; omit it, or choose {users}")
