"""The options of searches that a person sets: one record each, from which flags, help and the rows of a form are made.

A new option is a field of `options/searching.py` and a record here; its JSON form is that of the dataclass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from latconf_core.families.objectives import OBJECTIVES


@dataclass(frozen=True)
class WholeNumber:
    """A whole number; `none_text` stands for None where that is possible."""

    least: int
    most: int
    step: int = 1
    none_text: str = ""


@dataclass(frozen=True)
class OneOf:
    """One of some values by their titles; the empty value stands for None."""

    titles: Mapping[str, str]


@dataclass(frozen=True)
class OnOff:
    """Something that is on or off, with the text that stands beside it in a form; a flag turns it round."""

    title: str


@dataclass(frozen=True)
class OptionRecord:
    """How one option is set.

    name : the field of SearchOptions; that of a part of them with a point, as in "cil.n_pairs"
    kind : what values it has
    flag, help, metavar : of the command line; records with the same flag are set together, the help is the first's
    label, tip : of the row in a form; what is on or off has no label
    of : searches that have it besides those whose own record names it
    """

    name: str
    kind: WholeNumber | OneOf | OnOff
    flag: str
    help: str
    label: str
    tip: str
    metavar: str = "N"
    of: tuple[str, ...] = field(default=())


MOST_PAIRS = 100_000
OBJECTIVE_TITLES: dict[str, str] = {
    "": "default of the search",
    **{name: objective.title for name, objective in OBJECTIVES.items()},
}
OPTIONS = (
    OptionRecord(
        "max_bidirected",
        WholeNumber(0, 99),
        "--max-bidirected",
        "maximum number of bidirected edges",
        "Maximum bidirected edges (m)",
        "Maximum number of hidden common causes to try",
        metavar="M",
    ),
    OptionRecord(
        "max_states",
        WholeNumber(2, 1000, none_text="as in data"),
        "--max-states",
        "maximum number of states of a latent (default: as in data)",
        "Maximum latent states (S)",
        "Every latent starts with two states",
        metavar="S",
    ),
    OptionRecord(
        "work_limit",
        WholeNumber(1, 1_000_000_000, step=1000, none_text="no limit"),
        "--work-limit",
        "end the search after so many DAGs were scored, judging not counted: where a time limit would cut elsewhere on "
        "another machine or a busier one",
        "Work limit",
        "The search ends after so many DAGs, at the same one on every machine; judging is not counted",
    ),
    OptionRecord(
        "restarts",
        WholeNumber(1, 99),
        "--restarts",
        "auto: refine so often, each time from another seed, and keep the best; fewer where a limit cuts",
        "Restarts",
        "So often hidden causes are looked for, from other seeds; the result says how many agree",
        of=("auto",),
    ),
    OptionRecord(
        "levels_without_gain",
        WholeNumber(1, 99),
        "--levels-without-gain",
        "ilc-v: stop after this many levels without improvement; one in the paper",
        "Levels without improvement",
        "The published ILC-V stops at the first level without improvement; a cause of four variables needs more",
    ),
    OptionRecord(
        "tries_cliques",
        OnOff("Try PAG cliques"),
        "--cliques",
        "ilc-v: also try a hidden cause of each clique of the PAG",
        "",
        "Not in the paper: also try one hidden cause per clique, which replaces many <->",
    ),
    OptionRecord(
        "binding",
        OneOf({"free": "not at all", "adjacencies": "its adjacencies", "marks": "its marks"}),
        "--binding",
        "refine: restrict to the adjacencies of the PAG, or to its marks",
        "Restrict to the PAG",
        "The part of the PAG that edges and hidden causes must obey; otherwise the PAG is shown only as evidence",
    ),
    OptionRecord(
        "cil.n_pairs",
        WholeNumber(1, MOST_PAIRS),
        "--pairs",
        "cil, glsl: number of pairs tried per round, highest mutual information first",
        "Pairs per round (CIL)",
        "Number of pairs of roots tried per round, highest mutual information first; ten in the paper",
    ),
    OptionRecord(
        "cil.observed_to_observed",
        OnOff("Edges between variables (CIL)"),
        "--no-observed-to-observed",
        "cil: no edges between variables: a latent tree",
        "",
        (
            "If off, only latents have children (a latent tree). If on, an edge usually beats a latent over two "
            "binary variables"
        ),
    ),
    OptionRecord(
        "cil.observed_to_latent",
        OnOff("Variables above latents (CIL)"),
        "--no-observed-to-latent",
        "cil: no hidden cause below a variable",
        "",
        "Allow a hidden cause to have a variable as parent; added early, this edge can block the true structure",
    ),
    OptionRecord(
        "glsl.n_pairs",
        WholeNumber(0, MOST_PAIRS),
        "--pairs",
        "",
        "Pairs per iteration (GLSL)",
        "Number of pairs that get a new latent per iteration, highest mutual information first; 0 adds none",
    ),
    OptionRecord(
        "glsl.pairs_of",
        OneOf({"roots": "without any parent", "any": "with room for one more parent"}),
        "--pairs-of",
        "glsl: try pairs of variables without parents, or of all with room for one more",
        "Pairs of variables",
        "The published program adds a latent only above variables without parents",
    ),
    OptionRecord(
        "glsl.max_parents",
        WholeNumber(1, 20),
        "--max-parents",
        "glsl, hc: maximum number of parents of a variable, hidden ones included",
        "Maximum parents",
        "Per variable, hidden parents included; latents have no parents here",
    ),
    OptionRecord(
        "glsl.turns_edges",
        OnOff("Reverse edges"),
        "--no-turning",
        "glsl, hc: never reverse an edge in one step",
        "",
        "Allow reversing an edge in one step; the published program does not",
    ),
    OptionRecord(
        "max_candidates",
        WholeNumber(1, 100_000_000, step=1000),
        "--max-candidates",
        "maximum number of DAGs per level",
        "Maximum DAGs per level",
        "A larger level is truncated, and the result says so",
    ),
    OptionRecord(
        "objective",
        OneOf(OBJECTIVE_TITLES),
        "--objective",
        (
            "objective: paper, p-ELBO as published (default of ilc-v, hclc-v, cil, glsl), or calibrated, with "
            "penalties for edges and latents (default of all others)"
        ),
        "Objective",
        "Paper: p-ELBO as published. Calibrated: a flat prior and a penalty for edges and hidden causes",
    ),
    OptionRecord(
        "effort",
        OneOf({"light": "light, then full", "full": "full for all"}),
        "--effort",
        "light: fit every DAG roughly, then the promising ones fully; full: fit every DAG fully (slower)",
        "Effort per DAG",
        "Light fits every DAG roughly, then the promising ones fully; all reported scores are full fits",
    ),
    OptionRecord(
        "invalid_pag",
        OneOf(
            {
                "auto": "as given if possible, else repair",
                "as-given": "search it as given",
                "repair": "repair it first",
            }
        ),
        "--invalid-pag",
        "what to do with a graph that is not a valid PAG",
        "If the PAG is not valid",
        "The choice is shown before the search and in its result",
    ),
)


def options_of(search: str) -> tuple[str, ...]:
    """The names of the options that say themselves that a search has them."""
    return tuple(record.name for record in OPTIONS if search in record.of)
