"""The data sets that a bench is to run on: the open data, files, and rows drawn from examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from latconf_core.bench.bench_data import BenchData, data_from, gather, name_example, with_truth
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.data.dataset import Dataset
from latconf_core.data.reading.load import load_dataset
from latconf_core.formats.compared_files import ComparedFile
from latconf_core.formats.example_choice import ExampleChoice


@dataclass(frozen=True, eq=False)
class OpenData:
    """The data of the document, as they are when a bench starts."""

    name: str
    dataset: Dataset
    truth: BayesNet | None


Source = OpenData | Path | ExampleChoice


def title_of(source: Source) -> str:
    """How the list calls a data set."""
    if isinstance(source, OpenData):
        return f"{source.name} (current)"
    return source.name if isinstance(source, Path) else f"{name_example(source)} (example)"


def load_sources(sources: Sequence[Source]) -> tuple[BenchData, ...]:
    """The data sets with their truths; files are read here, which takes its time."""
    files: list[Path | ExampleChoice] = [source for source in sources if not isinstance(source, OpenData)]
    loaded = iter(gather(files, lambda path: load_dataset(path).dataset))
    return tuple(_open_data(source) if isinstance(source, OpenData) else next(loaded) for source in sources)


def _open_data(source: OpenData) -> BenchData:
    if source.truth is None:
        return with_truth(source.name, source.dataset, stem=Path(source.name).stem)
    return data_from(source.name, source.dataset, ComparedFile("the truth", source.truth))
