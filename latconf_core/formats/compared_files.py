"""Files of graphs, DAGs with latents and networks as sides of a comparison, all on the same variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from latconf_core.comparison.subject import Subject
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.dag.hidden_variables import hidden_truth, hide_in_dag
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import GraphError
from latconf_core.files import has_folder, is_there
from latconf_core.formats.examples import load_named_example
from latconf_core.formats.graphs.graph_document import GraphDocument
from latconf_core.formats.graphs.registry import read_document
from latconf_core.formats.networks.registry import holds_network, read_network
from latconf_core.formats.run_folder import RESULT
from latconf_core.graph.mixed import MixedGraph


@dataclass(frozen=True)
class ComparedFile:
    """What one file holds."""

    name: str
    content: BayesNet | GraphDocument
    is_dag: bool = False  # whatever it holds, it is one: the best DAG of a run may have no latents

    @property
    def observed(self) -> tuple[str, ...]:
        """The variables that it names and does not call latent."""
        if isinstance(self.content, BayesNet):
            return tuple(name for name in self.content.variables if name not in self.content.latents)
        return tuple(name for name in self.content.graph.nodes if name not in self.content.latents)


def read_compared(path: Path, *, nodes: Sequence[str] | None = None) -> ComparedFile:
    """A graph file, a network (BIF, XMLBIF, XDSL, NET, JSON), or the folder of a run, whose best DAG is meant.

    nodes : the variables of the data, where there are some
    """
    is_run = has_folder(path)
    if not is_run and holds_network(path):
        return ComparedFile(str(path), read_network(path))
    return ComparedFile(str(path), read_document(path / RESULT if is_run else path, nodes=nodes), is_dag=is_run)


def read_truth(text: str) -> ComparedFile:
    """The true graph: a file as for `read_compared`, or the name of an example."""
    path = Path(text)
    return read_compared(path) if is_there(path) else ComparedFile(text, load_named_example(text))


def variables_of(files: Sequence[ComparedFile]) -> tuple[str, ...]:
    """The variables of all that say which they have; some formats name only nodes with an edge."""
    listing = [graph for graph in files if isinstance(graph.content, BayesNet) or graph.content.lists_nodes] or files
    return tuple(dict.fromkeys(name for graph in listing for name in graph.observed))


def to_subject(file: ComparedFile, variables: Sequence[str], *, is_truth: bool = False) -> Subject:
    """A side of a comparison on these variables; those of a truth that are not among them are hidden."""
    unknown = [name for name in file.observed if name not in set(variables)]
    if unknown and len(unknown) == len(file.observed):
        raise GraphError(
            f"{Path(file.name).name} has none of the variables of the others ({', '.join(variables[:3])}, …); only "
            "graphs of the same variables can be compared: choose another file"
        )
    if unknown and not is_truth:
        raise GraphError(
            f"{Path(file.name).name} has {', '.join(map(repr, unknown))}, which the others lack; only graphs of the "
            "same variables can be compared"
        )
    if isinstance(file.content, BayesNet):
        content: MixedGraph | LatentDag = _network_dag(file.content, unknown, is_truth=is_truth)
    else:
        content = _content(file, file.content, unknown)
    return Subject(file.name, _with_nodes(content, variables))


def _network_dag(network: BayesNet, hidden: Sequence[str], *, is_truth: bool) -> LatentDag:
    """The DAG of a network; a model as it is, a truth with its hidden variables made roots."""
    if not is_truth and not hidden:
        try:
            return network.to_dag()
        except GraphError:  # a latent with several parents, or with one child
            pass
    return hidden_truth(network, {*hidden, *network.latents})


def _content(file: ComparedFile, document: GraphDocument, hidden: Sequence[str]) -> MixedGraph | LatentDag:
    if not hidden:
        return document.to_dag() if document.latents or file.is_dag else document.graph
    try:
        return hide_in_dag(document.to_dag(), hidden)
    except GraphError as error:
        raise GraphError(
            f"{Path(file.name).name} has {', '.join(map(repr, hidden))}, which the graphs lack; only a true DAG can "
            f"have hidden variables ({error})"
        ) from None


def _with_nodes(content: MixedGraph | LatentDag, variables: Sequence[str]) -> MixedGraph | LatentDag:
    """The same on all variables, in their order; those it does not name have no edge."""
    if isinstance(content, LatentDag):
        return LatentDag(variables, content.edges, content.latents)
    return MixedGraph.from_edges(variables, content.edges())
