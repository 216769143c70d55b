"""What the variables and states of a network are called in a file whose format cannot hold every name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.formats.networks.safe_names import encode_name, find_free_name

NAME_PROPERTY = "latconf_name"
STATES_PROPERTY = "latconf_states"
LATENT_PROPERTY = "latconf_latent"

_NO_WORD = re.compile(r"[^A-Za-z0-9_]+")


@dataclass(frozen=True)
class WrittenNames:
    """The written name of every variable, and of every state of each, by the real ones."""

    variables: Mapping[str, str]
    states: Mapping[str, Mapping[str, str]]

    def kept(self, variable: str, *, is_latent: bool) -> dict[str, str]:
        """What a file keeps beside a variable for our reader: property → text; real names are percent-encoded."""
        state = self.states[variable]
        kept = {}
        if self.variables[variable] != variable:
            kept[NAME_PROPERTY] = encode_name(variable)
        if any(real != written for real, written in state.items()):
            kept[STATES_PROPERTY] = ", ".join(map(encode_name, state))
        if is_latent:
            kept[LATENT_PROPERTY] = "yes"
        return kept

    @property
    def changed(self) -> dict[str, str]:
        """Written name → real name of the variables and states that had to change."""
        pairs = [*self.variables.items(), *(pair for state in self.states.values() for pair in state.items())]
        return {written: real for real, written in pairs if written != real}


def choose_names(network: BayesNet, *, names: re.Pattern[str], states: re.Pattern[str]) -> WrittenNames:
    """Names that a format can hold; the patterns are those of a whole name and a whole state that it can."""
    return WrittenNames(
        _legal(network.variables, names, "v_"),
        {variable: _legal(network.states(variable), states, "s_") for variable in network.variables},
    )


def keep_names(network: BayesNet) -> WrittenNames:
    """Every name as it is."""
    states = {variable: {state: state for state in network.states(variable)} for variable in network.variables}
    return WrittenNames({variable: variable for variable in network.variables}, states)


def _legal(names: Iterable[str], legal: re.Pattern[str], prefix: str) -> dict[str, str]:
    wanted = list(names)
    taken = {name for name in wanted if legal.fullmatch(name)}
    chosen: dict[str, str] = {}
    for name in wanted:
        if name in taken and legal.fullmatch(name):
            chosen[name] = name
            continue
        stem = _NO_WORD.sub("_", name).strip("_")
        chosen[name] = find_free_name(stem if stem[:1].isalpha() else prefix + stem, taken)
        taken.add(chosen[name])
    return chosen
