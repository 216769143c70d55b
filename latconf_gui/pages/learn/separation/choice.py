"""Which two variables are asked about, and what is conditioned on; free of Qt."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from latconf_core.phrases import list_names


@dataclass(frozen=True)
class Choice:
    """Two ends, each of which may still be missing, and the set that is conditioned on."""

    first: str | None = None
    second: str | None = None
    given: frozenset[str] = frozenset()

    @property
    def is_question(self) -> bool:
        """Whether both ends are chosen."""
        return self.first is not None and self.second is not None

    def click(self, name: str) -> Choice:
        """After a click: the first two are the ends, all others are conditioned on; a second click lets one go."""
        if name == self.first:
            return replace(self, first=None)
        if name == self.second:
            return replace(self, second=None)
        if self.first is None:
            return replace(self, first=name, given=self.given - {name})
        if self.second is None:
            return replace(self, second=name, given=self.given - {name})
        return replace(self, given=self.given ^ {name})

    def within(self, names: Collection[str]) -> Choice:
        """What is left of it in a graph with these variables."""
        first, second = (name if name in names else None for name in (self.first, self.second))
        return Choice(first, second, self.given & frozenset(names))

    def ordered_given(self, nodes: Sequence[str]) -> tuple[str, ...]:
        """The set in the order of the nodes."""
        return tuple(name for name in nodes if name in self.given)

    def roles(self) -> dict[str, str]:
        """What each chosen variable is, in a word or two."""
        ends = {name: "end" for name in (self.first, self.second) if name is not None}
        return {**dict.fromkeys(self.given, "conditioned on"), **ends}

    def sentence(self, nodes: Sequence[str]) -> str:
        """What is chosen, and what to do next."""
        fixed = list_names(self.ordered_given(nodes)) if self.given else ""
        if not self.is_question:
            chosen = self.first or self.second
            held = f" {fixed} {'is' if len(self.given) == 1 else 'are'} conditioned on." if fixed else ""
            ask = f"{chosen} is one end: select another variable." if chosen else "Select two variables."
            return ask + held
        return f"Between {self.first} and {self.second}, given {fixed or 'the empty set'}."

    def to_json(self, nodes: Sequence[str]) -> dict[str, Any]:
        return {"first": self.first, "second": self.second, "given": list(self.ordered_given(nodes))}

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Choice:
        """What `to_json` gave."""
        return cls(content["first"], content["second"], frozenset(map(str, content["given"])))
