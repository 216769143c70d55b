"""The options of searches on the command line: one record each, refused where the chosen search has no use for it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, get_args

from latconf_core.cli.terminal.arguments import natural, positive
from latconf_core.errors import OptionError
from latconf_core.options.scoring import Effort, ObjectiveName
from latconf_core.options.searching import Binding, InvalidPag, PairsOf, SearchOptions, read_field, with_field
from latconf_core.search.catalogue import SEARCHES

DEFAULTS = SearchOptions()


@dataclass(frozen=True)
class SearchFlag:
    """An argument that sets fields of SearchOptions, named as in the catalogue of searches.

    settings : what argparse needs to know of it; the default is left to the options
    """

    flag: str
    fields: tuple[str, ...]
    help: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def attribute(self) -> str:
        """Where argparse puts it."""
        return self.flag.strip("-").replace("-", "_")


def _off(flag: str, name: str, help_text: str) -> SearchFlag:
    return SearchFlag(flag, (name,), help_text, {"action": "store_const", "const": False})


FLAGS = (
    SearchFlag("--max-bidirected", ("max_bidirected",), "most bidirected edges", {"type": natural, "metavar": "M"}),
    SearchFlag(
        "--max-states",
        ("max_states",),
        "most states of a latent (default: as in data)",
        {"type": positive, "metavar": "S"},
    ),
    SearchFlag("--max-candidates", ("max_candidates",), "most DAGs of a level", {"type": positive, "metavar": "N"}),
    SearchFlag(
        "--invalid-pag",
        ("invalid_pag",),
        "what to do with a graph that is no valid PAG",
        {"choices": get_args(InvalidPag)},
    ),
    SearchFlag(
        "--objective",
        ("objective",),
        "what is maximised: paper, p-ELBO as published (default of ilc-v, hclc-v, cil, glsl), or calibrated, with "
        "prices for edges and latents (default of all others)",
        {"choices": get_args(ObjectiveName)},
    ),
    SearchFlag(
        "--effort",
        ("effort",),
        "light: look at every DAG, and fit those fully that may matter; full: fit every DAG fully, which takes longer",
        {"choices": get_args(Effort)},
    ),
    SearchFlag(
        "--levels-without-gain",
        ("levels_without_gain",),
        "ilc-v: levels that are no better until it ends; the paper's is one",
        {"type": positive, "metavar": "N"},
    ),
    SearchFlag(
        "--cliques",
        ("tries_cliques",),
        "ilc-v: try a hidden cause of each clique of the PAG besides",
        {"action": "store_const", "const": True},
    ),
    SearchFlag(
        "--binding",
        ("binding",),
        "refine: keep to the adjacencies of the PAG, or to its marks",
        {"choices": get_args(Binding)},
    ),
    SearchFlag(
        "--pairs",
        ("cil.n_pairs", "glsl.n_pairs"),
        "cil, glsl: so many pairs of variables, those that tell most of each other, are tried in a round",
        {"type": natural, "metavar": "N"},
    ),
    _off("--no-observed-to-observed", "cil.observed_to_observed", "cil: no edges between variables: a latent tree"),
    _off("--no-observed-to-latent", "cil.observed_to_latent", "cil: no hidden cause below a variable"),
    SearchFlag(
        "--pairs-of",
        ("glsl.pairs_of",),
        "glsl: pairs of variables without any parent, or of any that have room for one",
        {"choices": get_args(PairsOf)},
    ),
    SearchFlag(
        "--max-parents",
        ("glsl.max_parents",),
        "glsl, hc: most parents of a variable, hidden ones included",
        {"type": positive, "metavar": "N"},
    ),
    _off("--no-turning", "glsl.turns_edges", "glsl, hc: an edge is never turned round in one move"),
)


def add_search_options(parser: argparse.ArgumentParser) -> None:
    """Add every option of a search but those that all have: time limit, seed and workers."""
    for one in FLAGS:
        default = read_field(DEFAULTS, one.fields[0])
        shown = "" if default is None or isinstance(default, bool) else f" (default: {default})"
        parser.add_argument(one.flag, default=None, help=f"{one.help}{shown}", **one.settings)


def read_search_options(args: argparse.Namespace, options: SearchOptions = DEFAULTS) -> SearchOptions:
    """The options with what the arguments say; OptionError where the search that they name has no use for it."""
    taken = SEARCHES[args.search].options
    for one in FLAGS:
        value = getattr(args, one.attribute, None)
        if value is not None:
            refuse_unused(one.flag, one.fields, args.search)
            for name in one.fields:
                options = with_field(options, name, value) if name in taken else options
    return options


def refuse_unused(flag: str, fields: tuple[str, ...], search: str) -> None:
    """Refuse an argument that a search has no use for, and say which have."""
    if not set(fields) & set(SEARCHES[search].options):
        own = ", ".join(name for name, one in SEARCHES.items() if set(fields) & set(one.options))
        raise OptionError(f"{flag} is for --search {own}, not for {search}; leave it out, or choose {own}")
