"""The order in which a component is worked on: by the content of columns, so that their order and names do not matter.

A fit begins at random places; in another order the same random numbers would mean other places, and where optima are
many, another score.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, TypeVar

from latconf_core.graph.bits import bits
from latconf_core.model.component import Component, ComponentFamily

Of = TypeVar("Of")


class Arrangement(NamedTuple):
    """A component in its own order.

    columns : its observed columns, in order
    latents : the places in the component of its latents, in order
    states : the number of states of each of them
    families : as those of the component, with latents numbered by their new places
    """

    columns: tuple[int, ...]
    latents: tuple[int, ...]
    states: tuple[int, ...]
    families: tuple[ComponentFamily, ...]

    def arrange(self, values: Sequence[Of]) -> list[Of]:
        """Something of each of the component's latents, in the new order."""
        return [values[k] for k in self.latents]

    def restore(self, values: Sequence[Of]) -> list[Of]:
        """Something of each latent in the new order, in that of the component."""
        return [values[self.latents.index(k)] for k in range(len(values))]


def arrange(component: Component, places: Sequence[int]) -> Arrangement:
    """The component in the order of its columns' places; latents by their children, then by what stands above them."""
    n_columns, families = component.n_columns, component.families
    latents = _latent_order(component, places)
    position = {k: new for new, k in enumerate(latents)}
    component_families = [
        ComponentFamily(
            family.child if family.child < n_columns else n_columns + position[family.child - n_columns],
            tuple(sorted(family.parents, key=places.__getitem__)),
            tuple(sorted([position[k] for k in family.latents])),
        )
        for family in families
    ]
    columns = {column for family in families for column in family.parents}
    columns |= {family.child for family in families if family.child < n_columns}
    return Arrangement(
        tuple(sorted(columns, key=places.__getitem__)),
        latents,
        tuple([component.latents[k].n_states for k in latents]),
        tuple(sorted(component_families, key=lambda family: _family_place(family, n_columns, places))),
    )


def _family_place(family: ComponentFamily, n_columns: int, places: Sequence[int]) -> tuple[bool, bool, int]:
    """Observed children first; latents next, those without observed parents last."""
    if family.child < n_columns:
        return False, not family.parents, places[family.child]
    return True, not family.parents, family.child


def _latent_order(component: Component, places: Sequence[int]) -> tuple[int, ...]:
    latents, n_columns = component.latents, component.n_columns
    if len(latents) == 1:
        return (0,)

    @cache
    def shape(k: int) -> tuple[object, ...]:
        """What stands below a latent."""
        below = list(bits(latents[k].children))
        observed = sorted([places[child] for child in below if child < n_columns])
        return observed, sorted([shape(child - n_columns) for child in below if child >= n_columns])

    def place(k: int) -> tuple[object, ...]:
        line = [shape(k)]
        parent = latents[k].parent
        while parent >= n_columns:
            line.append(shape(parent - n_columns))
            parent = latents[parent - n_columns].parent
        return *line, ([places[parent]] if parent >= 0 else [],)

    return tuple(sorted(range(len(latents)), key=place))
