"""The core of latconf, from tables to models: its rooms and their order are in README.md beside this file.

Knows nothing of Qt, matplotlib or pygraphviz. From data to a model in five calls: `load`, `learn`, `find_latents`,
`score_dag`, `save`. Each imports what it needs when it is called, so that importing this package costs nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from latconf_core.control import RunControl
    from latconf_core.dag.latent_dag import LatentDag
    from latconf_core.data.dataset import Dataset
    from latconf_core.graph.mixed import MixedGraph
    from latconf_core.options.learning import Method
    from latconf_core.score.scorer import Score
    from latconf_core.search.outcome.result import SearchResult

__all__ = ["find_latents", "learn", "load", "save", "score_dag"]


def load(path: str | Path) -> Dataset:
    """The data in a table file: CSV, TSV, ARFF, blank-separated text, Excel or Parquet."""
    from latconf_core.data.reading.load import load_dataset

    return load_dataset(path).dataset


def learn(dataset: Dataset, method: Method = "gfci", *, preset: str = "default") -> MixedGraph:
    """A PAG learned from data by fci, rfci, cfci, mfci or gfci."""
    from latconf_core.options.learning import pag_preset
    from latconf_core.pag.learners.catalogue import run_learner

    return run_learner(dataset, pag_preset(preset, method)).graph


def find_latents(
    dataset: Dataset, pag: MixedGraph, algorithm: str = "ilc-v", *, control: RunControl | None = None, **options: Any
) -> SearchResult:
    """The result of a search: ilc-v or hclc-v; `options` are those of SearchOptions, such as seed and workers."""
    from latconf_core.options.searching import SearchOptions
    from latconf_core.search.catalogue import run_search

    return run_search(dataset, pag, algorithm, options=SearchOptions(**options), control=control)


def score_dag(dataset: Dataset, dag: LatentDag, **options: Any) -> Score:
    """The p-ELBO of a DAG with latents; `options` are those of VbemOptions, such as prior and seed."""
    from latconf_core.options.scoring import VbemOptions
    from latconf_core.score.scorer import Scorer

    return Scorer(dataset, VbemOptions(**options)).score(dag)


def save(result: SearchResult, folder: str | Path) -> tuple[str, ...]:
    """Write the model as JSON and BIF, the history and the result into a folder; the names of the files."""
    from latconf_core.formats.run_folder import write_run

    return write_run(result, folder)
