"""What is known of families and components so far, and the scores of whole DAGs that follow from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import getitem, itemgetter
from typing import Generic, Protocol, TypeVar

from latconf_core.graph.bits import bits
from latconf_core.model.bit_dag import Hidden, children_of
from latconf_core.model.component import Component, plain_families, split_latents


class HasScore(Protocol):
    """Whatever is known of a component."""

    @property
    def p_elbo(self) -> float: ...


Found = TypeVar("Found", bound=HasScore)

AT_A_TIME = 12  # nodes whose families are added and remembered together …
MAX_SUMS = 10_000  # … for so many sets of parents
MAX_SHAPES = 20_000  # DAGs with other latents that are remembered at a time


class Parts:
    """The components of DAGs, in the order of their first latents, and what is known of all of them together.

    p_elbo : their sum; None where one of them is not known
    is_final : nothing better will be looked for, for none of them
    n_changes : how often what is known had changed when that was noted
    """

    __slots__ = ("components", "is_final", "n_changes", "p_elbo")

    def __init__(self, components: tuple[Component, ...]) -> None:
        self.components = components
        self.p_elbo: float | None = None
        self.is_final = False
        self.n_changes = -1

    def renew(self, known: KnownParts[Found]) -> None:
        """Note what is known now."""
        n_changes = known.components.n_changes
        fits = [known.components.get(component) for component in self.components]
        self.p_elbo = sum([fit.p_elbo for fit in fits if fit is not None], 0.0) if None not in fits else None
        self.is_final = known.final.issuperset(self.components)
        self.n_changes = n_changes


class _Families:
    """The families of a few nodes, and their sums by the parents of these nodes: DAGs differ in a few at a time.

    pick : takes the parents of these nodes out of those of all
    """

    __slots__ = ("pick", "scores", "sums")

    def __init__(self, places: Sequence[int], families: Sequence[dict[int, float]]) -> None:
        self.pick = _picker(places)
        self.scores = [families[index] for index in places]
        self.sums: dict[Sequence[int], float] = {}

    def add(self, parents: Sequence[int]) -> float:
        """Their sum, which is remembered; KeyError where one of them is not known."""
        if len(self.sums) >= MAX_SUMS:
            self.sums.clear()
        result = self.sums[parents] = sum(map(getitem, self.scores, parents), 0.0)
        return result


class _Shape:
    """What is the same in all DAGs with the same latents.

    below : picks the parents of the children of latents out of those of all nodes
    plain : the families of all other nodes, a few at a time
    parts : the components by what `below` picks
    """

    __slots__ = ("below", "parts", "plain")

    def __init__(self, below: int, plain: Sequence[_Families]) -> None:
        self.below = _picker(tuple(bits(below)))
        self.plain = plain
        self.parts: dict[Sequence[int], Parts] = {}


class _Changing(dict[Component, Found]):
    """What was found for components, and how often that has changed."""

    n_changes = 0

    def __setitem__(self, component: Component, fit: Found) -> None:
        super().__setitem__(component, fit)
        self.n_changes += 1  # last: whoever sees the number before sees the component too


class KnownParts(Generic[Found]):
    """The one cache of scores: between two MAGs of a level almost nothing changes.

    families : for each column, its scores by its parents as bits
    components : what was found for each
    final : components of which nothing better will be looked for
    at_posteriors : the p-ELBO of components at posteriors of their latents, by the numbers of these
    """

    def __init__(self, n_columns: int) -> None:
        self.families: list[dict[int, float]] = [{} for _ in range(n_columns)]
        self.components: _Changing[Found] = _Changing()
        self.final: set[Component] = set()
        self.at_posteriors: dict[tuple[Component, tuple[int, ...]], float] = {}
        self._shapes: dict[tuple[Hidden, ...], _Shape] = {}
        self._sums: dict[tuple[int, int], _Families] = {}  # by the first of the nodes, and which are among them
        self._met: dict[Component, Component] = {}  # so that equal ones are one

    @property
    def n_met(self) -> int:
        """How many components the DAGs had that were looked at."""
        return len(self._met)

    def families_alone(self) -> KnownParts[Found]:
        """The same families, and no component."""
        fresh: KnownParts[Found] = KnownParts(0)
        fresh.families = self.families
        return fresh

    def keep_final(self, component: Component, fit: Found) -> None:
        """Keep what was found for a component; nothing better will be looked for."""
        self.final.add(component)
        self.components[component] = fit

    def look(self, parents: Sequence[int], latents: tuple[Hidden, ...]) -> tuple[Parts, float | None]:
        """The components of a DAG as bits and its p-ELBO.

        That is None where a part of it is not known. It is the same as the scorer's but for rounding in the last
        digits: components are added first.
        """
        shape = self._shapes.get(latents) or self._add_shape(latents)
        key = shape.below(parents)
        parts = shape.parts.get(key)
        if parts is None:
            components = [component for component, _ in split_latents(parents, latents)]
            parts = shape.parts[key] = Parts(
                tuple([self._met.setdefault(component, component) for component in components])
            )
        if parts.n_changes != self.components.n_changes:  # a component is a large key, and DAGs come by the thousand
            parts.renew(self)
        if parts.p_elbo is None:
            return parts, None
        total = parts.p_elbo
        try:
            for families in shape.plain:
                key = families.pick(parents)
                known = families.sums.get(key)
                total += families.add(key) if known is None else known
        except KeyError:
            return parts, None
        return parts, total

    def parts(self, parents: Sequence[int], latents: tuple[Hidden, ...]) -> tuple[Component, ...]:
        """The components of a DAG as bits, in the order of their first latents."""
        return self.look(parents, latents)[0].components

    def p_elbo(self, parents: Sequence[int], latents: tuple[Hidden, ...]) -> float | None:
        """The p-ELBO of a DAG as bits; None where a part of it is not known."""
        return self.look(parents, latents)[1]

    def _add_shape(self, latents: tuple[Hidden, ...]) -> _Shape:
        if len(self._shapes) >= MAX_SHAPES:
            self._shapes.clear()
            self._sums.clear()
        n_nodes = len(self.families)
        below = children_of(latents) & (1 << n_nodes) - 1
        few = (1 << AT_A_TIME) - 1
        plain = [self._families_of(first, ~below >> first & few) for first in range(0, n_nodes, AT_A_TIME)]
        shape = self._shapes[latents] = _Shape(below, plain)
        return shape

    def _families_of(self, first: int, among: int) -> _Families:
        """The families of some of a few nodes, the same object for all shapes."""
        families = self._sums.get((first, among))
        if families is None:
            places = [first + bit for bit in bits(among) if first + bit < len(self.families)]
            families = self._sums[first, among] = _Families(places, self.families)
        return families

    def unknown_families(self, parents: Sequence[int], latents: tuple[Hidden, ...]) -> Iterator[tuple[int, int]]:
        """The plain families of a DAG that are not known, as (child, parents)."""
        return ((child, mask) for child, mask in plain_families(parents, latents) if mask not in self.families[child])

    def unknown_components(self, parents: Sequence[int], latents: tuple[Hidden, ...]) -> Iterator[Component]:
        """The components of a DAG that are not known."""
        for component in self.parts(parents, latents):
            if component not in self.components:
                yield component


def _picker(places: Sequence[int]) -> Callable[[Sequence[int]], Sequence[int]]:
    """Takes what stands at some places out of a sequence."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda whole: tuple([whole[index] for index in places])
