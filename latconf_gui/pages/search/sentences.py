"""What a search found and why it ended, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from latconf_core.control import StopReason
from latconf_core.durations import duration
from latconf_core.search.outcome.evidence import WEAK_NATS
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.outcome.wording import nats
from latconf_gui.pages.search.form import SEARCH_TEXTS

_REASONS = {
    StopReason.FINISHED: "there was nothing left to search",
    StopReason.LOCAL_MAXIMUM: "no further bidirected edge improved the score",
    StopReason.NO_IMPROVEMENT: "the last level was no better than those before",
    StopReason.MAX_BIDIRECTED: "the highest level allowed was reached",
    StopReason.CANCELLED: "you stopped it; the best so far is kept",
    StopReason.TIME_LIMIT: "the time limit was reached; the best so far is kept",
}


def end_sentence(result: SearchResult) -> str:
    """How much was visited, and why the search ended."""
    count = len(result.history)
    visited = f"{count:,} {'DAG' if count == 1 else 'DAGs'} in {duration(result.seconds)}"
    title = SEARCH_TEXTS[result.algorithm][0] if result.algorithm in SEARCH_TEXTS else result.algorithm
    return f"{title} visited {visited} and ended because {_REASONS[result.stop_reason]}."


def cut_sentences(result: SearchResult) -> Iterator[str]:
    """What was cut short, and what was done to a graph that is no valid PAG."""
    if result.pag_handling.kind != "valid":
        yield _sentence(str(result.pag_handling))
    for cut in result.cuts:
        yield _sentence(f"cut short: {cut}")


def evidence_sentence(result: SearchResult) -> str:
    """What speaks for a hidden common cause."""
    gain = result.gain
    if result.best is None:
        return "Nothing was scored before the end."
    if result.best_with_latents is None:
        return "No DAG with a hidden common cause was visited."
    if gain is None:
        return f"Every DAG visited has hidden common causes; the best reaches {nats(result.best_with_latents)} nats."
    if gain <= 0:
        return f"No evidence for confounding: the best DAG without latents is {-gain:,.2f} nats better."
    strength = "weak evidence" if gain < WEAK_NATS else "evidence"
    return f"There is {strength} for confounding: the best DAG with latents is {gain:,.2f} nats better than without."


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
