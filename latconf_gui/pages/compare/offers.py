"""What the document has that can be compared: its PAGs, the best DAGs of its runs, and the truth of an example."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from latconf_core.comparison.subject import Subject
from latconf_core.dag.hidden_variables import hidden_truth
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.validity import pag_of_mag
from latconf_core.search.methods import search_title
from latconf_core.search.outcome.result import SearchResult
from latconf_gui.application.document import Document

Content = MixedGraph | LatentDag


@dataclass(frozen=True)
class Offer:
    """Something that can be compared; its graph is made when it is chosen.

    kind : DAG, MAG or PAG
    origin : where it comes from
    """

    name: str
    kind: str
    origin: str
    make: Callable[[], Content | None]


def list_offers(document: Document) -> tuple[Offer, ...]:
    """All that the document has, PAGs first, the truth last."""
    return (*_pag_offers(document), *_run_offers(document), *_truth_offers(document))


def _pags(document: Document) -> Iterator[tuple[str, str, MixedGraph]]:
    """Name, origin and graph of every PAG."""
    if document.pag is not None:
        yield "PAG", document.pag_origin, document.pag


def _runs(document: Document) -> Iterator[tuple[str, SearchResult]]:
    """Name and result of every run."""
    if isinstance(document.result, SearchResult):
        yield search_title(document.result.algorithm), document.result


def _pag_offers(document: Document) -> Iterator[Offer]:
    for name, origin, graph in _pags(document):
        yield Offer(name, kind_of(graph), origin, partial(_as_it_is, graph))
        if kind_of(graph) == "PAG":
            yield Offer(f"A MAG of {name}", "MAG", origin, partial(_mag_of, graph))


def _as_it_is(graph: MixedGraph) -> MixedGraph:
    return graph


def _mag_of(graph: MixedGraph) -> MixedGraph | None:
    member = Subject("the PAG", graph).member
    return member if member is None or isinstance(member, MixedGraph) else member.to_graph()


def _run_offers(document: Document) -> Iterator[Offer]:
    for name, result in _runs(document):
        history = result.history
        bests = {
            "Best DAG": history.best,
            "Best with latents": history.best_with_latents,
            "Best without latents": history.best_without_latents,
        }
        for title, visit in bests.items():
            if visit is not None:
                yield Offer(f"{title}, {name}", "DAG", name, partial(history.dag, visit.index))


def _truth_offers(document: Document) -> Iterator[Offer]:
    network, data = document.truth, document.dataset
    if network is None:
        return
    hidden = network.latents if data is None else set(network.variables) - set(data.names)
    dag = hidden_truth(network, hidden)
    yield Offer("Truth", "DAG", "the example", lambda: dag)
    yield Offer("MAG of the truth", "MAG", "the example", lambda: mag_of_dag(dag))
    yield Offer("PAG of the truth", "PAG", "the example", lambda: pag_of_mag(mag_of_dag(dag)))


def kind_of(content: Content) -> str:
    """What a graph is, as far as its marks tell."""
    subject = Subject("", content)
    if subject.dag is not None:
        return "DAG"
    return "PAG" if subject.has_circles else "MAG" if subject.mag is not None else "graph"
