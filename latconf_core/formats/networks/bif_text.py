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
from latconf_core.formats.networks.safe_names import encode_name, safe_names
from latconf_core.formats.networks.written_names import NAME_PROPERTY, WrittenNames

_NOT_IN_NAMES = re.compile(r"[^\w.-]")
_NOT_IN_STATES = re.compile(r"""[\s,{}()#%;|"']|(?<=/)[/*]""")


def write_bif(network: BayesNet, path: str | Path, *, comments: Sequence[str] = ()) -> None:
    """Write the network as BIF; the comments become lines at the top."""
    write_text_atomically(path, bif_text(network, comments=comments))


def bif_text(network: BayesNet, *, comments: Sequence[str] = ()) -> str:
    """The network as BIF, its rows in bnlearn's order: the first parent fastest."""
    names = written_names(network)
    title = _writable([network.name], _NOT_IN_NAMES)[network.name]
    lines = [f"// {line}" for comment in comments for line in comment.splitlines()]
    lines += [f"network {title} {{"]
    if title != network.name:
        lines += [f"  property {NAME_PROPERTY} = {encode_name(network.name)} ;"]
    lines += ["}"]
    for name in network.variables:
        lines += _variable_lines(network, name, names)
    for cpt in network.cpts.values():
        lines += _probability_lines(cpt, names)
    return "\n".join(lines) + "\n"


def written_names(network: BayesNet) -> WrittenNames:
    """Names with an underscore for everything that BIF cannot hold, as bnlearn writes them."""
    states = {name: _writable(network.states(name), _NOT_IN_STATES) for name in network.variables}
    return WrittenNames(_writable(network.variables, _NOT_IN_NAMES), states)


def _variable_lines(network: BayesNet, name: str, names: WrittenNames) -> Iterable[str]:
    states = names.states[name].values()
    yield f"variable {names.variables[name]} {{"
    yield f"  type discrete [ {len(states)} ] {{ {', '.join(states)} }};"
    for key, kept in names.kept(name, is_latent=name in network.latents).items():
        yield f"  property {key} = {kept} ;"
    yield "}"


def _probability_lines(cpt: Cpt, names: WrittenNames) -> Iterable[str]:
    given = f" | {', '.join(names.variables[parent] for parent in cpt.parents)}" if cpt.parents else ""
    yield f"probability ( {names.variables[cpt.variable]}{given} ) {{"
    labels = [list(names.states[parent].values()) for parent in cpt.parents]
    for backwards in itertools.product(*(range(len(label)) for label in reversed(labels))):
        row = backwards[::-1]
        head = f"({', '.join(label[i] for label, i in zip(labels, row))})" if row else "table"
        yield f"  {head} {', '.join(repr(float(value)) for value in cpt.table[row])};"
    yield "}"


def _writable(names: Sequence[str], forbidden: re.Pattern[str]) -> dict[str, str]:
    """What to write for each name, in the order given."""
    changed = safe_names(names, forbidden)
    return {name: changed.get(name, name) for name in names}
