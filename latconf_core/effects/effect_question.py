"""What is asked of an effect, and its numbers: the probability of a state after each of two interventions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from latconf_core.arrays import FloatArray
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.errors import OptionError
from latconf_core.inference.question import Question, check_variable, parse_evidence


@dataclass(frozen=True)
class EffectQuestion:
    """Setting a cause to one state against another: how probable one state of the effect is."""

    cause: str
    first: str
    second: str
    effect: str
    state: str

    def check(self, network: BayesNet) -> None:
        """OptionError where the network has no such variable or state, or where the question makes no sense."""
        for name in (self.cause, self.effect):
            check_variable(name, network.variables)
            if name in network.latents:
                raise OptionError(f"{name!r} is hidden; choose a measured variable")
        if self.cause == self.effect:
            raise OptionError(f"{self.cause!r} cannot be cause and effect at once; choose two variables")
        if self.first == self.second:
            raise OptionError(f"the two states of {self.cause!r} are the same; give two that differ, such as X=a,b")
        Question({self.effect: self.state}, {self.cause: self.first}).check(network)
        Question({}, {self.cause: self.second}).check(network)

    def to_json(self) -> dict[str, Any]:
        """By name."""
        return {"cause": self.cause, "states": [self.first, self.second], "effect": self.effect, "state": self.state}


def parse_effect(cause: str, effect: str, network: BayesNet) -> EffectQuestion:
    """The question of two texts such as `smoke=yes,no` and `lung=yes`; names and states may hold `=` and `,`."""
    ((name, state),) = parse_evidence([effect], network).items()
    for variable in network.variables:
        start, rest = f"{variable}=", ""
        if cause.startswith(start):
            rest = cause[len(start) :]
        pairs = [(rest[:i], rest[i + 1 :]) for i, letter in enumerate(rest) if letter == ","]
        known = [(a, b) for a, b in pairs if {a, b} <= set(network.states(variable))]
        if known:
            question = EffectQuestion(variable, *known[0], name, state)
            question.check(network)
            return question
    raise OptionError(
        f"{cause!r} does not name a variable with two of its states; write VARIABLE=STATE,STATE, such as smoke=yes,no"
    )


class Pair(NamedTuple):
    """The probability of the state after the first intervention and after the second."""

    first: float
    second: float

    @property
    def difference(self) -> float:
        return self.first - self.second

    @property
    def ratio(self) -> float:
        """Infinite where the second is 0."""
        return self.first / self.second if self.second > 0 else math.inf

    def to_json(self) -> dict[str, float | None]:
        """Both with their difference and ratio; null for what is no number."""
        values = {"first": self.first, "second": self.second, "difference": self.difference, "ratio": self.ratio}
        return {name: value if math.isfinite(value) else None for name, value in values.items()}


class Ends(NamedTuple):
    """The ends of an interval or a range of each number of a pair."""

    first: tuple[float, float]
    second: tuple[float, float]
    difference: tuple[float, float]

    def to_json(self) -> dict[str, list[float]]:
        return {name: list(ends) for name, ends in self._asdict().items()}


def ends_of(pairs: list[Pair], share: float = 0.0) -> Ends:
    """From the least to the greatest; with a share, that much is left out on both sides."""
    import numpy as np

    columns: list[FloatArray] = [
        np.array([getattr(pair, name) for pair in pairs]) for name in ("first", "second", "difference")
    ]
    ends = [(float(low), float(high)) for low, high in (np.quantile(column, [share, 1 - share]) for column in columns)]
    return Ends(*ends)
