"""Knowledge bound to the columns of some data, as bit masks: what everything asks that adds an edge or a latent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from latconf_core.graph.bits import bits, closure, unite
from latconf_core.phrases import list_names

if TYPE_CHECKING:
    from latconf_core.knowledge.knowledge import Knowledge

Masks = tuple[int, ...]  # of every variable, others as bits
MOST_NAMED = 6  # names in a sentence


@dataclass(frozen=True)
class BoundKnowledge:
    """What is allowed and required among some variables, by their positions.

    parents : of every variable, those that may point at it
    required : of every variable, those that do in every DAG
    never_above : of every variable, those that cannot be its ancestors
    siblings : of every variable, the others that it may share a hidden cause with
    missing : names of the knowledge that are not among the variables
    """

    names: tuple[str, ...]
    parents: Masks
    required: Masks
    never_above: Masks
    siblings: Masks
    missing: tuple[str, ...] = ()

    @cached_property
    def binds(self) -> bool:
        """Whether anything is ruled out or required at all."""
        return self != nothing_bound(self.names, self.missing)

    @cached_property
    def edges_suffice(self) -> bool:
        """Whether edges that are allowed one by one never make an ancestor that is not."""
        return all(
            not (never and closure(self.parents, self.parents[v]) & never) for v, never in enumerate(self.never_above)
        )

    @cached_property
    def is_local(self) -> bool:
        """Whether all that is said of edges is said of each alone, and none is required."""
        return self.edges_suffice and not any(self.required)

    def allows_edge(self, a: int, b: int) -> bool:
        """Whether a --> b may be in a DAG."""
        return bool(self.parents[b] >> a & 1)

    def requires(self, a: int, b: int) -> bool:
        """Whether a --> b is in every DAG."""
        return bool(self.required[b] >> a & 1)

    def allowed_parents(self, child: int) -> int:
        """Those that may point at a variable."""
        return self.parents[child]

    def allows_latent(self, children: int) -> bool:
        """Whether these variables may share a hidden cause."""
        return all(not children & ~(self.siblings[v] | 1 << v) for v in bits(children))

    def allows_adjacency(self, a: int, b: int) -> bool:
        """Whether anything may join two variables: an effect of one on the other, or a hidden cause of both."""
        is_effect = not (self.never_above[b] >> a & 1 and self.never_above[a] >> b & 1)
        return is_effect or bool(self.siblings[a] >> b & 1)

    def allows_family(self, child: int, parents: int, latents: Iterable[int] = ()) -> bool:
        """Whether a variable may have these parents, and may be a child of latents with these children."""
        if parents & ~self.parents[child] or self.required[child] & ~parents:
            return False
        others = self.siblings[child] | 1 << child
        return not any(children & ~others for children in latents)

    def allows_ancestors(self, parents: Sequence[int]) -> bool:
        """Whether no variable of a DAG is above one that it cannot have an effect on."""
        return self.edges_suffice or not any(
            never and closure(parents, parents[v]) & never for v, never in enumerate(self.never_above)
        )

    def allows_dag(self, parents: Sequence[int], latents: Iterable[int] = ()) -> bool:
        """Whether a DAG with latents, each given by its observed children, contradicts nothing."""
        return (
            all(self.allows_family(v, mask) for v, mask in enumerate(parents))
            and all(self.allows_latent(children) for children in latents)
            and self.allows_ancestors(parents)
        )

    def __len__(self) -> int:
        return len(self.names)


def nothing_bound(names: Iterable[object], missing: tuple[str, ...] = ()) -> BoundKnowledge:
    """Variables about which nothing is known."""
    columns = tuple(map(str, names))
    n = len(columns)
    others = tuple((1 << n) - 1 & ~(1 << v) for v in range(n))
    return BoundKnowledge(columns, others, (0,) * n, (0,) * n, others, missing)


def bind(knowledge: Knowledge, names: Sequence[str]) -> BoundKnowledge:
    """What knowledge says of some variables; what it says of others is left out, with their names."""
    columns = tuple(names)
    missing = knowledge.missing_names(columns)
    if not knowledge:
        return nothing_bound(columns, missing)
    required = _pair_masks(columns, knowledge.required)
    never_above = _close(_masks(columns, knowledge.forbids_ancestor), required)
    forbidden = _pair_masks(columns, knowledge.forbidden)
    others = nothing_bound(columns).parents
    return BoundKnowledge(
        names=columns,
        parents=tuple(each & ~never & ~direct for each, never, direct in zip(others, never_above, forbidden)),
        required=tuple(required),
        never_above=never_above,
        siblings=tuple(_masks(columns, knowledge.allows_hidden_cause)),
        missing=missing,
    )


def _masks(names: Sequence[str], holds: Callable[[str, str], bool]) -> list[int]:
    """For every variable b the others a for which something holds of (a, b), as bits."""
    return [sum(1 << a for a, other in enumerate(names) if other != name and holds(other, name)) for name in names]


def _pair_masks(names: Sequence[str], pairs: Iterable[tuple[str, str]]) -> list[int]:
    """For every variable b those a for which (a, b) is among the pairs, as bits."""
    column = {name: v for v, name in enumerate(names)}
    masks = [0] * len(names)
    for a, b in pairs:
        if a in column and b in column:
            masks[column[b]] |= 1 << column[a]
    return masks


def _close(never_above: Sequence[int], required: Sequence[int]) -> Masks:
    """The same with what follows from required edges: their effects are below, and causes of causes are causes."""
    n = len(required)
    above = [closure(required, required[v]) for v in range(n)]
    below = [sum(1 << v for v in range(n) if above[v] >> a & 1) for a in range(n)]
    masks = []
    for v in range(n):
        never = unite(never_above, below[v] | 1 << v)  # what cannot act on an effect of v cannot act on v
        masks.append(below[v] | never | unite(below, never))  # nor can the required effects of what cannot
    return tuple(masks)


def describe_missing(missing: Sequence[str]) -> list[str]:
    """A sentence about names that the knowledge has and the data lack; none where there are none."""
    if not missing:
        return []
    names = list_names([repr(name) for name in missing], most=MOST_NAMED)
    verb, them = ("is", "it") if len(missing) == 1 else ("are", "them")
    return [f"The knowledge names {names}, which {verb} not in the data: its statements about {them} are ignored."]
