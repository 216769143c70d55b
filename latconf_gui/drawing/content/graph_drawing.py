"""What a picture of a graph shows, free of Qt: nodes of two kinds, edges with a mark at each end."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from textwrap import wrap
from types import MappingProxyType

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.graph.marks import Edge, Mark
from latconf_core.graph.mixed import MixedGraph
from latconf_core.wording.mark_meanings import edge_sentence, edge_sentence_in
from latconf_gui.look.sides import Side

Positions = Mapping[str, tuple[float, float]]  # the centre of each node
Pair = frozenset[str]  # the two nodes of an edge


_BLANK = re.compile(r"[\t\n\r\u2028\u2029]")
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")  # no picture in XML can hold them
REPLACEMENT = "\ufffd"
MOST_LETTERS, LETTERS_OF_LINE = 40, 28  # of a name that is drawn in one line, and of a line of a longer one


class DrawnKind(Enum):
    """What the edges of a picture claim, which its legend says.

    MODEL : a DAG whose latents are common causes; DRAWN : a DAG with hidden variables of any kind, as a person draws it
    CLASS : what all DAGs of a class have, with a line where they differ
    """

    MODEL = "model"
    DRAWN = "drawn DAG"
    CLASS = "class"
    MAG = "MAG"
    PAG = "PAG"


def drawn_text(text: str) -> str:
    """A name as a picture shows it: in one line, with a sign for each character that cannot be seen."""
    return _INVISIBLE.sub(REPLACEMENT, _BLANK.sub(" ", text))


@dataclass(frozen=True)
class DrawnNode:
    """A node as it is drawn: a box for a measured variable, a dashed ellipse for a latent."""

    name: str
    is_latent: bool = False
    note: str = ""  # a second line, such as "3 states"
    side: Side = Side.NONE  # of two graphs that are laid over each other
    is_faded: bool = False
    states: tuple[str, ...] = ()  # shown as bars inside, which `GraphScene.show_beliefs` fills

    @property
    def label(self) -> str:
        """The whole name, a long one in lines: of two questions of a survey the middle may be all that differs."""
        text = drawn_text(self.name)
        return text if len(text) <= MOST_LETTERS else "\n".join(wrap(text, LETTERS_OF_LINE))


@dataclass(frozen=True)
class Beliefs:
    """How probable each state of a node is, and which of them is seen or set.

    before : the same with nothing seen or set
    """

    shares: tuple[float, ...]
    before: tuple[float, ...]
    seen: int | None = None
    set_to: int | None = None


@dataclass(frozen=True)
class EdgeShare:
    """How often an edge is there in samples of the rows.

    joined : the share that join the two nodes, shown by the thickness of the line
    as_drawn : the share that have this very edge, shown as a number
    note : all of it in a sentence
    """

    joined: float
    as_drawn: float
    note: str


@dataclass(frozen=True)
class DrawnEdge:
    """An edge as it is drawn; `is_emphasised` gives it the colour of latents.

    side : which of two graphs that are laid over each other has it
    other : in an overlay, the edge of A where that of B has other marks
    is_faint, faint_ends : the edge, or the marks at these nodes, are not sure
    is_open : the data leave the direction of an arrow open, which gives it a hollow head on a lighter line
    is_other_open : the same of the edge of A
    note : what the edge says, and what supports it
    """

    edge: Edge
    is_emphasised: bool = False
    side: Side = Side.NONE
    other: Edge | None = None
    is_faded: bool = False
    is_faint: bool = False
    faint_ends: frozenset[str] = frozenset()
    is_visible: bool = False  # an arrow behind which no hidden common cause lies, drawn thick
    is_cut: bool = False  # because the node at its head is set
    share: EdgeShare | None = None
    is_open: bool = False
    is_other_open: bool = False
    note: str = ""

    @property
    def pair(self) -> Pair:
        return frozenset((self.edge.first, self.edge.second))


@dataclass(frozen=True)
class Drawing:
    """Everything a scene or a layout needs to know about a graph."""

    nodes: tuple[DrawnNode, ...] = ()
    edges: tuple[DrawnEdge, ...] = ()
    kind: DrawnKind = DrawnKind.PAG
    overlaid: tuple[str, str] | None = None  # the names of A and B, where this is an overlay

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(node.name for node in self.nodes)

    @cached_property
    def by_pair(self) -> Mapping[Pair, DrawnEdge]:
        return {drawn.pair: drawn for drawn in self.edges}

    @property
    def is_dag(self) -> bool:
        """Whether every edge is an arrow from a cause to its effect."""
        return self.kind in (DrawnKind.MODEL, DrawnKind.DRAWN)

    @property
    def has_open(self) -> bool:
        """Whether the data leave the direction of an arrow open."""
        return any(drawn.is_open for drawn in self.edges)

    @property
    def has_latents(self) -> bool:
        return any(node.is_latent for node in self.nodes)

    @property
    def has_bars(self) -> bool:
        """Whether states are shown as bars."""
        return any(node.states for node in self.nodes)

    @property
    def has_visible(self) -> bool:
        """Whether visible edges are drawn as such."""
        return any(drawn.is_visible for drawn in self.edges)

    @property
    def has_shares(self) -> bool:
        """Whether edges show how often they are there in samples."""
        return any(drawn.share is not None for drawn in self.edges)

    @property
    def has_bidirected(self) -> bool:
        """Whether an edge has an arrowhead at both ends."""
        return any(drawn.edge.at_first == drawn.edge.at_second == Mark.ARROW for drawn in self.edges)

    @cached_property
    def marks(self) -> frozenset[Mark]:
        """The marks that occur."""
        return frozenset(mark for drawn in self.edges for mark in (drawn.edge.at_first, drawn.edge.at_second))


Shares = Mapping[Pair, EdgeShare]
NO_SHARES: Shares = MappingProxyType({})


def drawing_of_graph(
    graph: MixedGraph,
    emphasised: Collection[Pair] = (),
    *,
    visible: Collection[Pair] = (),
    shares: Shares = NO_SHARES,
    kind: DrawnKind = DrawnKind.PAG,
) -> Drawing:
    """The picture of a PAG or, where the kind says so, a MAG; `visible` edges are thick, `shares` are of samples."""
    pairs = ((edge, frozenset((edge.first, edge.second))) for edge in graph.edges())
    edges = (
        DrawnEdge(
            edge,
            pair in emphasised,
            is_visible=pair in visible,
            share=shares.get(pair),
            note=note_of(edge, kind),
        )
        for edge, pair in pairs
    )
    return Drawing(tuple(DrawnNode(name) for name in graph.nodes), tuple(edges), kind=kind)


def note_of(edge: Edge, kind: DrawnKind) -> str:
    """What an edge says in a graph of a kind, without what supports it."""
    if kind == DrawnKind.PAG:
        return edge_sentence(edge)
    return edge_sentence_in("MAG" if kind == DrawnKind.MAG else "DAG", edge)


NO_STATES: Mapping[str, tuple[str, ...]] = MappingProxyType({})
NO_NOTES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class ArrowSupport:
    """What the data say of an arrow of a DAG: a sentence, and whether they leave its direction open."""

    sentence: str
    is_open: bool = False


Arrow = tuple[str, str]  # cause, effect
Supports = Mapping[Arrow, ArrowSupport]
NO_SUPPORTS: Supports = MappingProxyType({})


def drawing_of_dag(
    dag: LatentDag,
    *,
    states: Mapping[str, tuple[str, ...]] = NO_STATES,
    cut: Collection[str] = (),
    shares: Shares = NO_SHARES,
    notes: Mapping[str, str] = NO_NOTES,
    supports: Supports = NO_SUPPORTS,
) -> Drawing:
    """The picture of a DAG with latents: latents as ellipses, their edges emphasised.

    states : of nodes whose states are shown as bars
    cut : nodes that are set, into which no edge leads any more
    shares, notes : of edges in samples of the rows, and what stands below the name of a latent instead of its states
    supports : what the data say of each arrow, once that is known
    """
    hidden = {latent.name for latent in dag.latents}
    nodes = [DrawnNode(name, states=states.get(name, ())) for name in dag.nodes]
    for other_latent in dag.latents:
        state = states.get(other_latent.name, ())
        note = "" if state else notes.get(other_latent.name, f"{other_latent.n_states} states")
        nodes.append(DrawnNode(other_latent.name, is_latent=True, note=note, states=state))
    edges = []
    for parent, child in dag.all_edges():
        edge, support = Edge(parent, child, Mark.TAIL, Mark.ARROW), supports.get((parent, child))
        drawn = DrawnEdge(
            edge,
            parent in hidden or child in hidden,
            is_cut=child in cut,
            share=shares.get(frozenset((parent, child))),
            is_open=support is not None and support.is_open,
            note=note_of(edge, DrawnKind.MODEL) if support is None else support.sentence,
        )
        edges.append(drawn)
    return Drawing(tuple(nodes), tuple(edges), kind=DrawnKind.MODEL)
