"""Which states are seen and which are set, by positions: variables and states can be renamed meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.inference.question import Question


@dataclass(frozen=True)
class HeldStates:
    """A value: each change gives another.

    seen, set_to : position of a variable in the network → position of its state
    row : the row of the data that all of it comes from, from 0
    """

    seen: Mapping[int, int] = field(default_factory=dict)
    set_to: Mapping[int, int] = field(default_factory=dict)
    row: int | None = None

    @property
    def is_empty(self) -> bool:
        return not self.seen and not self.set_to

    def with_seen(self, variable: int, state: int) -> HeldStates:
        """A state seen; one that is seen already is taken away."""
        rest = self.without(variable)
        return rest if self.seen.get(variable) == state else HeldStates({**rest.seen, variable: state}, rest.set_to)

    def with_set(self, variable: int, state: int) -> HeldStates:
        """A state set; one that is set already is taken away."""
        rest = self.without(variable)
        return rest if self.set_to.get(variable) == state else HeldStates(rest.seen, {**rest.set_to, variable: state})

    def without(self, variable: int) -> HeldStates:
        """Nothing known of a variable."""
        seen, set_to = (
            {other: state for other, state in given.items() if other != variable} for given in (self.seen, self.set_to)
        )
        return HeldStates(seen, set_to)

    def question(self, network: BayesNet) -> Question:
        """The same by the names that the network has now."""
        names = network.variables
        see, do = (
            {names[i]: network.states(names[i])[state] for i, state in given.items()}
            for given in (self.seen, self.set_to)
        )
        return Question(see, do)
