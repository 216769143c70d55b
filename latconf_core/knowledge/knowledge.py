"""What is known about causes before any data: one value that every learner and search asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import Any, ClassVar

from latconf_core.errors import FileFormatError, GraphError
from latconf_core.json_form import UNREADABLE, Content, Migration, decode_fields, encode_fields, migrate
from latconf_core.knowledge.bound import BoundKnowledge, bind
from latconf_core.knowledge.contradictions import check_knowledge

Cause = tuple[str, str]
Names = tuple[str, ...]


@dataclass(frozen=True)
class Knowledge:
    """Knowledge only removes possibilities; GraphError where two things that are said contradict each other.

    tiers : names in the order of time; no variable has an effect in an earlier tier, not even indirectly
    closed_tiers : positions of tiers within which no variable has an effect on another
    forbidden : (a, b): no edge a --> b; a --> c --> b stays possible
    required : (a, b): a --> b is in every DAG
    forbidden_indirect : (a, b): a has no effect on b, not even through others
    exogenous : variables that no other variable and no hidden cause acts on
    no_hidden_cause : groups of which no two share a hidden cause
    hidden_causes_only_among : the only variables that hidden causes act on; None for all

    A tier never plants a tail: b after a leaves both a --> b and a <-> b possible.
    """

    VERSION: ClassVar[int] = 1
    MIGRATIONS: ClassVar[Mapping[int, Migration]] = {}

    tiers: tuple[Names, ...] = ()
    closed_tiers: frozenset[int] = frozenset()
    forbidden: tuple[Cause, ...] = ()
    required: tuple[Cause, ...] = ()
    forbidden_indirect: tuple[Cause, ...] = ()
    exogenous: Names = ()
    no_hidden_cause: tuple[Names, ...] = ()
    hidden_causes_only_among: Names | None = None

    def __post_init__(self) -> None:
        check_knowledge(self)

    def __bool__(self) -> bool:
        """Whether anything is said."""
        pairs = (self.forbidden, self.required, self.forbidden_indirect)
        causes = (self.exogenous, self.no_hidden_cause)
        return self.hidden_causes_only_among is not None or any((any(self.tiers), *pairs, *causes))

    @property
    def has_only_edges(self) -> bool:
        """Whether it says no more than tiers, forbidden and required edges: what Tetrad's files and tables hold."""
        extra = (self.forbidden_indirect, self.exogenous, self.no_hidden_cause)
        return self.hidden_causes_only_among is None and not any(extra)

    @cached_property
    def tier_of(self) -> Mapping[str, int]:
        """The position of the tier of each variable that has one."""
        return {name: i for i, tier in enumerate(self.tiers) for name in tier}

    @cached_property
    def _indirect(self) -> frozenset[Cause]:
        return frozenset(self.forbidden_indirect)

    @cached_property
    def _forbidden(self) -> frozenset[Cause]:
        return frozenset(self.forbidden)

    def forbids_ancestor(self, a: str, b: str) -> bool:
        """Whether a cannot have an effect on b, not even through others."""
        if (a, b) in self._indirect or b in self.exogenous:
            return a != b
        first, second = self.tier_of.get(a), self.tier_of.get(b)
        if first is None or second is None or a == b:
            return False
        return first > second or (first == second and first in self.closed_tiers)

    def forbids_edge(self, a: str, b: str) -> bool:
        """Whether there cannot be an edge a --> b."""
        return (a, b) in self._forbidden or self.forbids_ancestor(a, b)

    def allows_hidden_cause(self, a: str, b: str) -> bool:
        """Whether two variables may share a hidden cause."""
        if a in self.exogenous or b in self.exogenous:
            return False
        among = self.hidden_causes_only_among
        if among is not None and not (a in among and b in among):
            return False
        return not any(a in group and b in group for group in self.no_hidden_cause)

    def names(self) -> Iterator[str]:
        """Every name it speaks of; some twice."""
        for group in (*self.tiers, *self.forbidden, *self.required, *self.forbidden_indirect, *self.no_hidden_cause):
            yield from group
        yield from self.exogenous
        yield from self.hidden_causes_only_among or ()

    def missing_names(self, known: Iterable[str]) -> tuple[str, ...]:
        """The names that are not among these, each once: what is said of them does not bind."""
        variables = set(known)
        return tuple(dict.fromkeys(name for name in self.names() if name not in variables))

    def renamed(self, names: Mapping[str, str]) -> Knowledge:
        """The same said of variables that have other names now."""

        def follow(content: Any) -> Any:
            if isinstance(content, list):
                return [follow(each) for each in content]
            return names.get(content, content) if isinstance(content, str) else content

        return Knowledge.from_json({key: follow(content) for key, content in self.to_json().items()})

    def bind(self, names: Sequence[str]) -> BoundKnowledge:
        """What it says of these variables, as bit masks; what it says of others is left out."""
        return _bind(self, tuple(names))

    def to_json(self) -> dict[str, Any]:
        """Every field as plain values; `from_json` reads them."""
        return {"version": self.VERSION, **encode_fields(self)}

    @classmethod
    def from_json(cls, content: Content) -> Knowledge:
        """The knowledge that `to_json` gave; FileFormatError where it is none."""
        try:
            current = dict(migrate(content, cls.MIGRATIONS, current=cls.VERSION, what="this knowledge"))
            for name in current:
                if name not in NAMES_OF_FIELDS and name not in _ABOUT_THE_FILE:  # refused, not shortened
                    raise FileFormatError(f"knowledge has no entry {name!r}; it has {', '.join(NAMES_OF_FIELDS)}")
            return decode_fields(cls, current)
        except (FileFormatError, GraphError):
            raise
        except UNREADABLE as error:
            raise FileFormatError(f"the knowledge cannot be read: {error}") from None


NAMES_OF_FIELDS = tuple(each.name for each in fields(Knowledge))
_ABOUT_THE_FILE = ("version", "format", "program")


@lru_cache(maxsize=64)
def _bind(knowledge: Knowledge, names: Names) -> BoundKnowledge:
    return bind(knowledge, names)


NO_KNOWLEDGE = Knowledge()
