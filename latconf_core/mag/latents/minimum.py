"""DAGs with latents that have the independencies of a MAG: with the fewest latents, or one for every <->."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product

from latconf_core.control import RunControl
from latconf_core.dag.latent_dag import Latent, LatentDag, latent_names
from latconf_core.graph.bits import BitGraph, as_bits, bits, components, is_visible
from latconf_core.graph.mixed import MixedGraph
from latconf_core.mag.latents.cover import CoverSearch, Family, TooManySteps, merge_greedily
from latconf_core.mag.latents.family_checker import FamilyChecker
from latconf_core.mag.validity import as_mag, is_mag

ChildSets = tuple[tuple[str, ...], ...]

MAX_STEPS = 20_000  # of the exact search of one part, about a second; merging sets, which then follows, is quick


@dataclass(frozen=True)
class MinimumLatents:
    """The children of each of the fewest latents that explain a graph.

    sets : the children of each latent as bits, in the order of their positions
    is_exact : False where the search was too long and sets were merged greedily: fewer may be possible
    """

    nodes: tuple[str, ...]
    sets: tuple[int, ...]
    is_exact: bool

    @property
    def child_sets(self) -> ChildSets:
        """The names of the children of each latent."""
        return _names(self.nodes, self.sets)

    @property
    def n_latents(self) -> int:
        return len(self.sets)


def minimum_latents(
    mag: MixedGraph | BitGraph, *, max_steps: int = MAX_STEPS, control: RunControl | None = None
) -> MinimumLatents:
    """The best of the smallest families of latents whose DAG has exactly the m-separations of the MAG.

    A latent may cover several <->, and directed edges that are invisible; a <-> may even need no latent of its
    own. Among the smallest families the best confounds fewest directed edges, then has fewest children.
    A graph in bit form, as a listing gives it, is taken to be a MAG; one of marks is checked.
    """
    form = _checked(mag)
    sets: list[int] = []
    is_exact = True
    for families, is_solved in _solved_parts(form, max_steps=max_steps, control=control or RunControl()):
        sets.extend(families[0])
        is_exact = is_exact and is_solved
    return MinimumLatents(form.nodes, in_order(sets), is_exact)


def optimal_families(mag: MixedGraph | BitGraph, *, max_steps: int = MAX_STEPS) -> Iterator[ChildSets]:
    """All of the smallest families, that of `minimum_latents` first.

    Children are nodes with a <-> only: giving a latent more children would claim more than the MAG does.
    """
    form = _checked(mag)
    solved = _solved_parts(form, max_steps=max_steps, control=RunControl())
    for choice in product(*(families for families, _ in solved)):
        yield _names(form.nodes, in_order(chain.from_iterable(choice)))


def one_latent_per_edge(mag: MixedGraph | BitGraph) -> tuple[int, ...]:
    """The child sets, as bits, of the DAG with a latent of its own for every <->: it claims no more than the MAG."""
    return in_order(1 << a | 1 << b for a, b in as_bits(mag).bidirected())


def clique_cover(
    graph: MixedGraph | BitGraph, *, max_steps: int = MAX_STEPS, control: RunControl | None = None
) -> MinimumLatents:
    """The fewest cliques of <-> that hold every <->: what a graph that is no MAG is given for latents."""
    form = as_bits(graph)
    checker = FamilyChecker(form)
    control = control or RunControl()
    sets: list[int] = []
    is_exact = True
    for part in components(form.spouses, _with_spouse(form)):
        try:
            search = CoverSearch(checker, form.spouses, part, max_steps=max_steps, control=control, may_induce=False)
            sets.extend(search.optima()[0])
        except TooManySteps:
            is_exact = False
            sets.extend(1 << a | 1 << b for a in bits(part) for b in bits(form.spouses[a] & -(2 << a)))
    return MinimumLatents(form.nodes, in_order(sets), is_exact)


def to_latent_dag(mag: MixedGraph | BitGraph, child_sets: Sequence[Sequence[str]], *, n_states: int = 2) -> LatentDag:
    """The directed edges of a graph with one latent over each set of children."""
    form = as_bits(mag)
    names = latent_names(len(child_sets), form.nodes)
    latents = [Latent(name, n_states, tuple(children)) for name, children in zip(names, child_sets)]
    return LatentDag(form.nodes, [(form.nodes[a], form.nodes[b]) for a, b in form.directed()], latents)


def minimal_latent_dag(
    graph: MixedGraph | BitGraph, *, n_states: int = 2, is_known_mag: bool = False, max_steps: int = MAX_STEPS
) -> LatentDag:
    """The DAG with the fewest latents: exact for a MAG, the fewest cliques of <-> for any other acyclic graph.

    `is_known_mag` saves the check, as for the graphs listed from a valid PAG.
    """
    form = as_bits(graph)
    solve = minimum_latents if is_known_mag or is_mag(form) else clique_cover
    return to_latent_dag(form, solve(form, max_steps=max_steps).child_sets, n_states=n_states)


def _checked(mag: MixedGraph | BitGraph) -> BitGraph:
    return mag if isinstance(mag, BitGraph) else BitGraph.from_graph(as_mag(mag))


def _solved_parts(graph: BitGraph, *, max_steps: int, control: RunControl) -> Iterator[tuple[list[Family], bool]]:
    """For each part that can be solved apart, its smallest families, the best first, and whether that is exact."""
    inside = _with_spouse(graph)
    if not inside:
        return
    checker = FamilyChecker(graph)
    links = joinable(graph, inside)
    for part in components(links, inside):
        yield solve_part(checker, links, part, max_steps=max_steps, control=control)


def solve_part(
    checker: FamilyChecker, links: Sequence[int], part: int, *, max_steps: int, control: RunControl
) -> tuple[list[Family], bool]:
    """The smallest families of a part of a graph, the best first, and whether that is exact.

    links : see `joinable`; the part is one of their connected components
    """
    if part.bit_count() == 2:
        return [(part,)], True
    try:
        families = CoverSearch(checker, links, part, max_steps=max_steps, control=control).optima()
        return sorted(families, key=lambda family: _rank(checker.graph, family)), True
    except TooManySteps:
        return [merge_greedily(checker, part, control=control)], False


def joinable(graph: BitGraph, inside: int) -> list[int]:
    """The pairs that one latent may have as children: spouses, and ends of invisible edges that have spouses.

    inside : the nodes that have spouses
    """
    links = list(graph.spouses)
    for a in bits(inside):
        for b in bits(graph.children[a] & inside):
            if not is_visible(graph, a, b):
                links[a] |= 1 << b
                links[b] |= 1 << a
    return links


def _with_spouse(graph: BitGraph) -> int:
    inside = 0
    for mask in graph.spouses:  # the spouses of all are all that have one
        inside |= mask
    return inside


def _rank(graph: BitGraph, family: Family) -> tuple[int, int, list[list[int]]]:
    """What makes a family better than another of its size: fewer bows, fewer children, smaller names."""
    bows = {(v, w) for children in family for v in bits(children) for w in bits(graph.children[v] & children)}
    return (
        len(bows),
        sum(children.bit_count() for children in family),
        sorted(list(bits(children)) for children in family),
    )


def in_order(sets: Iterable[int]) -> tuple[int, ...]:
    """Sets of bits by their positions, the smallest first: the order in which latents are named."""
    ordered = tuple(sets)
    return ordered if len(ordered) < 2 else tuple(sorted(ordered, key=lambda children: list(bits(children))))


def _names(nodes: Sequence[str], sets: Iterable[int]) -> ChildSets:
    return tuple(tuple(nodes[v] for v in bits(children)) for children in sets)
