"""Whether a graph is a valid PAG and what a search makes of it, in the same sentence on every page."""

from __future__ import annotations

from latconf_core.pag.standing import Kind, Standing
from latconf_core.wording.knowledge_texts import remaining_text

VALID = "This is a valid PAG."
MAG = "This is a MAG: every mark is decided. Its PAG shows which of the marks every equivalent MAG shares."


def validity_sentence(
    standing: Standing,
    *,
    is_searched_as_given: bool | None = None,
    remaining: tuple[int, int] | None = None,
    reason: int = 0,
) -> str:
    """What the graph is, what a search does with it, and one of the reasons where it is not a PAG.

    is_searched_as_given : whether a search takes it as it is, or repairs it; None while that is not known
    remaining : of a PAG with knowledge, how many MAGs it leaves of how many, where they were counted
    """
    match standing.kind:
        case Kind.PAG:
            return VALID
        case Kind.MAG:
            return MAG
        case Kind.PAG_WITH_KNOWLEDGE:
            said = remaining_text(remaining)
            if is_searched_as_given:
                return f"{said}; the search uses it as given."
            return f"{said}; the search repairs it first unless you decide more of its circles."
    reasons = standing.check.reasons
    number = f" ({reason + 1} of {len(reasons)})" if len(reasons) > 1 else ""
    return f"Not a valid PAG{number}: {reasons[reason].sentence}.{_use(is_searched_as_given)}"


def _use(is_searched_as_given: bool | None) -> str:
    if is_searched_as_given is None:
        return ""
    return " The search uses it as given." if is_searched_as_given else " The search repairs it first."
