"""Graph files by extension, and by content where formats share one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from latconf_core.dag.latent_dag import LatentDag
from latconf_core.errors import FileFormatError, GraphError, OptionError
from latconf_core.files import check_writable, read_text, write_text_atomically
from latconf_core.formats.graphs import (
    bayesys,
    causal_learn,
    dagitty,
    dot,
    graph_json,
    graphml,
    network_structure,
    pcalg_matrix,
    tetrad_text,
)
from latconf_core.formats.graphs.graph_document import GraphDocument, GraphFormat
from latconf_core.graph.mixed import MixedGraph

_FORMATS = (
    tetrad_text.FORMAT,
    pcalg_matrix.FORMAT,
    causal_learn.FORMAT,
    dagitty.FORMAT,
    dot.FORMAT,
    graphml.FORMAT,
    graph_json.FORMAT,
    bayesys.FORMAT,
    pcalg_matrix.CSV_FORMAT,
    pcalg_matrix.CPDAG_FORMAT,
    *network_structure.FORMATS,
)


def graph_formats() -> tuple[GraphFormat, ...]:
    """Every graph format, the preferred one of each extension first."""
    return _FORMATS


def graph_format(name: str) -> GraphFormat:
    """The format of this name."""
    for known_format in _FORMATS:
        if known_format.name == name:
            return known_format
    raise OptionError(f"there is no graph format {name!r}; choose one of {', '.join(f.name for f in _FORMATS)}")


def read_graph(path: str | Path, *, nodes: Sequence[str] | None = None, format: str | None = None) -> MixedGraph:
    """The graph in a file.

    nodes : the variables of the data; the graph gets them all, in this order
    format : a name of `graph_formats`; None goes by extension and content
    """
    return take_graph(read_document(path, nodes=nodes, format=format), path)


def take_graph(document: GraphDocument, path: str | Path) -> MixedGraph:
    """The graph of a document without latents; GraphError where it has some."""
    if document.latents:
        raise GraphError(
            f"{Path(path).name} is a DAG with latents ({', '.join(document.latents)}), not a graph of "
            "observed variables alone; use it where a DAG is expected"
        )
    return document.graph


def read_dag(path: str | Path, *, nodes: Sequence[str] | None = None, format: str | None = None) -> LatentDag:
    """The DAG with latents in a file, that of a BIF network too; arguments as for `read_graph`."""
    return read_document(path, nodes=nodes, format=format).to_dag()


def read_document(path: str | Path, *, nodes: Sequence[str] | None = None, format: str | None = None) -> GraphDocument:
    """Everything a graph file holds; arguments as for `read_graph`."""
    text = read_text(path)
    chosen = _format_of(Path(path), text) if format is None else graph_format(format)
    try:
        document = chosen.parse(text)
    except FileFormatError as error:
        raise FileFormatError(error.problem, path, error.line) from None
    return document if nodes is None else _align_to_data(document, nodes, Path(path))


def write_graph(graph: MixedGraph, path: str | Path, *, format: str | None = None) -> Mapping[str, str]:
    """Write a graph; the names that had to change: written name → real name."""
    return write_document(GraphDocument(graph), path, format=format)


def check_graph_file(path: str | Path) -> None:
    """Refuse a file that no graph can be written to, by its name or its folder; nothing of it is changed."""
    _format_for_writing(Path(path))
    check_writable(path)


def write_dag(dag: LatentDag, path: str | Path, *, format: str | None = None) -> Mapping[str, str]:
    """Write a DAG with latents; the names that had to change: written name → real name."""
    return write_document(GraphDocument.of_dag(dag), path, format=format)


def write_document(document: GraphDocument, path: str | Path, *, format: str | None = None) -> Mapping[str, str]:
    """Write a document; the names that had to change: written name → real name."""
    chosen = _format_for_writing(Path(path)) if format is None else graph_format(format)
    if chosen.render is None:
        raise OptionError(f"latconf reads {chosen.description} but does not write it; choose another format")
    if document.latents and not chosen.holds_latents:
        able = ", ".join(
            known_format.name for known_format in _FORMATS if known_format.holds_latents and known_format.can_write
        )
        raise GraphError(f"{chosen.description} cannot say which variables are latent; write one of {able}")
    names = chosen.written_names(document.graph)
    write_text_atomically(path, chosen.render(document, names))
    return {written: real for real, written in names.items()}


def _format_of(path: Path, text: str) -> GraphFormat:
    """The format of a file that is there: by extension, and by content among those that share it."""
    sharing = [entry for entry in _FORMATS if path.suffix.lower() in entry.extensions]
    if len(sharing) == 1:
        return sharing[0]
    for known_format in sharing or _FORMATS:
        if known_format.recognises(text):
            return known_format
    writable = [entry for entry in sharing if entry.can_write]  # a network is recognised, or it is meant to be a graph
    if len(writable) == 1:
        return writable[0]
    if sharing:
        expected = " or ".join(entry.description for entry in sharing)
        raise FileFormatError(f"expected {expected}, and it is neither; name its format", path, 1)
    raise FileFormatError(f"this is not a known graph format; {_known_extensions()}", path)


def _format_for_writing(path: Path) -> GraphFormat:
    for known_format in _FORMATS:
        if known_format.can_write and path.suffix.lower() in known_format.extensions:
            return known_format
    raise OptionError(f"the name {path.name!r} does not determine the graph format; {_known_extensions()}")


def _known_extensions() -> str:
    known = sorted({extension for entry in _FORMATS for extension in entry.extensions})
    return f"known extensions are {', '.join(known)}"


def _align_to_data(document: GraphDocument, nodes: Sequence[str], path: Path) -> GraphDocument:
    """The document on the variables of the data, in their order, latents last."""
    return document.renamed(_match_names(document, nodes, path)).on_nodes(nodes)


def _match_names(document: GraphDocument, nodes: Sequence[str], path: Path) -> dict[str, str]:
    """The variable that each observed node of the file stands for, where the names differ.

    Files of the paper's authors write `rentalIncomeLoss%` and `propertyValueT+1` without `%` and `+`.
    """
    known = set(nodes)
    by_stripped: dict[str, list[str]] = {}
    for name in nodes:
        by_stripped.setdefault(_strip_signs(name), []).append(name)
    names, unknown = {}, []
    for name in document.graph.nodes:
        if name in known or name in document.latents:
            continue
        meant = by_stripped.get(name, [])
        if len(meant) == 1 and meant[0] not in document.graph.index:
            names[name] = meant[0]
        else:
            unknown.append(name)
    if unknown:
        raise GraphError(
            f"{path.name} names {', '.join(map(repr, unknown))}, which the data does not have; "
            "rename them in the graph, or open the data that the graph was made from"
        )
    return names


def _strip_signs(name: str) -> str:
    return name.replace("+", "").replace("%", "")
