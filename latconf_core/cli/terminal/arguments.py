"""Arguments that more than one sub-command takes: types of numbers, and how a table is read."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from latconf_core.errors import OptionError

if TYPE_CHECKING:
    from latconf_core.data.dataset import Dataset
    from latconf_core.data.preparing.choices import MissingPolicy, Preparation
    from latconf_core.data.preparing.discretise import Discretisation, DiscretiseMethod
    from latconf_core.data.preparing.prepare import Prepared
    from latconf_core.data.raw_table import RawTable
    from latconf_core.data.read_options import ReadOptions
    from latconf_core.data.watch import OnProgress

MISSING_CHOICES: dict[str, MissingPolicy] = {
    "keep": "keep",
    "drop": "drop rows",
    "state": "own state",
    "most-frequent": "most frequent",
}
CUT_POINTS = "cut-points"
METHODS: dict[str, DiscretiseMethod] = {
    "equal-width": "equal width",
    "equal-frequency": "equal frequency",
    "k-means": "k-means",
    CUT_POINTS: "cut points",
}
MOST_NOTES = 12


def seed(text: str) -> int:
    """A seed of random numbers: a whole number from 0 up."""
    return _whole_number(text, least=0)


def positive(text: str) -> int:
    """A count: a whole number from 1 up."""
    return _whole_number(text, least=1)


def natural(text: str) -> int:
    """A bound that may be nothing: a whole number from 0 up."""
    return _whole_number(text, least=0)


def _whole_number(text: str, *, least: int) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {least}")
    return int(text)


class Described(Protocol):
    """A record of a catalogue."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...


def described(catalogue: Mapping[str, Described]) -> str:
    """Every entry of a catalogue with its description, for the help of the option that chooses one."""
    return " ".join(f"{entry.name}: {entry.description}" for entry in catalogue.values()).replace("%", "%%")


class ExamplesFormatter(argparse.HelpFormatter):
    """Wraps the description, and keeps the lines of an epilog that starts with `examples:`."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.startswith("examples:"):
            return "\n".join(indent + line for line in text.splitlines())
        return super()._fill_text(text, width, indent)


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about the table that the sub-command reads; `load_table` heeds them."""
    group = parser.add_argument_group("the table")
    group.add_argument(
        "--missing",
        metavar="|".join(MISSING_CHOICES),
        help=(
            "missing cells: keep them missing (default), drop their rows, make them a state, or fill in the most "
            "frequent state; the last two can look like hidden causes"
        ),
    )
    _add_cell_options(group)
    group.add_argument(
        "--rows-are-real",
        action="store_true",
        help="repeated or designed rows were really observed: judge claims as usual",
    )
    group.add_argument(
        "--discretise",
        nargs="+",
        metavar="COLUMN=METHOD:N",
        help="cut a column of numbers into N states by equal-width, equal-frequency or k-means, such as "
        "age=equal-width:4, or at given points, such as age=cut-points:18,65",
    )


