"""XDSL, the files of GeNIe and SMILE.

The numbers of a table run through the states of the node fastest, then through those of its last parent. Ids begin with
a letter; the real names stand where GeNIe shows them, and percent-encoded in an extension that our reader takes back.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from latconf_core.arrays import FloatArray
from latconf_core.dag.bayes_net import BayesNet
from latconf_core.errors import FileFormatError
from latconf_core.formats.networks.declared import Declared, build_network, check_size, parse_numbers
from latconf_core.formats.networks.safe_names import CONTROL, decode_name, encode_name
from latconf_core.formats.networks.written_names import (
    LATENT_PROPERTY,
    NAME_PROPERTY,
    STATES_PROPERTY,
    WrittenNames,
    choose_names,
)
from latconf_core.formats.networks.xml_tree import parse_xml, text_of

IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
NODE_WIDTH, NODE_HEIGHT, GAP = 90, 50, 40  # pixels of GeNIe's drawing
OBSERVED_COLOUR, LATENT_COLOUR = "e5f6f7", "f7e5f2"
_UNSEEN = re.compile(f"[{CONTROL}]")


def parse_xdsl(text: str) -> BayesNet:
    """The network of an XDSL text; tables and deterministic nodes are read, other kinds of nodes refused."""
    root = parse_xml(text)
    nodes = root.find("nodes")
    if root.tag != "smile" or nodes is None:
        raise FileFormatError("there are no <nodes> in a <smile> element, so the file is not XDSL")
    kinds = {"cpt", "deterministic"}
    other = next((element for element in nodes if element.tag not in kinds), None)
    if other is not None:
        raise FileFormatError(
            f"{other.get('id')!r} is a node of the kind {str(other.tag)!r}; latconf reads probability tables and "
            "deterministic nodes: change it to a general node in GeNIe first"
        )
    states = {element.get("id", ""): _states(element) for element in nodes}
    extension = root.find("extensions/latconf")
    kept = {} if extension is None else {element.get("id", ""): dict(element.attrib) for element in extension}
    position_of = {key: i for i, key in enumerate(kept)}
    name = root.get("id", "") if extension is None else decode_name(extension.get("name", ""))
    declared = [_declared(element, states, kept.get(element.get("id", ""), {})) for element in nodes]
    return build_network(sorted(declared, key=lambda node: position_of.get(node.name, len(position_of))), name=name)


def _states(node: Element) -> tuple[str, ...]:
    return tuple(state.get("id", "") for state in node.findall("state"))


def _declared(node: Element, states: dict[str, tuple[str, ...]], kept: dict[str, str]) -> Declared:
    name = node.get("id", "")
    parents = tuple(text_of(node.find("parents")).split())
    return Declared(
        name,
        states[name],
        parents,
        _deterministic(node, parents, states) if node.tag == "deterministic" else _numbers(node, name),
        is_latent=LATENT_PROPERTY in kept,
        real_name=kept.get(NAME_PROPERTY),
        real_states=kept.get(STATES_PROPERTY),
    )


def _numbers(node: Element, name: str) -> FloatArray:
    return parse_numbers(text_of(node.find("probabilities")).split(), name)


def _deterministic(node: Element, parents: Sequence[str], states: dict[str, tuple[str, ...]]) -> FloatArray:
    """The table of a node that names its state for each configuration of its parents."""
    name = node.get("id", "")
    own_states = states[name]
    results = text_of(node.find("resultingstates")).split()
    unknown = next((state for state in results if state not in own_states), None)
    if unknown is not None:
        raise FileFormatError(f"{unknown!r} is not a state of {name!r}")
    shape = (*(len(states.get(parent, ())) for parent in parents), len(own_states))
    check_size(name, shape)
    if len(results) != math.prod(shape[:-1]):
        raise FileFormatError(f"{name!r} needs {math.prod(shape[:-1]):,} resulting states, found {len(results):,}")
    table: FloatArray = np.zeros((len(results), len(own_states)))
    table[np.arange(len(results)), [own_states.index(state) for state in results]] = 1.0
    return table.ravel()


def xdsl_text(network: BayesNet, names: WrittenNames) -> str:
    """The network as XDSL, parents before children, with a drawing for GeNIe."""
    title = network.name if IDENTIFIER.fullmatch(network.name) else "network"
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f'<smile version="1.0" id="{title}" numsamples="10000" discsamples="10000">')
    lines.append(" <nodes>")
    for variable in network.topological_order:
        lines += _node_lines(network, variable, names)
    lines += [" </nodes>", " <extensions>", *_drawing_lines(network, names, title), *_kept_lines(network, names)]
    lines += [" </extensions>", "</smile>"]
    return "\n".join(lines) + "\n"


def _node_lines(network: BayesNet, variable: str, names: WrittenNames) -> Iterator[str]:
    cpt = network.cpts[variable]
    yield f'  <cpt id="{names.variables[variable]}">'
    for state in names.states[variable].values():
        yield f'   <state id="{state}" />'
    if cpt.parents:
        yield f"   <parents>{' '.join(names.variables[parent] for parent in cpt.parents)}</parents>"
    yield f"   <probabilities>{' '.join(map(repr, cpt.table.ravel().tolist()))}</probabilities>"
    yield "  </cpt>"


def _kept_lines(network: BayesNet, names: WrittenNames) -> Iterator[str]:
    """What XDSL has no place for: real names, which variables are latent, and the order of the variables."""
    yield f'  <latconf name="{encode_name(network.name)}">'
    for variable in network.variables:
        kept = names.kept(variable, is_latent=variable in network.latents)
        attributes = "".join(f' {key}="{value}"' for key, value in kept.items())
        yield f'   <node id="{names.variables[variable]}"{attributes} />'
    yield "  </latconf>"


def _drawing_lines(network: BayesNet, names: WrittenNames, title: str) -> Iterator[str]:
    yield f'  <genie version="1.0" app="latconf" name={quoteattr(_visible(network.name) or title)}>'
    for variable, (left, top) in _places(network).items():
        colour = LATENT_COLOUR if variable in network.latents else OBSERVED_COLOUR
        yield f'   <node id="{names.variables[variable]}">'
        yield f"    <name>{escape(_visible(variable))}</name>"
        yield f'    <interior color="{colour}" /><outline color="000080" />'
        yield '    <font color="000000" name="Arial" size="8" />'
        yield f"    <position>{left} {top} {left + NODE_WIDTH} {top + NODE_HEIGHT}</position>"
        yield "   </node>"
    yield "  </genie>"


def _visible(name: str) -> str:
    return _UNSEEN.sub("_", name)


def _places(network: BayesNet) -> dict[str, tuple[int, int]]:
    """Left and top of each node: a row for each number of steps from the roots."""
    depth: dict[str, int] = {}
    width: dict[int, int] = {}
    places = {}
    for variable in network.topological_order:
        depth[variable] = 1 + max((depth[parent] for parent in network.cpts[variable].parents), default=-1)
        row = depth[variable]
        column = width[row] = width.get(row, -1) + 1
        places[variable] = (GAP + column * (NODE_WIDTH + GAP), GAP + row * (NODE_HEIGHT + GAP))
    return places


def written_names(network: BayesNet) -> WrittenNames:
    """Ids of letters, digits and underscores that begin with a letter."""
    return choose_names(network, names=IDENTIFIER, states=IDENTIFIER)
