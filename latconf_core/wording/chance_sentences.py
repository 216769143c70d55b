"""What chance gains, in words: a run beside the same search on tables with nothing hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

from latconf_core.phrases import counted, nats, p_text
from latconf_core.search.outcome.evidence import largest_gain
from latconf_core.search.outcome.result import SearchResult
from latconf_core.stability.calibration import DEFAULT_DRAWS
from latconf_core.wording.evidence_texts import latent_sentence, null_gains_clause

MAX_NUMBERS = 20  # gains of draws that are listed
NO_NAMES: Mapping[str, str] = MappingProxyType({})
MEANING = (
    "These tables contain no hidden cause, so any gain comes from trying many candidates. A hidden cause of "
    "the run counts as supported only if its gain exceeds that of every draw."
)


def chance_lines(result: SearchResult, names: Mapping[str, str] = NO_NAMES) -> list[str]:
    """What chance gains, what the run gained, and how its hidden causes are graded by that; empty where not tried.

    names : of latents that were given one
    """
    gains, gain = result.null_gains or (), largest_gain(result.evidence)
    if not gains or gain is None:
        return []
    few = len(gains) < DEFAULT_DRAWS
    graded = [
        latent_sentence(latent_evidence, names.get(latent_evidence.latent.name)) for latent_evidence in result.evidence
    ]
    lines = [null_gains_clause(gains), _share_sentence(gains, gain), *graded, _gains_text(gains)]
    lines += [f"{DEFAULT_DRAWS} draws or more are needed for p ≤ 0.05"] if few else []
    return [f"{line[:1].upper()}{line[1:]}." for line in lines]


def _share_sentence(gains: tuple[float, ...], gain: float) -> str:
    """How many draws gained as much as the run, and the p-value of that."""
    n_above = sum(drawn >= gain for drawn in gains)
    share = f"{n_above:,} of {counted(len(gains), 'draw')}" if n_above else "no draw"
    p_value = p_text((n_above + 1) / (len(gains) + 1))
    return f"this run gained {nats(gain)} nats; {share} gained at least as much ({p_value})"


def _gains_text(gains: tuple[float, ...]) -> str:
    """The largest gains of draws, those that look the same together."""
    numbers = Counter(nats(gain) for gain in sorted(gains, reverse=True))
    said = [number if count == 1 else f"{number} in {count:,} draws" for number, count in numbers.items()]
    more = ["less in the others"] if len(said) > MAX_NUMBERS else []
    return f"gains of the draws in nats: {'; '.join(said[:MAX_NUMBERS] + more)}"
