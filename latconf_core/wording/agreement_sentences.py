"""How well a hidden cause agrees with a column that the search was not given, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from latconf_core.score.agreement import Agreement

MOST_SHOWN = 3


def agreement_sentences(agreements: Sequence[Agreement], states: Sequence[str]) -> list[str]:
    """Those of the columns with which a hidden cause agrees best."""
    return [agreement_sentence(agreement, states) for agreement in agreements[:MOST_SHOWN]]


def agreement_clause(agreement: Agreement) -> str:
    """The share of rows alone: "agrees with party in 79 % of 232 rows"."""
    return f"agrees with {agreement.column} in {_rows(agreement)}"


def agreement_sentence(agreement: Agreement, states: Sequence[str]) -> str:
    """The share of rows, beside what a guess without the hidden cause gives, and how its states were read.

    states : the names of the latent's states
    """
    text = f"Held back from the search: {agreement.column}. The hidden cause agrees with it in {_rows(agreement)}"
    if not agreement.tells_apart:
        return f"{text}: no better than guessing the most frequent value."
    read_as = ", ".join(f"{state} = {stands}" for state, stands in zip(states, agreement.stands_for) if stands)
    return f"{text} ({read_as}); guessing the most frequent value, in {100 * agreement.guess:.0f} %."


def _rows(agreement: Agreement) -> str:
    return f"{100 * agreement.share:.0f} % of {agreement.n_rows:,} rows"
