"""The formats of Bayesian networks: one record each, read by the window and the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from latconf_core.dag.bayes_net import BayesNet
from latconf_core.errors import FileFormatError, OptionError
from latconf_core.files import read_text, write_text_atomically
from latconf_core.formats.networks import bif, bif_text, hugin_net, network_json, xdsl, xmlbif
from latconf_core.formats.networks.written_names import WrittenNames


@dataclass(frozen=True)
class NetworkFormat:
    """A format that holds a whole network.

    recognises : whether a file with its extension is a network, where graphs can have it too
    written_names : what variables and states are called in a file
    """

    name: str
    description: str
    extensions: tuple[str, ...]
    parse: Callable[[str], BayesNet]
    render: Callable[[BayesNet, WrittenNames], str]
    written_names: Callable[[BayesNet], WrittenNames]
    recognises: Callable[[Path], bool] = lambda _path: True


NETWORK_FORMATS = (
    NetworkFormat(
        "bif", "BIF", (".bif",), bif.parse_bif, lambda net, _: bif_text.bif_text(net), bif_text.written_names
    ),
    NetworkFormat(
        "xmlbif",
        "XMLBIF",
        (".xmlbif", ".bifxml", ".xml"),
        xmlbif.parse_xmlbif,
        xmlbif.xmlbif_text,
        xmlbif.written_names,
    ),
    NetworkFormat("xdsl", "GeNIe XDSL", (".xdsl",), xdsl.parse_xdsl, xdsl.xdsl_text, xdsl.written_names),
    NetworkFormat(
        "net", "Hugin NET", (".net",), hugin_net.parse_hugin_net, hugin_net.hugin_net_text, hugin_net.written_names
    ),
    NetworkFormat(
        "json",
        "latconf JSON",
        (".json",),
        network_json.parse_network_json,
        lambda net, _: network_json.network_text(net),
        network_json.written_names,
        lambda path: network_json.is_network_text(read_text(path)),
    ),
)


def network_format(name: str) -> NetworkFormat:
    """The format of this name."""
    for known_format in NETWORK_FORMATS:
        if known_format.name == name:
            return known_format
    known = ", ".join(entry.name for entry in NETWORK_FORMATS)
    raise OptionError(f"there is no network format {name!r}; choose one of {known}")


def format_by_extension(path: str | Path) -> NetworkFormat | None:
    """The format whose extension a name has; None where no format of networks has it."""
    ending = Path(path).suffix.lower()
    return next((known_format for known_format in NETWORK_FORMATS if ending in known_format.extensions), None)


def holds_network(path: str | Path) -> bool:
    """Whether a file is that of a whole network: by its extension, and by its content where graphs share that."""
    known_format = format_by_extension(path)
    return known_format is not None and known_format.recognises(Path(path))


def read_network(path: str | Path) -> BayesNet:
    """The network of a file, by its extension, under the names it had when we wrote it."""
    known_format = format_by_extension(path)
    if known_format is None:
        raise FileFormatError(f"this is not a known network format; {_known_extensions()}", path)
    try:
        return known_format.parse(read_text(path))
    except FileFormatError as error:
        raise FileFormatError(error.problem, path, error.line) from None


def write_network(network: BayesNet, path: str | Path, *, format: str | None = None) -> Mapping[str, str]:
    """Write a network; the names that had to change: written name → real name.

    format : a name of NETWORK_FORMATS; None goes by the extension
    """
    chosen = format_by_extension(path) if format is None else network_format(format)
    if chosen is None:
        raise OptionError(f"the name {Path(path).name!r} does not determine the network format; {_known_extensions()}")
    names = chosen.written_names(network)
    write_text_atomically(path, chosen.render(network, names))
    return names.changed


def _known_extensions() -> str:
    return f"known extensions are {', '.join(sorted(end for entry in NETWORK_FORMATS for end in entry.extensions))}"
