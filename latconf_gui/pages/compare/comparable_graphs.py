"""What the document has that can be compared: its PAGs, the best DAGs of its runs, and the truth of an example."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from latconf_core.comparison.subject import Subject
from latconf_core.dag.hidden_variables import hidden_truth
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.dag.latent_projection import mag_of_dag
from latconf_core.formats.projects.compared_graphs import ComparedItem, Content, GraphSource
from latconf_core.formats.projects.kept_items import KeptRun, is_of
from latconf_core.graph.mixed import MixedGraph
from latconf_core.pag.validity import pag_of_mag
from latconf_core.search.outcome.history import Visit
from latconf_gui.application.document import Document

Role = Literal[
    "PAG", "MAG", "best", "with latents", "without latents", "visit", "determined", "truth", "true MAG", "true PAG"
]


DETERMINED = "What the data determine (PAG of the best DAG)"


@dataclass(frozen=True)
class Offer:
    """Something that can be compared; its graph is made when it is chosen.

    kind : DAG, MAG or PAG
    origin : where it comes from
    source : where the project has it, if it does
    """

    role: Role
    name: str
    kind: str
    origin: str
    make: Callable[[], Content | None]
    source: GraphSource | None = None

    def to_item(self) -> ComparedItem | None:
        """The graph with all about it; None where it cannot be made."""
        content = self.make()
        return None if content is None else ComparedItem(self.name, content, self.kind, self.origin, self.source)


def list_offers(document: Document) -> tuple[Offer, ...]:
    """All that the document has for these data, the current PAG and run first, the truth last."""
    return (*_pag_offers(document), *_run_offers(document), *_truth_offers(document))


def _pag_offers(document: Document) -> Iterator[Offer]:
    state = document.state
    pags = [pag for pag in state.pags if is_of(pag.data, state.dataset)]
    for kept in sorted(pags, key=lambda entry: entry is not state.kept_pag):
        kind = kind_of(kept.graph)
        source = GraphSource(pag=kept.name)
        yield Offer("PAG", kept.name, kind, kept.came_about, partial(_as_it_is, kept.graph), source)
        if kind == "PAG":
            yield Offer("MAG", f"A MAG of {kept.name}", "MAG", kept.came_about, partial(_mag_of, kept.graph))


def _as_it_is(graph: MixedGraph) -> MixedGraph:
    return graph


def _mag_of(graph: MixedGraph) -> MixedGraph | None:
    member = Subject("the PAG", graph).member
    return member if member is None or isinstance(member, MixedGraph) else member.to_graph()


def _run_offers(document: Document) -> Iterator[Offer]:
    state = document.state
    runs = [run for run in state.runs if is_of(run.data, state.dataset)]
    for run in sorted(runs, key=lambda entry: entry is not state.kept_run):
        history, chosen = run.result.history, run.result.history.chosen
        bests: dict[Role, tuple[str, Visit | None]] = {
            "best": ("Best DAG", history.best if chosen is None else history[chosen]),
            "with latents": ("Best with latents", history.best_with_latents),
            "without latents": ("Best without latents", history.best_without_latents),
        }
        for role, (title, visit) in bests.items():
            if visit is not None:
                yield _visit_offer(role, title, run, visit.index)
        if run.result.best is not None:
            pag = partial(_determined_by, run)
            yield Offer("determined", f"{DETERMINED}, {run.name}", "PAG", run.origin, pag)
        for number in document.opened_visits(run):
            yield _visit_offer("visit", f"DAG {number + 1:,}", run, number)


def _determined_by(run: KeptRun) -> MixedGraph | None:
    return run.result.determined_pag


def _visit_offer(role: Role, title: str, run: KeptRun, index: int) -> Offer:
    dag = partial(run.result.history.dag, index)
    return Offer(role, f"{title}, {run.name}", "DAG", run.origin, dag, GraphSource(run=run.name, visit=index))


def _truth_offers(document: Document) -> Iterator[Offer]:
    network, data = document.truth, document.dataset
    if network is None:
        return

    def dag() -> LatentDag:
        hidden = network.latents if data is None else set(network.variables) - set(data.names)
        return hidden_truth(network, hidden)

    origin = "the example"
    yield Offer("truth", "Truth", "DAG", origin, dag)
    yield Offer("true MAG", "MAG of the truth", "MAG", origin, lambda: mag_of_dag(dag()))
    yield Offer("true PAG", "PAG of the truth", "PAG", origin, lambda: pag_of_mag(mag_of_dag(dag())))


def kind_of(content: Content) -> str:
    """What a graph is, as far as its marks tell."""
    subject = Subject("", content)
    if subject.dag is not None:
        return "DAG"
    return "PAG" if subject.has_circles else "MAG" if subject.mag is not None else "graph"


def find_source(document: Document, content: Content) -> GraphSource | None:
    """Where the project has a graph that a page hands over, among what it offers."""
    offers = (offer for offer in list_offers(document) if offer.source is not None and offer.kind == kind_of(content))
    return next((offer.source for offer in offers if offer.make() == content), None)
