"""Knowledge while it is edited: it may contradict itself, and tiers may be empty. Free of Qt."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from latconf_core.knowledge.knowledge import Cause, Knowledge

NO_TIER = -1  # where a variable stands that is in no tier


@dataclass(frozen=True)
class Tier:
    """The variables of one tier.

    is_closed : whether none of them causes another
    """

    names: tuple[str, ...] = ()
    is_closed: bool = False


@dataclass(frozen=True)
class Draft:
    """What Knowledge holds, field by field, but not checked; `knowledge` checks it.

    may_be_hidden : the variables that hidden causes may act on; None for all
    """

    tiers: tuple[Tier, ...] = ()
    forbidden: tuple[Cause, ...] = ()
    forbidden_indirect: tuple[Cause, ...] = ()
    required: tuple[Cause, ...] = ()
    exogenous: tuple[str, ...] = ()
    no_hidden_cause: tuple[tuple[str, ...], ...] = ()
    may_be_hidden: tuple[str, ...] | None = None

    # Tiers ----------------------------------------------------------------------------------------

    def tier_of(self, name: str) -> int:
        """The position of the tier that holds a variable, or NO_TIER."""
        return next((i for i, tier in enumerate(self.tiers) if name in tier.names), NO_TIER)

    def put(self, names: Collection[str], tier: int, *, order: Sequence[str]) -> Draft:
        """The draft with variables in a tier, which is added at the end where there is none; NO_TIER takes them out.

        order : of the variables within a tier
        """
        tiers = [replace(t, names=tuple(name for name in t.names if name not in names)) for t in self.tiers]
        if tier != NO_TIER:
            tiers += [Tier()] if tier >= len(tiers) else []
            tier = min(tier, len(tiers) - 1)
            position = {name: i for i, name in enumerate(order)}
            inside = sorted({*tiers[tier].names, *names}, key=lambda name: (position.get(name, len(position)), name))
            tiers[tier] = replace(tiers[tier], names=tuple(inside))
        return replace(self, tiers=tuple(tiers))

    def insert_tier(self, at: int) -> Draft:
        """The draft with an empty tier before that at a position."""
        return replace(self, tiers=(*self.tiers[:at], Tier(), *self.tiers[at:]))

    def remove_tier(self, at: int) -> Draft:
        """The draft without a tier; its variables are in none."""
        return replace(self, tiers=self.tiers[:at] + self.tiers[at + 1 :])

    def move_tier(self, at: int, step: int) -> Draft:
        """The draft with a tier moved among the others."""
        tiers = list(self.tiers)
        tiers.insert(max(0, at + step), tiers.pop(at))
        return replace(self, tiers=tuple(tiers))

    def close_tier(self, at: int, is_closed: bool) -> Draft:
        """The draft with no effects within a tier, or with effects again."""
        tiers = list(self.tiers)
        tiers[at] = replace(tiers[at], is_closed=is_closed)
        return replace(self, tiers=tuple(tiers))

    # As knowledge ---------------------------------------------------------------------------------

    @classmethod
    def of(cls, knowledge: Knowledge) -> Draft:
        """The draft that begins with what is known."""
        tiers = (Tier(names, i in knowledge.closed_tiers) for i, names in enumerate(knowledge.tiers))
        return cls(
            tuple(tiers),
            knowledge.forbidden,
            knowledge.forbidden_indirect,
            knowledge.required,
            knowledge.exogenous,
            knowledge.no_hidden_cause,
            knowledge.hidden_causes_only_among,
        )

    def knowledge(self) -> Knowledge:
        """What the draft says, without its empty tiers; LatconfError where it contradicts itself."""
        tiers = [tier for tier in self.tiers if tier.names]
        return Knowledge(
            tuple(tier.names for tier in tiers),
            frozenset(i for i, tier in enumerate(tiers) if tier.is_closed),
            forbidden=self.forbidden,
            forbidden_indirect=self.forbidden_indirect,
            required=self.required,
            exogenous=self.exogenous,
            no_hidden_cause=self.no_hidden_cause,
            hidden_causes_only_among=self.may_be_hidden,
        )

    def names(self) -> Iterator[str]:
        """Every variable that it speaks of; some twice."""
        yield from (name for tier in self.tiers for name in tier.names)
        for group in (*self.forbidden, *self.forbidden_indirect, *self.required, *self.no_hidden_cause):
            yield from group
        yield from (*self.exogenous, *(self.may_be_hidden or ()))
