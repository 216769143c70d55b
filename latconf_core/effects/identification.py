"""Whether P(effect | do(cause)) can be computed from measured variables, and by which formula.

Tian and Pearl (2002, 2003) and Shpitser and Pearl (2006), in the form of Huang and Valtorta (2006), which is complete:
the DAG's latents become bidirected edges, and what is asked is put together from c-factors, one per district.
"""

from __future__ import annotations

from collections.abc import Sequence

from latconf_core.effects.expressions import Expression, Probability, Ratio, Sum, free_of, sum_out
from latconf_core.graph.bits import BitGraph, bits, closure, components, topological_order

Factors = tuple[Expression, ...]


def identify(graph: BitGraph, cause: int, effect: int) -> Expression | None:
    """A formula of P(effect | do(cause)); None where there is none.

    graph : over measured variables, directed edges and a <-> for every latent in common (a latent projection)
    """
    relevant = closure(graph.parents, 1 << effect)
    if not relevant >> cause & 1:
        return Probability((graph.nodes[effect],))
    task = _Identification(graph)
    wanted = task.ancestors(1 << effect, relevant & ~(1 << cause))
    factors: list[Expression] = []
    for district in components(graph.spouses, wanted):
        (whole,) = (part for part in components(graph.spouses, relevant) if part & district)
        factor = task.factor_within(district, whole, task.c_factor(whole, relevant))
        if factor is None:
            return None
        factors += factor
    estimand = sum_out(graph.names(wanted & ~(1 << effect)), factors)
    return _without_loose_ends(estimand, {graph.nodes[cause], graph.nodes[effect]})


def _without_loose_ends(factors: Factors, ends: set[str]) -> Expression:
    """One formula; variables that it names and whose value does not matter are averaged over."""
    loose = tuple(sorted(free_of(factors) - ends))
    if loose:
        return Sum(loose, (Probability(loose), *factors))
    return factors[0] if len(factors) == 1 else Sum((), factors)


class _Identification:
    """The steps of the algorithm on one graph; sets of variables are bits."""

    def __init__(self, graph: BitGraph) -> None:
        order = topological_order(graph.parents)
        assert order is not None
        self.graph = graph
        self.order: Sequence[int] = order

    def ancestors(self, nodes: int, within: int) -> int:
        """These nodes and their ancestors by paths inside a set."""
        return closure([above & within for above in self.graph.parents], nodes)

    def c_factor(self, district: int, within: int) -> Factors:
        """Q[district]: each variable given the district's others before it and the parents of all of these."""
        before, factors = 0, []
        for node in self.order:
            if not within >> node & 1:
                continue
            before |= 1 << node
            if district >> node & 1:
                (own_district,) = (part for part in components(self.graph.spouses, before) if part >> node & 1)
                above = own_district
                for other in bits(own_district):
                    above |= self.graph.parents[other] & within
                given = self.graph.names(above & ~(1 << node))
                factors.append(Probability((self.graph.nodes[node],), given))
        return tuple(factors)

    def factor_within(self, wanted: int, whole: int, factors: Factors) -> Factors | None:
        """Q[wanted] from Q[whole], of which it is a part (Identify of Huang and Valtorta)."""
        above = self.ancestors(wanted, whole)
        if above == wanted:
            return sum_out(self.graph.names(whole & ~wanted), factors)
        if above == whole:
            return None
        narrower = sum_out(self.graph.names(whole & ~above), factors)
        (district,) = (part for part in components(self.graph.spouses, above) if part & wanted)
        return self.factor_within(wanted, district, self._district_factor(district, above, narrower))

    def _district_factor(self, district: int, within: int, factors: Factors) -> Factors:
        """Q[district] from Q[within]: each variable of it given all of `within` before it."""
        if district == within:
            return factors
        inside = [node for node in self.order if within >> node & 1]
        parts: list[Expression] = []
        for index, node in enumerate(inside):
            if district >> node & 1:
                later = [self.graph.nodes[other] for other in inside[index + 1 :]]
                top = sum_out(later, factors)
                bottom = sum_out([self.graph.nodes[node], *later], factors)
                parts.append(Ratio(Sum((), top), Sum((), bottom)) if bottom else Sum((), top))
        return tuple(parts)
