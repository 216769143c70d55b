"""The fields of a search form that only CIL, GLSL and hill-climbing have: one record each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from latconf_gui.widgets.form_fields import Choice, Tick, Whole

PAIRS_TEXTS = {
    "roots": "without any parent",
    "any": "with room for one more",
}
MOST_PAIRS = 100_000
MOST_PARENTS = 20


@dataclass(frozen=True)
class RivalField:
    """A row of the form, by the name of its option; a tick has its text beside it and no label."""

    name: str
    label: str
    tip: str
    make: Callable[[], Choice | Whole | Tick]


RIVAL_FIELDS = (
    RivalField(
        "cil.n_pairs",
        "Pairs per round (CIL)",
        "In each round so many pairs of roots are tried, those that tell most of each other; the published number is "
        "ten",
        lambda: Whole(1, MOST_PAIRS),
    ),
    RivalField(
        "cil.observed_to_observed",
        "",
        "Without this, only latents have children: a latent tree. With it, an edge mostly beats a latent over two "
        "variables of two states",
        lambda: Tick("Edges between variables (CIL)"),
    ),
    RivalField(
        "cil.observed_to_latent",
        "",
        "Whether a hidden cause may stand below a variable; taken early, such an edge can block the true structure",
        lambda: Tick("Variables above latents (CIL)"),
    ),
    RivalField(
        "glsl.n_pairs",
        "Pairs per iteration (GLSL)",
        "So many pairs get a new latent in each iteration, those that tell most of each other; 0 adds none",
        lambda: Whole(0, MOST_PAIRS),
    ),
    RivalField(
        "glsl.pairs_of",
        "Pairs of variables",
        "The published program puts a new latent above variables without any parent only",
        lambda: Choice(PAIRS_TEXTS, is_wide=True),
    ),
    RivalField(
        "glsl.max_parents",
        "Most parents",
        "Of a variable, hidden ones included; a latent never has a parent here",
        lambda: Whole(1, MOST_PARENTS),
    ),
    RivalField(
        "glsl.turns_edges",
        "",
        "Whether an edge may be turned round in one move; the published program never did",
        lambda: Tick("Turn edges round"),
    ),
)
