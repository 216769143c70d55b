"""What is known of families and components so far, and the scores of whole DAGs that follow from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

from latconf_core.score.component import Component, Hidden, children_of, split_latents


class HasScore(Protocol):
    """Whatever is known of a component."""

    @property
    def p_elbo(self) -> float: ...


Found = TypeVar("Found", bound=HasScore)


class KnownParts(Generic[Found]):
    """The one cache of scores: between two MAGs of a level almost nothing changes.

    families : for each column, its scores by its parents as bits
    components : what was found for each
    """

    def __init__(self, n_columns: int) -> None:
        self.families: list[dict[int, float]] = [{} for _ in range(n_columns)]
        self.components: dict[Component, Found] = {}

    def families_alone(self) -> KnownParts[Found]:
        """The same families, and no component."""
        fresh: KnownParts[Found] = KnownParts(0)
        fresh.families = self.families
        return fresh

    def p_elbo(self, parents: Sequence[int], latents: tuple[Hidden, ...]) -> float | None:
        """The p-ELBO of a DAG as bits; None where a part of it is not known.

        The same as the scorer's but for rounding in the last digits: components are added first.
        """
        return self.p_elbo_of_parts(parents, latents, [component for component, _ in split_latents(parents, latents)])

    def p_elbo_of_parts(
        self, parents: Sequence[int], latents: tuple[Hidden, ...], components: Iterable[Component]
    ) -> float | None:
        """The same where the components of the DAG are at hand."""
        total = 0.0
        below = children_of(latents)
        try:
            for component in components:
                total += self.components[component].p_elbo
            for child, (mask, scores) in enumerate(zip(parents, self.families)):
                if not below >> child & 1:
                    total += scores[mask]
        except KeyError:
            return None
        return total

    def unknown_families(self, parents: Sequence[int], latents: tuple[Hidden, ...]) -> Iterator[tuple[int, int]]:
        """The plain families of a DAG that are not known, as (child, parents)."""
        below = children_of(latents)
        for child, (mask, scores) in enumerate(zip(parents, self.families)):
            if not below >> child & 1 and mask not in scores:
                yield child, mask

    def unknown_components(self, parents: Sequence[int], latents: tuple[Hidden, ...]) -> Iterator[Component]:
        """The components of a DAG that are not known."""
        for component, _ in split_latents(parents, latents):
            if component not in self.components:
                yield component
