"""What is asked of a network: states that are seen, and states that are set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from types import MappingProxyType

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.errors import OptionError

NOTHING: Mapping[str, str] = MappingProxyType({})
MOST_NAMED = 8  # names that an error message lists
LONGEST_NAMED = 200  # letters of a text that a sentence repeats


@dataclass(frozen=True)
class Question:
    """Evidence by variable: `see` conditions on a state, `do` sets one, which cuts the edges into the variable.

    What is seen is seen in the network after the cuts.
    """

    see: Mapping[str, str] = field(default_factory=dict)
    do: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        return not self.see and not self.do

    def check(self, network: BayesNet) -> None:
        """OptionError where the network has no such variable or state, or where the question makes no sense."""
        for name, state in (*self.see.items(), *self.do.items()):
            _check_state(network, name, state)
        for name in self.do:
            if name in network.latents:
                raise OptionError(
                    f"{name!r} is hidden and cannot be set; condition on it instead, or set a measured variable"
                )
            if name in self.see:
                raise OptionError(f"{name!r} is both observed and set; choose one")

    def codes(self, network: BayesNet) -> tuple[dict[str, int], dict[str, int]]:
        """The same by positions of states, what is seen and what is set."""
        see, do = (
            {name: network.states(name).index(state) for name, state in given.items()} for given in (self.see, self.do)
        )
        return see, do

    @property
    def sentence(self) -> str:
        """`X = a seen, Y = b set`; empty where nothing is asked."""
        seen = [f"{name} = {state} observed" for name, state in self.see.items()]
        return ", ".join([*seen, *(f"{name} = {state} set" for name, state in self.do.items())])


def parse_evidence(texts: Iterable[str], network: BayesNet) -> dict[str, str]:
    """The variable and state of each text such as `smoke=yes`; either may hold `=` itself."""
    evidence: dict[str, str] = {}
    for text in texts:
        name, state = _split(text, network)
        if evidence.get(name, state) != state:
            raise OptionError(f"{name!r} is given two states, {evidence[name]!r} and {state!r}; choose one")
        evidence[name] = state
    return evidence


def _split(text: str, network: BayesNet) -> tuple[str, str]:
    longest = max(map(len, network.variables), default=0)  # no name ends later: a long text is not copied at each sign
    first = text.find("=")
    if first < 0:
        raise OptionError(f"{_short(text)!r} is not a state; write VARIABLE=STATE")
    places = [first, *(i for i, letter in enumerate(text[: longest + 1]) if letter == "=" and i > first)]
    named = [(text[:i], text[i + 1 :]) for i in places if text[:i] in network.cpts]
    fitting = [(name, state) for name, state in named if state in network.states(name)]
    if len(fitting) > 1:
        raise OptionError(f"{_short(text)!r} can be read in two ways; rename a variable or a state")
    name, state = next(iter(fitting or named), (text[: places[0]], text[places[0] + 1 :]))
    _check_state(network, name, state)
    return name, state


def _check_state(network: BayesNet, name: str, state: str) -> None:
    check_variable(name, network.variables)
    if state not in network.states(name):
        raise OptionError(f"{name!r} has no state {_short(state)!r}; it has {_some(network.states(name))}")


def check_variable(name: str, variables: Iterable[str]) -> None:
    """OptionError where there is no such variable, with those that it may have meant."""
    known = list(variables)
    if name not in known:
        near = get_close_matches(_short(name), known, n=3)
        raise OptionError(
            f"there is no variable {_short(name)!r}; {'did you mean' if near else 'there are'} {_some(near or known)}"
        )


def _some(names: Iterable[str]) -> str:
    shown = [repr(name) for name in names]
    return ", ".join(shown[:MOST_NAMED]) + (", …" if len(shown) > MOST_NAMED else "")


def _short(given: object) -> str:
    """What was given as text, or its beginning where no sentence has room for it; from Python it may be anything."""
    text = str(given)
    return text if len(text) <= LONGEST_NAMED else text[:LONGEST_NAMED] + "…"
