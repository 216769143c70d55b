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
    found = (_listed(file, args) for file in args.graphs)
    if args.json:
        print(json.dumps({"graphs": [_as_json(one, with_mags=not args.count) for one in found]}))
        return 0
    for one in found:
        for line in _as_text(one):
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
    found = ListedGraph(file, check, listing.n_invariant)
    (_count if args.count else _list)(found, listing, args)
    return found


def _list(found: ListedGraph, listing: MagListing, args: argparse.Namespace) -> None:
    """Put the MAGs into `found`, level by level, until there are no more or a bound is met."""
    for level in _levels(found, listing, args.max_bidirected):
        room = None if args.limit is None else args.limit - len(found.mags)
        before = len(found.mags)
        mags = listing.level(level)
        found.mags += [ListedMag(mag, _latents(mag, args, found.check)) for mag in islice(mags, room)]
        found.levels[level] = len(found.mags) - before
        if room is not None and next(mags, None) is not None:
            found.is_complete = False
            return


def _count(found: ListedGraph, listing: MagListing, args: argparse.Namespace) -> None:
    """Put the number of MAGs of every level into `found`, until there are no more or a bound is met."""
    for level in _levels(found, listing, args.max_bidirected):
        room = None if args.limit is None else max(args.limit - sum(found.levels.values()), 0)
        count = listing.count(level, limit=room)
        if count is None:
            found.levels[level] = room or 0
            found.is_complete = False
            return
        found.levels[level] = count


def _levels(found: ListedGraph, listing: MagListing, max_bidirected: int | None) -> Iterator[int]:
    """Levels from the lowest up to the first empty one, or to the highest asked for."""
    level = listing.n_invariant
    while level == listing.n_invariant or found.levels[level - 1]:
        if max_bidirected is not None and level > max_bidirected:
            found.is_complete = next(listing.level(level), None) is None
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


def _as_json(found: ListedGraph, *, with_mags: bool) -> dict[str, object]:
    """What the command prints of one graph."""
    described: dict[str, object] = {
        "file": found.file,
        "valid_pag": found.check.valid,
        "reasons": [reason.sentence for reason in found.check.reasons],
        "invariant_bidirected": found.n_invariant,
        "levels": {str(level): count for level, count in found.levels.items() if count},
        "complete": found.is_complete,
    }
    if with_mags:
        described["mags"] = [_mag_as_json(one) for one in found.mags]
    return described


def _mag_as_json(one: ListedMag) -> dict[str, object]:
    described: dict[str, object] = {
        "edges": [[edge.first, edge.arrow, edge.second] for edge in one.graph.edges()],
        "bidirected": one.graph.n_bidirected,
    }
    if one.latents is not None:
        described["latents"] = [list(children) for children in one.latents]
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
    for one in found.mags:
        edges = ", ".join(str(edge) for edge in one.graph.edges()) or "no edges"
        latents = "" if one.latents is None else f"   latents over: {_drawn_sets(one.latents)}"
        yield f"    {edges}{latents}"


def _drawn_sets(child_sets: ChildSets) -> str:
    return ", ".join("{" + ", ".join(children) + "}" for children in child_sets) or "none"
