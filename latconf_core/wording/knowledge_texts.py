"""What the user says about causes, in words: counted in a line, and statement by statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from latconf_core.knowledge.knowledge import Cause, Knowledge
from latconf_core.phrases import counted, list_names
from latconf_core.search.outcome.knowledge_effect import MagCount
from latconf_core.wording.knowledge_sentences import mags_sentence

MOST_NAMED = 40  # names, edges or groups of one statement that are listed
TIERS_MEAN = "No variable affects a variable in an earlier tier, directly or indirectly."


def knowledge_summary(knowledge: Knowledge) -> str:
    """What is said, counted: "3 tiers, 2 required edges"; "" where nothing is."""
    n_tiers = sum(bool(tier) for tier in knowledge.tiers)
    among = knowledge.hidden_causes_only_among
    parts = (
        _count(n_tiers, "tier"),
        _count(len(knowledge.required), "required edge"),
        _count(len(knowledge.forbidden), "forbidden edge"),
        _count(len(knowledge.forbidden_indirect), "forbidden effect"),
        _count(len(knowledge.exogenous), "exogenous variable"),
        _count(len(knowledge.no_hidden_cause), "group without a hidden cause", "groups without a hidden cause"),
        "" if among is None else f"hidden causes only among {counted(len(among), 'variable')}",
    )
    return ", ".join(part for part in parts if part)


def knowledge_sentence(knowledge: Knowledge) -> str:
    """That what is said binds; "" where nothing is."""
    said = knowledge_summary(knowledge)
    return f"Background knowledge in use: {said}." if said else ""


def _count(number: int, thing: str, things: str = "") -> str:
    return counted(number, thing, things) if number else ""


def knowledge_statements(knowledge: Knowledge) -> Iterator[tuple[str, str]]:
    """Every kind of statement with what it is about: ("Required edges", "A --> B, C --> D")."""
    for position, tier in enumerate(knowledge.tiers):
        within = ", no effects within" if position in knowledge.closed_tiers else ""
        if tier:
            yield f"Tier {position + 1}{within}", _listed(tier)
    yield from _of_pairs("Required edges", knowledge.required, "-->")
    yield from _of_pairs("Forbidden edges", knowledge.forbidden, "-->")
    yield from _of_pairs("No effect, direct or indirect", knowledge.forbidden_indirect, "on")
    if knowledge.exogenous:
        yield "Exogenous (no measured causes)", _listed(knowledge.exogenous)
    if knowledge.no_hidden_cause:
        groups = [list_names(group, most=MOST_NAMED) for group in knowledge.no_hidden_cause]
        yield "No shared hidden cause among", _listed(groups, "; ")
    if knowledge.hidden_causes_only_among is not None:
        yield "Hidden causes only among", _listed(knowledge.hidden_causes_only_among or ("no variables",))


def _of_pairs(title: str, pairs: Sequence[Cause], word: str) -> Iterator[tuple[str, str]]:
    if pairs:
        yield title, _listed(f"{cause} {word} {effect}" for cause, effect in pairs)


def _listed(texts: Iterable[str], separator: str = ", ") -> str:
    """All of some texts, or the first of them and how many there are besides."""
    all_texts = list(texts)
    more = [f"… {len(all_texts) - MOST_NAMED:,} more"] if len(all_texts) > MOST_NAMED else []
    return separator.join([*all_texts[:MOST_NAMED], *more])


def remaining_text(remaining: tuple[int, int] | None) -> str:
    """What a PAG is to which knowledge was added, with how many MAGs of how many it leaves, where they were counted."""
    if remaining is None:
        return "PAG with knowledge"
    return mags_sentence(MagCount(*remaining))


def knowledge_remark(used: Knowledge, now: Knowledge) -> str:
    """Under which knowledge something was found, and whether that is what is said now; "" where both are none."""
    if not used and not now:
        return ""
    said = knowledge_summary(used) or "none"
    return said if used == now else f"{said}; you have changed the knowledge since"
