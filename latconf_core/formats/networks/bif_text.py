"""A Bayesian network as BIF text, as bnlearn writes it.

A name that BIF cannot hold is written with underscores, and the name itself, percent-encoded, in a `property`
line that other programs skip and our reader takes back. Dirichlet parameters have no place in BIF: only their
means are written.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.files import write_text_atomically
from latconf_core.formats.safe_names import encode_name, safe_names

NAME_PROPERTY = "latconf_name"
STATES_PROPERTY = "latconf_states"
LATENT_PROPERTY = "latconf_latent"

_NOT_IN_NAMES = re.compile(r"[^\w.-]")
_NOT_IN_STATES = re.compile(r"""[\s,{}()#%;|"']|(?<=/)[/*]""")


def write_bif(network: BayesNet, path: str | Path, *, comments: Sequence[str] = ()) -> None:
    """Write the network as BIF; the comments become lines at the top."""
    write_text_atomically(path, bif_text(network, comments=comments))


def bif_text(network: BayesNet, *, comments: Sequence[str] = ()) -> str:
    """The network as BIF, its rows in bnlearn's order: the first parent fastest."""
    names = _writable(network.variables, _NOT_IN_NAMES)
    states = {name: _writable(network.states(name), _NOT_IN_STATES) for name in network.variables}
    title = _writable([network.name], _NOT_IN_NAMES)[network.name]
    lines = [f"// {line}" for comment in comments for line in comment.splitlines()]
    lines += [f"network {title} {{"]
    if title != network.name:
        lines += [f"  property {NAME_PROPERTY} = {encode_name(network.name)} ;"]
    lines += ["}"]
    for name in network.variables:
        lines += _variable_lines(network, name, names[name], list(states[name].values()))
    for cpt in network.cpts.values():
        lines += _probability_lines(cpt, names, states)
    return "\n".join(lines) + "\n"


def _variable_lines(network: BayesNet, name: str, legal: str, states: list[str]) -> Iterable[str]:
    yield f"variable {legal} {{"
    yield f"  type discrete [ {len(states)} ] {{ {', '.join(states)} }};"
    if legal != name:
        yield f"  property {NAME_PROPERTY} = {encode_name(name)} ;"
    if tuple(states) != network.states(name):
        yield f"  property {STATES_PROPERTY} = {', '.join(map(encode_name, network.states(name)))} ;"
    if name in network.latents:
        yield f"  property {LATENT_PROPERTY} = yes ;"
    yield "}"


def _probability_lines(cpt: Cpt, names: dict[str, str], states: dict[str, dict[str, str]]) -> Iterable[str]:
    given = f" | {', '.join(names[parent] for parent in cpt.parents)}" if cpt.parents else ""
    yield f"probability ( {names[cpt.variable]}{given} ) {{"
    labels = [list(states[parent].values()) for parent in cpt.parents]
    for backwards in itertools.product(*(range(len(own)) for own in reversed(labels))):
        row = backwards[::-1]
        head = f"({', '.join(own[i] for own, i in zip(labels, row))})" if row else "table"
        yield f"  {head} {', '.join(repr(float(value)) for value in cpt.table[row])};"
    yield "}"


def _writable(names: Sequence[str], forbidden: re.Pattern[str]) -> dict[str, str]:
    """What to write for each name, in the order given."""
    changed = safe_names(names, forbidden)
    return {name: changed.get(name, name) for name in names}
