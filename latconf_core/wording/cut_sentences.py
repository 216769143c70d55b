"""What survives other cut points, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from latconf_core.phrases import counted, list_names
from latconf_core.search.outcome.result import SearchResult
from latconf_core.stability.other_cuts import CutSurvival, survival_of
from latconf_core.stability.shares import LatentShare, PairShare
from latconf_core.wording.stability_words import least_stable

NO_NAMES: Mapping[str, str] = MappingProxyType({})
MEANING = (
    "A variable that was cut is a coarse measurement of its number. A hidden cause or an edge that only one cutting "
    "shows is there because of its cut points; one that all show may still be wrong for another reason."
)
MOST_EDGES = 12  # that a line names


def cut_lines(result: SearchResult, names: Mapping[str, str] = NO_NAMES) -> list[str]:
    """Which claims and edges survive other cut points, in sentences; empty where that was not tried.

    names : of latents that were given one
    """
    survival = survival_of(result)
    if survival is None:
        return []
    return [f"{line[:1].upper()}{line[1:]}." for line in _lines(survival, names)]


def _lines(survival: CutSurvival, names: Mapping[str, str]) -> Iterator[str]:
    number = len(survival.titles)
    if number:
        yield f"searched again with {counted(number, 'other cutting')}: {', '.join(survival.titles)}"
        for latent in survival.latents:
            called = names.get(latent.name or "", latent.name or "")
            yield f"{called} ({', '.join(latent.children)}) {survival_clause(latent)}"
        if not survival.latents:
            yield "the run supports no hidden cause"
        for latent in survival.new:
            often = f"{latent.n_exact} of {number}"
            yield f"a hidden cause of {list_names(latent.children)} is supported in {often} alone, and not in the run"
        yield from _edge_lines(survival.pairs, number)
    yield from (f"left out: {failure.rstrip('.')}" for failure in survival.failures)


def survival_clause(share: LatentShare) -> str:
    """How a claim fares: "is supported in 3 of 4, with the same children in 2"."""
    if not share.n_half:
        return f"is supported in none of {share.n_samples}"
    same = "always" if share.n_exact == share.n_half else f"{share.n_exact or 'none'}"
    exactly = "always with the same children" if same == "always" else f"with the same children in {same}"
    return f"is supported in {share.n_half} of {share.n_samples}, {exactly}"


def _edge_lines(pairs: tuple[PairShare, ...], number: int) -> Iterator[str]:
    if not pairs:
        return
    surviving = sum(pair.n_joined == number for pair in pairs)
    turned = sum(pair.n_joined == number > pair.n_same for pair in pairs)
    are = "is" if surviving == 1 else "are"
    said = f"{surviving} of {counted(len(pairs), 'edge')} among variables {are} in all of them"
    yield said + (f", {turned} of these turned in some" if turned else "")
    lost = [pair for pair in least_stable(pairs) if pair.n_joined < number]
    if lost:
        named = [f"{pair.a} – {pair.b} (in {pair.n_joined} of {number})" for pair in lost[:MOST_EDGES]]
        rest = len(lost) - MOST_EDGES
        yield f"not in all: {', '.join(named)}" + (f" and {rest} more" if rest > 0 else "")
