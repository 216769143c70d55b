"""The range of an effect over all MAGs of a PAG, by adjustment in each (LV-IDA, Malinsky and Spirtes 2017).

What relies on no latent: where a MAG has no set to adjust for, the effect is not identified in it, and that is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from latconf_core.control import RunControl
from latconf_core.effects.effect_question import Ends, Pair, ends_of
from latconf_core.effects.expressions import Expression, Probability, Sum
from latconf_core.graph.bits import BitGraph, bits, closure, is_visible
from latconf_core.graph.mixed import MixedGraph
from latconf_core.inference.adjustment import Names, causal_nodes, without_causal_edges
from latconf_core.inference.minimal_separators import minimal_separators
from latconf_core.mag.listing import enumerate_mags

MOST_MAGS = 2000  # of a PAG that are looked at


@dataclass(frozen=True)
class PagWays:
    """How the MAGs of a PAG would have the effect computed.

    adjusted : sets to adjust for, each with the number of MAGs that adjust for it
    n_without_effect, n_not_identified : MAGs in which the cause has no effect, or no set is enough
    is_complete : whether all MAGs were looked at
    """

    adjusted: tuple[tuple[Names, int], ...]
    n_without_effect: int
    n_not_identified: int
    is_complete: bool

    @property
    def n_mags(self) -> int:
        return sum(count for _, count in self.adjusted) + self.n_without_effect + self.n_not_identified


@dataclass(frozen=True)
class PagRange:
    """The least and the greatest over the MAGs in which the effect is identified; None where it is in none."""

    ways: PagWays
    ends: Ends | None

    @property
    def is_identified(self) -> bool:
        """Whether the effect can be computed in every MAG."""
        return self.ways.is_complete and self.ways.n_not_identified == 0

    def to_json(self) -> dict[str, Any]:
        """The range, and in how many MAGs the effect is not identified."""
        return {
            "relies_on_latents": False,
            "range": None if self.ends is None else self.ends.to_json(),
            "mags": self.ways.n_mags,
            "complete": self.ways.is_complete,
            "without_effect": self.ways.n_without_effect,
            "not_identified": self.ways.n_not_identified,
            "adjusted": [{"set": list(names), "mags": count} for names, count in self.ways.adjusted],
        }


def ways_in_pag(pag: MixedGraph, cause: str, effect: str, *, control: RunControl | None = None) -> PagWays:
    """What each MAG of a valid PAG says of computing the effect."""
    ends = pag.nodes.index(cause), pag.nodes.index(effect)
    listed = list(islice(enumerate_mags(pag, control=control, is_valid=True), MOST_MAGS + 1))
    adjusted: Counter[Names] = Counter()
    n_without = n_failed = 0
    for mag in listed[:MOST_MAGS]:
        (control or RunControl()).checkpoint()
        causal = causal_nodes(mag.children, ends)
        names = _adjustment_set(mag, ends, causal, control) if causal else None
        if not causal:
            n_without += 1
        elif names is None:
            n_failed += 1
        else:
            adjusted[names] += 1
    return PagWays(tuple(adjusted.most_common()), n_without, n_failed, len(listed) <= MOST_MAGS)


def _adjustment_set(mag: BitGraph, ends: tuple[int, int], causal: int, control: RunControl | None) -> Names | None:
    """A minimal set that is right in this MAG (generalised adjustment criterion); None where there is none."""
    cause, effect = ends
    if not all(is_visible(mag, cause, node) for node in bits(mag.children[cause] & causal)):
        return None
    forbidden = closure(mag.children, causal) | 1 << cause | 1 << effect
    everything = (1 << len(mag.nodes)) - 1
    back_door = without_causal_edges(mag, cause, causal)
    minimal_separator = next(minimal_separators(back_door, ends, everything & ~forbidden, control=control), None)
    return None if minimal_separator is None else mag.names(minimal_separator)


def range_over_pag(ways: PagWays, cause: str, effect: str, value: Callable[[Expression], Pair | None]) -> PagRange:
    """The range of the values of all formulas.

    value : of a formula; None where it cannot be computed
    """
    formulas: list[Expression] = [Probability((effect,))] if ways.n_without_effect else []
    for names, _ in ways.adjusted:
        seen = Probability((effect,), (cause, *names))
        formulas.append(Sum(names, (Probability(names), seen)) if names else seen)
    pairs = [pair for pair in map(value, formulas) if pair is not None]
    return PagRange(ways, ends_of(pairs) if pairs else None)
