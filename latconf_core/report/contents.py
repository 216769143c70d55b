"""What a report tells: a result with the data it came from, its tables, and what it can be compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.data.dataset import Dataset
from latconf_core.graph.mixed import MixedGraph
from latconf_core.json_form import KEY, Content, decode_fields, encode_fields, migrate
from latconf_core.options.learning import PagOptions
from latconf_core.search.outcome.result import SearchResult

if TYPE_CHECKING:
    from latconf_core.pag.events import PagEvent
    from latconf_core.stability.stability_result import Stability

VERSION = 1


@dataclass(frozen=True)
class VariableSummary:
    """A variable with the number of rows in each of its states."""

    name: str
    states: tuple[str, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True)
class DataSummary:
    """What is told of the data.

    source : where they come from, in words
    notes : what was done to the table, a sentence each
    """

    source: str
    n_rows: int = field(metadata={KEY: "rows"})
    variables: tuple[VariableSummary, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, dataset: Dataset, *, source: str = "", notes: Sequence[str] = ()) -> DataSummary:
        """The summary of some data."""
        counts = (tuple(map(int, dataset.counts(name))) for name in dataset.names)
        variables = tuple(map(VariableSummary, dataset.names, dataset.states, counts))
        return cls(source, dataset.n_rows, variables, tuple(notes))


@dataclass(frozen=True, eq=False)
class ReportContents:
    """Everything that a report can tell; what is None is left out.

    network : the tables of the best DAG with their Dirichlet parameters
    pag_origin : how the PAG came about, e.g. "GFCI, alpha 0.05"
    learner : the name of the learner that it came from; empty where it was drawn or read
    pag_events : what its learner told, from which the reasons of marks are read
    truth : what is known to be true, for comparison
    command : the words that repeat the run on a command line
    names : names given to latents by hand, by those of the model
    stability : what came of repeating the run on samples of the same rows
    """

    result: SearchResult
    title: str
    data: DataSummary | None = None
    network: BayesNet | None = None
    pag_origin: str = ""
    learner: str = ""
    pag_events: tuple[PagEvent, ...] = ()
    truth: LatentDag | MixedGraph | None = None
    command: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    stability: Stability | None = None


@dataclass(frozen=True)
class RunAbout:
    """What the folder of a run keeps beside its result, so that a report can be made from it later.

    learner : how the PAG was learned; None where it was given, or there was none
    """

    data: DataSummary
    command: tuple[str, ...] = ()
    pag_origin: str = ""
    learner: PagOptions | None = None

    def to_json(self) -> dict[str, Any]:
        """The content of about.json."""
        return {"version": VERSION, **encode_fields(self)}

    @classmethod
    def from_json(cls, content: Content) -> RunAbout:
        """What `to_json` gave."""
        return decode_fields(cls, migrate(content, {}, current=VERSION, what="this about.json"))
