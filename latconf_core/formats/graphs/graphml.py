"""GraphML with the marks of an edge as its attributes `sourceEndpoint` and `targetEndpoint` (causaliq's names)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from latconf_core.errors import FileFormatError
from latconf_core.formats.graphs.graph_document import (
    GraphBuilder,
    GraphDocument,
    GraphFormat,
    read_states,
    tail_first,
)
from latconf_core.formats.networks.safe_names import CONTROL, decode_name, encode_name, safe_names
from latconf_core.graph.marks import Mark
from latconf_core.graph.mixed import MixedGraph

SOURCE, TARGET = "sourceEndpoint", "targetEndpoint"
WORDS = {Mark.CIRCLE: "circle", Mark.ARROW: "arrow", Mark.TAIL: "tail"}
_MARKS = {
    "circle": Mark.CIRCLE,
    **dict.fromkeys(("arrow", "target", "head"), Mark.ARROW),
    **dict.fromkeys(("tail", "none", "source", "line"), Mark.TAIL),
}
_KEYS = (("node", "latent", "boolean"), ("node", "states", "int"), ("node", "latconf_name", "string"))
_FORBIDDEN = re.compile(f"[{CONTROL}]")


def parse(text: str) -> GraphDocument:
    """The document of a GraphML file."""
    return _Reader().read(text)


class _Reader:
    """Follows the elements of the file; each edge and node is added when it ends, its attributes then known."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate("utf-8", " ")  # whatever the file says: the text is decoded
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._on_start
        self._parser.EndElementHandler = self._on_end
        self._parser.CharacterDataHandler = self._on_text
        self._parser.StartDoctypeDeclHandler = self._on_doctype
        self._builder = GraphBuilder()
        self._keys: dict[str, str] = {}
        self._open: dict[str, str] = {}  # of the node or edge that is being read
        self._line = 1  # where it began
        self._data: dict[str, str] = {}
        self._key: str | None = None
        self._is_directed = True
        self._edges: list[tuple[int, dict[str, str], dict[str, str]]] = []
        self._has_graph = False

    def read(self, text: str) -> GraphDocument:
        try:
            self._parser.Parse(text.encode("utf-8"), True)
        except expat.ExpatError as error:
            raise FileFormatError(f"this is not XML: {expat.ErrorString(error.code)}", line=error.lineno) from None
        if not self._has_graph:
            raise FileFormatError("there is no <graph> in the file", line=1)
        for line, attributes, data in self._edges:
            self._builder.add_edge(
                attributes["source"], self._marks(attributes, data, line), attributes["target"], line=line
            )
        return self._builder.document()

    def _on_doctype(self, *_: object) -> None:
        line = self._parser.CurrentLineNumber
        raise FileFormatError(
            "the file declares a document type, which is not allowed for safety; remove it", line=line
        )

    def _on_start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(" ")[2]
        line = self._parser.CurrentLineNumber
        if tag == "key":
            self._keys[attributes.get("id", "")] = attributes.get("attr.name", attributes.get("id", ""))
        elif tag == "graph":
            if self._has_graph:
                raise FileFormatError("there is a second <graph>; latconf reads files with one", line=line)
            self._has_graph = True
            self._is_directed = attributes.get("edgedefault", "directed") == "directed"
        elif tag in ("node", "edge"):
            if self._key is not None:
                raise FileFormatError(f"a <{tag}> stands inside <data>", line=line)
            for needed in ("id",) if tag == "node" else ("source", "target"):
                if needed not in attributes:
                    raise FileFormatError(f"a <{tag}> has no {needed!r}", line=line)
            self._open, self._data, self._line = attributes, {}, line
        elif tag == "data":
            key = attributes.get("key", "")
            self._key = self._keys.get(key, key)
            self._data[self._key] = ""

    def _on_text(self, text: str) -> None:
        if self._key is not None:
            self._data[self._key] += text

    def _on_end(self, tag: str) -> None:
        tag = tag.rpartition(" ")[2]
        if tag == "data":
            self._key = None
        elif tag == "edge":
            self._edges.append((self._line, self._open, self._data))
        elif tag == "node":
            self._add_node()

    def _add_node(self) -> None:
        name, data = self._open["id"], {key: text.strip() for key, text in self._data.items()}
        self._builder.add_node(name, self._line)
        if data.get("latent", "").lower() in ("true", "1"):
            states = data.get("states", "")
            self._builder.mark_latent(name, read_states(states))
        if "latconf_name" in data:
            self._builder.call(name, decode_name(data["latconf_name"]), self._line)

    def _marks(self, attributes: Mapping[str, str], data: Mapping[str, str], line: int) -> tuple[Mark, Mark]:
        is_directed = attributes.get("directed", str(self._is_directed)).lower() in ("true", "1")
        source = _mark(data.get(SOURCE, "tail"), line)
        return source, _mark(data.get(TARGET, "arrow" if is_directed else "tail"), line)


def _mark(word: str, line: int) -> Mark:
    if word.strip().lower() not in _MARKS:
        raise FileFormatError(f"found the endpoint {word!r}; expected arrow, circle or tail", line=line)
    return _MARKS[word.strip().lower()]


def render(document: GraphDocument, names: Mapping[str, str]) -> str:
    """The GraphML text of a document."""
    keys = (*_KEYS, ("edge", SOURCE, "string"), ("edge", TARGET, "string"))
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    lines += [f'  <key id="{name}" for="{of}" attr.name="{name}" attr.type="{type_}"/>' for of, name, type_ in keys]
    lines.append('  <graph edgedefault="directed">')
    for name in document.graph.nodes:
        lines.append(_element("node", f"id={quoteattr(names.get(name, name))}", _node_data(document, name, names)))
    for edge in map(tail_first, document.graph.renamed(names).edges()):
        ends = f"source={quoteattr(edge.first)} target={quoteattr(edge.second)}"
        lines.append(_element("edge", ends, {SOURCE: WORDS[edge.at_first], TARGET: WORDS[edge.at_second]}))
    return "\n".join([*lines, "  </graph>", "</graphml>"]) + "\n"


def _node_data(document: GraphDocument, name: str, names: Mapping[str, str]) -> dict[str, str]:
    data = {}
    if name in document.latents:
        data = {"latent": "true", "states": str(document.latents[name])}
    if name in names:
        data["latconf_name"] = encode_name(name)
    return data


def _element(tag: str, attributes: str, data: Mapping[str, str]) -> str:
    if not data:
        return f"    <{tag} {attributes}/>"
    inside = "".join(f'<data key="{key}">{escape(text)}</data>' for key, text in data.items())
    return f"    <{tag} {attributes}>{inside}</{tag}>"


def written_names(graph: MixedGraph) -> Mapping[str, str]:
    """Names without the characters that XML cannot hold."""
    return safe_names(graph.nodes, _FORBIDDEN)


def recognises(text: str) -> bool:
    """Whether the text has a graphml element."""
    return "<graphml" in text


FORMAT = GraphFormat(
    name="graphml",
    description="GraphML",
    extensions=(".graphml", ".xml"),
    parse=parse,
    render=render,
    written_names=written_names,
    recognises=recognises,
    holds_latents=True,
)
