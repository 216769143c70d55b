"""The data sets of a bench and their truths: tables, folders of tables, and rows drawn from example networks.

Rules for names, by the part of a file's name before its suffix (`alarm_ERRCAUTER_10000`):
a truth in a folder is the file of that name, else of the longest name that it begins with, followed by `_` or `-`
(`alarm.bif`); without one, the example network that it begins with in the same way, where the network has every
column of the table. Variables of the truth that the table lacks are hidden. A name without a file,
`asia_smoke_1000` or `asia_smoke+lung_1000`, stands for rows drawn from that example with these variables hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from latconf_core.bench.fresh_rows import gives_states_of
from latconf_core.comparison.subject import Subject
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.dataset import Dataset
from latconf_core.data.reading.table_formats.registry import table_suffixes
from latconf_core.data.sampling import sample
from latconf_core.errors import FileFormatError, GraphError, LatconfError, OptionError
from latconf_core.files import has_file, has_folder, is_there
from latconf_core.formats.compared_files import ComparedFile, read_compared, to_subject
from latconf_core.formats.example_choice import DEFAULT_ROWS, DEFAULT_SEED, ExampleChoice
from latconf_core.formats.examples import example, example_names, load_example

JOINTS = ("_", "-")
MOST_DIGITS = 18  # of a number of rows


@dataclass(frozen=True, eq=False)
class BenchData:
    """A data set under the name that the table has for it.

    truth : what is known of where it comes from; None where nothing is
    network : the network that its rows were drawn from, for more of them; None where the tables are not known
    notes : what a reader of the table should know
    """

    name: str
    dataset: Dataset
    truth: Subject | None = None
    notes: tuple[str, ...] = ()
    network: BayesNet | None = None


def find_tables(texts: Iterable[str]) -> list[Path | ExampleChoice]:
    """What the texts stand for: files, the tables of a folder in the order of their names, or examples."""
    tables: list[Path | ExampleChoice] = []
    for text in texts:
        path = Path(text)
        if has_folder(path):
            inside = sorted(
                file for file in path.iterdir() if has_file(file) and file.suffix.lower() in table_suffixes()
            )
            if not inside:
                raise FileFormatError("there is no table in this folder", path)
            tables += inside
        elif not is_there(path) and (choice := parse_example(text)) is not None:
            tables.append(choice)
        else:
            tables.append(path)
    return tables


def parse_example(text: str) -> ExampleChoice | None:
    """The example, hidden variables and number of rows of a text such as `asia_smoke_1000`; None where it is none."""
    name, *rest = text.split("_")
    if name not in example_names():
        return None
    if rest and rest[-1].isdecimal() and len(rest[-1]) > MOST_DIGITS:
        raise OptionError(f"the number of rows of {name} has {len(rest[-1]):,} digits; choose fewer")
    rows = int(rest.pop()) if rest and rest[-1].isdecimal() else DEFAULT_ROWS
    hide = tuple("_".join(rest).split("+")) if rest else (example(name).hide,)
    return ExampleChoice(name, hide, rows)


def name_example(choice: ExampleChoice) -> str:
    """The text that stands for an example; its seed is named where it is not the usual one."""
    seed = "" if choice.seed == DEFAULT_SEED else f" seed {choice.seed}"
    return f"{choice.name}_{'+'.join(choice.hide)}_{choice.n_rows}{seed}"


def draw_example(choice: ExampleChoice) -> BenchData:
    """Rows drawn from an example, with its truth."""
    drawn = sample(load_example(choice.name), choice.n_rows, rng=np.random.default_rng(choice.seed), hide=choice.hide)
    name = name_example(choice)
    truth = to_subject(ComparedFile(choice.name, drawn.network), drawn.dataset.names, is_truth=True)
    return BenchData(name, drawn.dataset, truth, network=drawn.network)


def gather(
    tables: Sequence[Path | ExampleChoice], load: Callable[[Path], Dataset], *, truths: Path | None = None
) -> tuple[BenchData, ...]:
    """The data sets with different names, and with their truths; `truths` is a folder of graphs and networks."""
    if truths is not None and not has_folder(truths):
        raise FileFormatError("this is not a folder; give the folder of the true graphs", truths)
    names = _different_names(tables)
    table_sources = []
    for name, table in zip(names, tables):
        if isinstance(table, ExampleChoice):
            table_sources.append(replace(draw_example(table), name=name))
        else:
            table_sources.append(with_truth(name, load(table), stem=table.stem, truths=truths))
    return tuple(table_sources)


def with_truth(name: str, dataset: Dataset, *, stem: str, truths: Path | None = None) -> BenchData:
    """A data set with the truth that its name leads to."""
    file = None if truths is None else _find_file(stem, truths)
    if file is not None:
        return data_from(name, dataset, _read_truth(file))
    known = _longest(stem, example_names())
    if known is None:
        return BenchData(name, dataset)
    network = load_example(known)
    if not set(dataset.names) <= set(network.variables):
        return BenchData(
            name, dataset, None, (f"{name}: the example {known} lacks some of its columns, so there is no truth",)
        )
    return data_from(name, dataset, ComparedFile(known, network))


def data_from(name: str, dataset: Dataset, source: ComparedFile) -> BenchData:
    """A data set that comes from a known graph, or from a network, which can give more rows of it."""
    try:
        truth = to_subject(source, dataset.names, is_truth=True)
    except GraphError as error:
        raise GraphError(f"the truth {Path(source.name).name} does not fit its table: {error}") from None
    network = source.content
    if not isinstance(network, BayesNet):
        return BenchData(name, dataset, truth)
    if not gives_states_of(network, dataset):
        called = Path(source.name).name
        return BenchData(name, dataset, truth, (f"{name}: {called} lacks some of its states, so no fresh rows",))
    return BenchData(name, dataset, truth, network=network)


def _read_truth(file: Path) -> ComparedFile:
    try:
        return read_compared(file)
    except FileFormatError:
        raise
    except GraphError as error:
        raise GraphError(f"the truth {file.name} cannot be used: {error}") from None
    except LatconfError as error:
        raise FileFormatError(f"the truth cannot be read: {error}", file) from None


def _find_file(stem: str, folder: Path) -> Path | None:
    files = {file.stem: file for file in sorted(folder.iterdir(), reverse=True) if has_file(file)}
    known = _longest(stem, files)
    return None if known is None else files[known]


def _longest(stem: str, names: Iterable[str]) -> str | None:
    """The longest name that the stem is, or begins with before a joint."""
    fitting = [name for name in names if stem == name or any(stem.startswith(name + joint) for joint in JOINTS)]
    return max(fitting, key=len, default=None)


def _different_names(tables: Sequence[Path | ExampleChoice]) -> list[str]:
    """The stem of each, with the folder or a number before it where two would be the same."""
    stems = [name_example(file) if isinstance(file, ExampleChoice) else file.stem for file in tables]
    names: list[str] = []
    for table, stem in zip(tables, stems):
        wanted = f"{table.parent.name}/{stem}" if stems.count(stem) > 1 and isinstance(table, Path) else stem
        name, number = wanted, 1
        while name in names:
            number += 1
            name = f"{wanted} ({number})"
        names.append(name)
    return names
