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
    "": "as the search does by default",
    **{name: objective.title for name, objective in OBJECTIVES.items()},
}
OPTIONS = (
    OptionRecord(
        "max_bidirected",
        WholeNumber(0, 99),
        "--max-bidirected",
        "most bidirected edges",
        "Most bidirected edges (m)",
        "At most so many hidden common causes are tried",
        metavar="M",
    ),
    OptionRecord(
        "max_states",
        WholeNumber(2, 1000, none_text="as in the data"),
        "--max-states",
        "most states of a latent (default: as in data)",
        "Most states of a latent (S)",
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
        "ilc-v: levels that are no better until it ends; the paper's is one",
        "Levels without improvement",
        "The paper's ILC-V ends at the first level that is no better; a cause of four variables needs more",
    ),
    OptionRecord(
        "tries_cliques",
        OnOff("Try cliques of the PAG"),
        "--cliques",
        "ilc-v: try a hidden cause of each clique of the PAG besides",
        "",
        "Beyond the paper: a hidden cause of each clique, which stands for many <-> at once",
    ),
    OptionRecord(
        "binding",
        OneOf({"free": "not at all", "adjacencies": "its adjacencies", "marks": "its marks"}),
        "--binding",
        "refine: keep to the adjacencies of the PAG, or to its marks",
        "Keep to the PAG",
        "What of the PAG every edge and hidden cause must obey; else it is shown as evidence only",
    ),
    OptionRecord(
        "cil.n_pairs",
        WholeNumber(1, MOST_PAIRS),
        "--pairs",
        "cil, glsl: so many pairs of variables, those that tell most of each other, are tried in a round",
        "Pairs per round (CIL)",
        "In each round so many pairs of roots are tried, those that tell most of each other; the published number is "
        "ten",
    ),
    OptionRecord(
        "cil.observed_to_observed",
        OnOff("Edges between variables (CIL)"),
        "--no-observed-to-observed",
        "cil: no edges between variables: a latent tree",
        "",
        "Without this, only latents have children: a latent tree. With it, an edge mostly beats a latent over two "
        "variables of two states",
    ),
    OptionRecord(
        "cil.observed_to_latent",
        OnOff("Variables above latents (CIL)"),
        "--no-observed-to-latent",
        "cil: no hidden cause below a variable",
        "",
        "Whether a hidden cause may stand below a variable; taken early, such an edge can block the true structure",
    ),
    OptionRecord(
        "glsl.n_pairs",
        WholeNumber(0, MOST_PAIRS),
        "--pairs",
        "",
        "Pairs per iteration (GLSL)",
        "So many pairs get a new latent in each iteration, those that tell most of each other; 0 adds none",
    ),
    OptionRecord(
        "glsl.pairs_of",
        OneOf({"roots": "without any parent", "any": "with room for one more"}),
        "--pairs-of",
        "glsl: pairs of variables without any parent, or of any that have room for one",
        "Pairs of variables",
        "The published program puts a new latent above variables without any parent only",
    ),
    OptionRecord(
        "glsl.max_parents",
        WholeNumber(1, 20),
        "--max-parents",
        "glsl, hc: most parents of a variable, hidden ones included",
        "Most parents",
        "Of a variable, hidden ones included; a latent never has a parent here",
    ),
    OptionRecord(
        "glsl.turns_edges",
        OnOff("Turn edges round"),
        "--no-turning",
        "glsl, hc: an edge is never turned round in one move",
        "",
        "Whether an edge may be turned round in one move; the published program never did",
    ),
    OptionRecord(
        "max_candidates",
        WholeNumber(1, 100_000_000, step=1000),
        "--max-candidates",
        "most DAGs of a level",
        "Most DAGs of a level",
        "A level with more is cut short, and the result says so",
    ),
    OptionRecord(
        "objective",
        OneOf(OBJECTIVE_TITLES),
        "--objective",
        "what is maximised: paper, p-ELBO as published (default of ilc-v, hclc-v, cil, glsl), or calibrated, with "
        "prices for edges and latents (default of all others)",
        "Objective",
        "Paper: p-ELBO as published. Calibrated: a flat prior and a price for edges and hidden causes",
    ),
    OptionRecord(
        "effort",
        OneOf({"light": "light, then full", "full": "full for all"}),
        "--effort",
        "light: look at every DAG, and fit those fully that may matter; full: fit every DAG fully, which takes longer",
        "Effort per DAG",
        "Light looks at every DAG first and fits fully what may matter; all that is reported is fitted fully",
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
        "what to do with a graph that is no valid PAG",
        "If the PAG is not valid",
        "What is done is said before the search and in its result",
    ),
)


def options_of(search: str) -> tuple[str, ...]:
    """The names of the options that say themselves that a search has them."""
    return tuple(record.name for record in OPTIONS if search in record.of)
