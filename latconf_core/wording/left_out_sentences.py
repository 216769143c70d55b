"""Which edges that the data ask for a PAG leaves out, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from latconf_core.phrases import counted, list_names

MOST_NAMED = 8
NOT_KNOWN = "Which edges the PAG leaves out is known after a run of Auto or Refine on these data."


def left_out_sentence(pairs: Sequence[tuple[str, str]] | None) -> str:
    """What a search that keeps to a PAG cannot use; None where no DAG of the data is known to compare it with."""
    if pairs is None:
        return NOT_KNOWN
    if not pairs:
        return "The PAG has every edge of the best DAG without hidden causes."
    names = list_names([f"{a} – {b}" for a, b in pairs], most=MOST_NAMED)
    return f"The PAG leaves out {counted(len(pairs), 'edge')} of the best DAG without hidden causes: {names}."
