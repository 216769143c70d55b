"""`latconf convert`: a graph, a DAG with latents, a network or data from one file format to another."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from latconf_core.cli.terminal.arguments import add_table_options, load_table
from latconf_core.errors import OptionError

if TYPE_CHECKING:
    from latconf_core.data.preparing.prepare import Prepared

HEAD_BYTES = 4_000_000  # what is looked at to tell a graph from data; a matrix of 1,000 nodes is half of it
EXAMPLES = """examples:
  latconf convert pag.txt pag.dot
  latconf convert amat.txt pag.graphml --from pcalg-cpdag
  latconf convert network.bif structure.dagitty
  latconf convert model.bif model.xdsl
  latconf convert data.arff data.csv"""


@dataclass(frozen=True)
class Conversion:
    """What was written in words, the names that had to change (written → real), and what was left out and why."""

    kind: str
    names: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "convert",
        help="write a graph, a DAG with latents, a network or data in another format",
        description="The extensions determine the formats; if two formats share one (.txt, .csv), the contents decide.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", metavar="IN", type=Path, help="the file to read")
    parser.add_argument("target", metavar="OUT", type=Path, help="the file to write")
    parser.add_argument("--from", dest="source_format", metavar="FORMAT", help="graph format of IN (default: detected)")
    parser.add_argument(
        "--to", dest="target_format", metavar="FORMAT", help="graph format of OUT (default: by extension)"
    )
    add_table_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Convert, and say what was written and which names had to change."""
    done = convert(
        args.source,
        args.target,
        source_format=args.source_format,
        target_format=args.target_format,
        load=lambda path: load_table(path, args),
    )
    if args.json:
        report = {"kind": done.kind, "names": dict(done.names), "notes": done.notes}
        print(json.dumps({"in": str(args.source), "out": str(args.target), **report}))
    else:
        print(f"{done.kind} written to {args.target}")
        for written, real in done.names.items():
            print(f"  {real!r} is written {written!r}")
        for note in done.notes:
            print(f"  {note}")
    return 0


def convert(
    source: Path,
    target: Path,
    *,
    source_format: str | None = None,
    target_format: str | None = None,
    load: Callable[[Path], Prepared],
) -> Conversion:
    """Write what the source holds in the format of the target; `load` reads a table."""
    from latconf_core.formats.networks.registry import holds_network

    if source_format is None and holds_network(source):
        return _convert_network(source, target, target_format)
    if source_format is not None or _is_graph(source):
        return _convert_graph(source, target, source_format, target_format)
    return _convert_data(source, target, target_format, load)


def _is_graph(source: Path) -> bool:
    """Whether the file is a graph: by its extension, or by its content where data can have it too."""
    from latconf_core.data.reading.detect import read_head
    from latconf_core.data.reading.table_formats.registry import table_suffixes
    from latconf_core.formats.graphs.registry import graph_formats

    suffix = source.suffix.lower()
    candidates = [graph_format for graph_format in graph_formats() if suffix in graph_format.extensions]
    if suffix in table_suffixes() and not candidates:
        return False
    if candidates and suffix not in table_suffixes():
        return True
    text = read_head(source, HEAD_BYTES)
    return any(graph_format.recognises(text) for graph_format in candidates or graph_formats())


def _convert_graph(source: Path, target: Path, source_format: str | None, target_format: str | None) -> Conversion:
    from latconf_core.formats.graphs.registry import graph_formats, read_document, write_document
    from latconf_core.formats.networks.registry import format_by_extension
    from latconf_core.phrases import counted

    of_networks = format_by_extension(target)
    is_graph = any(
        graph_format.can_write and target.suffix.lower() in graph_format.extensions for graph_format in graph_formats()
    )
    if of_networks is not None and not is_graph and target_format is None:
        raise OptionError(
            f"a {of_networks.description} file needs probabilities, which a graph does not have; choose a graph format"
        )
    document = read_document(source, format=source_format)
    names = write_document(document, target, format=target_format)
    graph = document.graph
    kind = "DAG with latents" if document.latents else "graph"
    size = f"{counted(len(graph.nodes), 'node')}, {counted(graph.n_edges, 'edge')}"
    return Conversion(f"{kind}: {size}", names, document.notes)


def _convert_network(source: Path, target: Path, target_format: str | None) -> Conversion:
    from latconf_core.formats.graphs.registry import read_document, write_document
    from latconf_core.formats.networks.registry import format_by_extension, read_network, write_network
    from latconf_core.phrases import counted

    network = read_network(source)
    size = f"{counted(len(network.variables), 'variable')}, {counted(len(network.edges), 'edge')}"
    if target_format is None and format_by_extension(target) is not None:
        return Conversion(f"network: {size}", write_network(network, target))
    names = write_document(read_document(source), target, format=target_format)
    return Conversion(f"structure of the network: {size}", names)


def _convert_data(
    source: Path, target: Path, target_format: str | None, load: Callable[[Path], Prepared]
) -> Conversion:
    from latconf_core.data.reading.write import write_dataset
    from latconf_core.phrases import counted

    if target_format is not None:
        raise OptionError(f"{source.name} is data, which cannot be written as the graph format {target_format}")
    prepared = load(source)
    dataset = prepared.dataset
    write_dataset(dataset, target)
    aside = [f"{excluded.name!r} is excluded: {excluded.reason}" for excluded in prepared.set_aside]
    kind = f"data: {counted(dataset.n_rows, 'row')}, {counted(dataset.n_variables, 'variable')}"
    return Conversion(kind, notes=(*prepared.notes, *aside))
