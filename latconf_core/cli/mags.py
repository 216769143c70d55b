"""`latconf mags`: the MAGs of a PAG by number of bidirected edges, and the fewest latents that explain each."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from latconf_core.cli.terminal.arguments import ExamplesFormatter, natural, positive
from latconf_core.errors import GraphError

if TYPE_CHECKING:
    from latconf_core.graph.bits import BitGraph
    from latconf_core.mag.latents.minimum import ChildSets
    from latconf_core.mag.listing import MagListing
    from latconf_core.pag.validity import PagCheck

EXAMPLES = """examples:
  latconf mags pag.txt --count
  latconf mags pag.txt --max-bidirected 2 --latents"""


@dataclass(frozen=True)
class ListedMag:
    """One MAG, and the children of its latents where they were asked for."""

    graph: BitGraph
    latents: ChildSets | None


@dataclass
class ListedGraph:
    """What is known of one graph file."""

    file: str
    check: PagCheck
    n_invariant: int
    levels: dict[int, int] = field(default_factory=dict)
    mags: list[ListedMag] = field(default_factory=list)
    is_complete: bool = True


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "mags",
        help="list or count the MAGs of a PAG",
        description=(
            "List the maximal ancestral graphs of a PAG by number of bidirected edges. A graph that is not a "
            "valid PAG is listed as given, with the reason."
        ),
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    parser.add_argument("graphs", nargs="+", metavar="GRAPH", help="files of PAGs or MAGs")
    parser.add_argument(
        "--max-bidirected",
        type=natural,
        metavar="M",
        help="leave out MAGs with more <-> than this (default: all are listed)",
    )
    parser.add_argument("--count", action="store_true", help="only count them")
    parser.add_argument("--limit", type=positive, metavar="N", help="stop after this many MAGs of a graph")
    parser.add_argument("--latents", action="store_true", help="with each MAG, the fewest latents that explain it")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List every graph in the order given."""
    graphs = (_listed(file, args) for file in args.graphs)
    if args.json:
        print(json.dumps({"graphs": [_as_json(listed_graph, with_mags=not args.count) for listed_graph in graphs]}))
        return 0
    for listed in graphs:
        for line in _as_text(listed):
            print(line)
    return 0


def _listed(file: str, args: argparse.Namespace) -> ListedGraph:
    from latconf_core.formats.graphs.registry import read_graph
    from latconf_core.mag.listing import MagListing
    from latconf_core.pag.validity import check_pag

    graph = read_graph(file)
    check = check_pag(graph)
    try:
        listing = MagListing(graph, is_valid=check.valid)
    except GraphError as error:
        raise GraphError(f"{file}: {error}") from None
    listed_graph = ListedGraph(file, check, listing.n_invariant)
    (_count if args.count else _list)(listed_graph, listing, args)
    return listed_graph


def _list(listed_graph: ListedGraph, listing: MagListing, args: argparse.Namespace) -> None:
    """Put the MAGs into `listed_graph`, level by level, until there are no more or a bound is met."""
    for level in _levels(listed_graph, listing, args.max_bidirected):
        room = None if args.limit is None else args.limit - len(listed_graph.mags)
        before = len(listed_graph.mags)
        mags = listing.level(level)
        listed_graph.mags += [ListedMag(mag, _latents(mag, args, listed_graph.check)) for mag in islice(mags, room)]
        listed_graph.levels[level] = len(listed_graph.mags) - before
        if room is not None and next(mags, None) is not None:
            listed_graph.is_complete = False
            return


def _count(listed_graph: ListedGraph, listing: MagListing, args: argparse.Namespace) -> None:
    """Put the number of MAGs of every level into `listed_graph`, until there are no more or a bound is met."""
    for level in _levels(listed_graph, listing, args.max_bidirected):
        room = None if args.limit is None else max(args.limit - sum(listed_graph.levels.values()), 0)
        count = listing.count(level, limit=room)
        if count is None:
            listed_graph.levels[level] = room or 0
            listed_graph.is_complete = False
            return
        listed_graph.levels[level] = count


def _levels(listed_graph: ListedGraph, listing: MagListing, max_bidirected: int | None) -> Iterator[int]:
    """Levels from the lowest up to the first empty one, or to the highest asked for."""
    level = listing.n_invariant
    while level == listing.n_invariant or listed_graph.levels[level - 1]:
        if max_bidirected is not None and level > max_bidirected:
            listed_graph.is_complete = next(listing.level(level), None) is None
            return
        yield level
        level += 1


def _latents(mag: BitGraph, args: argparse.Namespace, check: PagCheck) -> ChildSets | None:
    from latconf_core.mag.latents.minimum import clique_cover, minimum_latents
    from latconf_core.mag.validity import is_mag

    if not args.latents:
        return None
    solve = minimum_latents if check.valid or is_mag(mag) else clique_cover
    return solve(mag).child_sets


def _as_json(listed_graph: ListedGraph, *, with_mags: bool) -> dict[str, object]:
    """What the command prints of one graph."""
    described: dict[str, object] = {
        "file": listed_graph.file,
        "valid_pag": listed_graph.check.valid,
        "reasons": [reason.sentence for reason in listed_graph.check.reasons],
        "invariant_bidirected": listed_graph.n_invariant,
        "levels": {str(level): count for level, count in listed_graph.levels.items() if count},
        "complete": listed_graph.is_complete,
    }
    if with_mags:
        described["mags"] = [_mag_as_json(mag) for mag in listed_graph.mags]
    return described


def _mag_as_json(listed_mag: ListedMag) -> dict[str, object]:
    described: dict[str, object] = {
        "edges": [[edge.first, edge.arrow, edge.second] for edge in listed_mag.graph.edges()],
        "bidirected": listed_mag.graph.n_bidirected,
    }
    if listed_mag.latents is not None:
        described["latents"] = [list(children) for children in listed_mag.latents]
    return described


def _as_text(found: ListedGraph) -> Iterator[str]:
    total = sum(found.levels.values())
    kind = "a valid PAG" if found.check.valid else "not a valid PAG, listed as given"
    noun = ("MAG" if found.check.valid else "graph") + ("" if total == 1 else "s")
    yield f"{found.file}: {kind}; {total:,} {noun}{'' if found.is_complete else ' so far; there are more'}"
    for reason in found.check.reasons:
        yield f"  not valid: {reason.sentence}"
    for level, count in found.levels.items():
        if count:
            yield f"  with {level} <->: {count:,}"
    for mag in found.mags:
        edges = ", ".join(str(edge) for edge in mag.graph.edges()) or "no edges"
        latents = "" if mag.latents is None else f"   latents over: {_drawn_sets(mag.latents)}"
        yield f"    {edges}{latents}"


def _drawn_sets(child_sets: ChildSets) -> str:
    return ", ".join("{" + ", ".join(children) + "}" for children in child_sets) or "none"
