"""XMLBIF 0.3, the XML interchange format of Bayesian networks (JavaBayes, Weka, GeNIe, pgmpy, pyAgrum).

The numbers of a table run through the states of the variable fastest, then through those of its last parent. Names that
XML or other programs cannot hold come back from the properties that our writer gives them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape

from latconf_core.dag.bayes_net import BayesNet, Cpt
from latconf_core.errors import FileFormatError
from latconf_core.formats.networks.declared import Declared, build_network, parse_numbers
from latconf_core.formats.networks.safe_names import decode_name, encode_name
from latconf_core.formats.networks.written_names import (
    LATENT_PROPERTY,
    NAME_PROPERTY,
    STATES_PROPERTY,
    WrittenNames,
    choose_names,
)
from latconf_core.formats.networks.xml_tree import parse_xml, text_of

LEGAL = re.compile(r"[^\W\d_](?:[\w.+%<>=:/-]| (?=\S))*|[\d<>=+-](?:[\w.+%<>=:/-]| (?=\S))*")


def parse_xmlbif(text: str) -> BayesNet:
    """The network of an XMLBIF text."""
    root = parse_xml(text, with_doctype=True)
    network = root if root.tag == "NETWORK" else root.find("NETWORK")
    if network is None:
        raise FileFormatError("there is no <NETWORK> in the file, so it is not XMLBIF")
    definitions = _definitions(network)
    variables = [_declared(element, definitions) for element in network.iter("VARIABLE")]
    unknown = set(definitions) - {element.name for element in variables}
    if unknown:
        raise FileFormatError(f"there is a definition for {min(unknown)!r}, which is not a variable of the file")
    kept = _properties(network).get(NAME_PROPERTY)
    return build_network(variables, name=text_of(network.find("NAME")) if kept is None else decode_name(kept))


def _definitions(network: Element) -> dict[str, Element]:
    definitions: dict[str, Element] = {}
    for element in network.iter("DEFINITION"):
        name = text_of(element.find("FOR"))
        if name in definitions:
            raise FileFormatError(f"{name!r} has two definitions")
        definitions[name] = element
    return definitions


def _declared(variable: Element, definitions: dict[str, Element]) -> Declared:
    name = text_of(variable.find("NAME"))
    if variable.get("TYPE", "nature") != "nature":
        raise FileFormatError(f"{name!r} is a {variable.get('TYPE')} node; latconf reads networks of chance nodes")
    definition = definitions.get(name)
    if definition is None:
        raise FileFormatError(f"the variable {name!r} has no definition")
    table = text_of(definition.find("TABLE"))
    properties = _properties(variable)
    return Declared(
        name,
        tuple(text_of(state) for state in (*variable.findall("OUTCOME"), *variable.findall("VALUE"))),
        tuple(text_of(parent) for parent in definition.findall("GIVEN")),
        parse_numbers(table.split(), name),
        is_latent=LATENT_PROPERTY in properties,
        real_name=properties.get(NAME_PROPERTY),
        real_states=properties.get(STATES_PROPERTY),
    )


def _properties(element: Element) -> dict[str, str]:
    pairs = (text_of(property_element).partition("=") for property_element in element.findall("PROPERTY"))
    return {key.strip(): value.strip() for key, _, value in pairs}


def xmlbif_text(network: BayesNet, names: WrittenNames) -> str:
    """The network as XMLBIF 0.3; without the list of its elements at the top, over which pyAgrum stumbles."""
    title = network.name if LEGAL.fullmatch(network.name) else "network"
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<BIF VERSION="0.3">',
        "<NETWORK>",
        f"<NAME>{escape(title)}</NAME>",
    ]
    if title != network.name:
        lines.append(f"<PROPERTY>{NAME_PROPERTY} = {encode_name(network.name)}</PROPERTY>")
    for variable in network.variables:
        lines += _variable_lines(network, variable, names)
    for cpt in network.cpts.values():
        lines += _definition_lines(cpt, names)
    return "\n".join([*lines, "</NETWORK>", "</BIF>"]) + "\n"


def _variable_lines(network: BayesNet, variable: str, names: WrittenNames) -> Iterator[str]:
    yield '<VARIABLE TYPE="nature">'
    yield f"  <NAME>{escape(names.variables[variable])}</NAME>"
    for state in names.states[variable].values():
        yield f"  <OUTCOME>{escape(state)}</OUTCOME>"
    for key, kept in names.kept(variable, is_latent=variable in network.latents).items():
        yield f"  <PROPERTY>{key} = {kept}</PROPERTY>"
    yield "</VARIABLE>"


def _definition_lines(cpt: Cpt, names: WrittenNames) -> Iterator[str]:
    yield "<DEFINITION>"
    yield f"  <FOR>{escape(names.variables[cpt.variable])}</FOR>"
    for parent in cpt.parents:
        yield f"  <GIVEN>{escape(names.variables[parent])}</GIVEN>"
    yield f"  <TABLE>{' '.join(map(repr, cpt.table.ravel().tolist()))}</TABLE>"
    yield "</DEFINITION>"


def written_names(network: BayesNet) -> WrittenNames:
    """Names without markup, control characters or blanks at their ends."""
    return choose_names(network, names=LEGAL, states=LEGAL)