def add_cell_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about the cells of a table that a model is applied to; `read_raw` heeds them."""
    _add_cell_options(parser.add_argument_group("the table"))


def _add_cell_options(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--missing-marks",
        nargs="+",
        metavar="TEXT",
        help="texts that mean a missing cell, beside the empty cell (default: NA ? * NaN)",
    )
    group.add_argument(
        "--missing-codes",
        nargs="+",
        metavar="COLUMN=A,B",
        help="texts that mean a missing cell in one column alone, such as smoker=9 or income=-1,-2",
    )
    group.add_argument(
        "--counts", metavar="COLUMN", help="the column that says how often each row occurs (not a variable)"
    )
    group.add_argument(
        "--delimiter", metavar="CHAR", help="between cells: a character, tab or blanks (default: detected)"
    )
    group.add_argument(
        "--ordered",
        nargs="+",
        metavar="COLUMN[=a<b<c]",
        help="columns with ordered states, in the detected or the given order, lowest first (quote the <)",
    )


def load_data(path: Path, args: argparse.Namespace) -> Dataset:
    """The data of a table file as the options say; what was done to it, and what is excluded, goes to stderr."""
    return load_noted(path, args).dataset


def load_noted(path: Path, args: argparse.Namespace) -> Prepared:
    """The same with what was done to the table."""
    prepared = load_table(path, args)
    others = [note for note in prepared.notes if note not in prepared.warnings]
    excluded = [f"{excluded.name!r} is excluded: {excluded.reason}" for excluded in prepared.set_aside]
    notes = [*prepared.warnings, *others, *excluded]
    rest = len(notes) - MOST_NOTES
    for note in [*notes[:MOST_NOTES], *([f"and {rest} similar ones"] if rest > 0 else [])]:
        print(f"{path.name}: {note}", file=sys.stderr)
    return prepared


def load_table(path: Path, args: argparse.Namespace) -> Prepared:
    """The data of a table file, read and prepared as the options say."""
    from latconf_core.data.reading.load import load_dataset

    return load_dataset(path, _read_options(args.delimiter), preparation=_preparation(args))


def read_choices(path: Path, args: argparse.Namespace) -> tuple[RawTable, Preparation]:
    """A table file as it is, and all that the options say is made of it."""
    raw, _ = read_raw(path, args)
    return raw, _preparation(args)


def read_raw(
    path: Path, args: argparse.Namespace, *, on_progress: OnProgress | None = None
) -> tuple[RawTable, Preparation]:
    """A table file as it is, and which of its cells are missing or count rows."""
    from latconf_core.data.reading.load import read_table

    return read_table(path, _read_options(args.delimiter), on_progress=on_progress), _cell_choices(args)


def _read_options(delimiter: str | None) -> ReadOptions:
    from latconf_core.data.read_options import ReadOptions

    if delimiter in (" ", "blank", "blanks"):
        return ReadOptions(format="blanks")
    if delimiter is not None and len(delimiter) != 1 and delimiter not in ("tab", "\\t"):
        raise OptionError(f"--delimiter is {delimiter!r}; give one character, tab or blanks")
    return ReadOptions(delimiter="\t" if delimiter in ("tab", "\\t") else delimiter)


def _preparation(args: argparse.Namespace) -> Preparation:
    if args.missing is not None and args.missing not in MISSING_CHOICES:
        raise OptionError(f"--missing is {args.missing!r}; choose one of {', '.join(MISSING_CHOICES)}")
    return replace(
        _cell_choices(args),
        missing=MISSING_CHOICES[args.missing or "keep"],
        rows_are_real=args.rows_are_real,
        discretise=tuple(parse_rule(text) for text in args.discretise or ()),
    )


def _cell_choices(args: argparse.Namespace) -> Preparation:
    """Which cells mean missing, and which column counts rows."""
    from latconf_core.data.preparing.choices import DEFAULT_MISSING_MARKS, Preparation

    return Preparation(
        missing_marks=DEFAULT_MISSING_MARKS if args.missing_marks is None else ("", *args.missing_marks),
        counts=args.counts,
        missing_codes=tuple(parse_codes(text) for text in args.missing_codes or ()),
        ordered=tuple(parse_order(text) for text in args.ordered or ()),
    )


def parse_order(text: str) -> tuple[str, tuple[str, ...]]:
    """The column and its states, lowest first, of a text such as `grade=low<medium<high`; no states for `grade`."""
    column, equals, states = text.partition("=") if "<" in text else (text, "", "")
    order = tuple(state.strip() for state in states.split("<")) if equals else ()
    if not column or (equals and not all(order)):
        raise OptionError(f"--ordered is {text!r}; write COLUMN or COLUMN=a<b<c, such as grade=low<medium<high")
    return column, order


def parse_codes(text: str) -> tuple[str, tuple[str, ...]]:
    """The column and the texts of `smoker=8,9`; a column's name may hold `=`."""
    column, _, codes = text.rpartition("=")
    texts = tuple(code.strip() for code in codes.split(",") if code.strip())
    if not column or not texts:
        raise OptionError(f"--missing-codes is {text!r}; write COLUMN=A,B, such as smoker=8,9")
    return column, texts


def parse_rule(text: str) -> tuple[str, Discretisation]:
    """The column and the rule of a text such as `age=equal-width:4`; a column's name may hold `=` and `:`."""
    from latconf_core.data.preparing.discretise import Discretisation

    column, _, rule = text.rpartition("=")
    method, _, value = rule.partition(":")
    if not column or method not in METHODS or not value:
        remedy = f"write COLUMN=METHOD:N, such as age=equal-width:4; the methods are {', '.join(METHODS)}"
        raise OptionError(f"--discretise is {text!r}; {remedy}")
    try:
        if method == CUT_POINTS:
            return column, Discretisation(METHODS[method], cut_points=tuple(map(float, value.split(","))))
        return column, Discretisation(METHODS[method], int(value))
    except (ValueError, OptionError) as error:
        reason = str(error) if isinstance(error, OptionError) else f"{value!r} is not a number"
        raise OptionError(f"--discretise {text}: {reason}") from None
