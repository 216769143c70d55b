"""What a search found and why it ended, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from latconf_core.counted import counted
from latconf_core.durations import duration
from latconf_core.search.methods import search_title
from latconf_core.search.outcome.evidence import WEAK_NATS
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.outcome.wording import END_REASONS, latent_sentence, latents_text, nats, nats_with_odds

MOST_LATENTS = 4  # whose evidence stands in the banner


def end_sentence(result: SearchResult) -> str:
    """How much was visited, and why the search ended."""
    visited = f"{counted(len(result.history), 'DAG')} in {duration(result.seconds)}"
    title = search_title(result.algorithm)
    return f"{title} visited {visited} and ended because {END_REASONS[result.stop_reason]}."


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
        return "No hidden cause was tried: no DAG that was visited has one."
    if gain is None:
        reached = nats(result.best_with_latents)
        return f"Every DAG visited has hidden causes: there is none to compare with. The best reaches {reached} nats."
    if gain <= 0:
        return f"No hidden cause found among those tried: {_tried(result)}."
    strength = "Weak evidence" if gain < WEAK_NATS else "Evidence"
    best = result.history.best_with_latents
    is_one = best is not None and best.n_latents == 1
    what, them = ("a hidden cause", "it") if is_one else ("hidden causes", "them")
    better = f"{nats_with_odds(gain)} better than the best without"
    return f"{strength} for {what}: the best DAG with {them} is {better}."


def _tried(result: SearchResult) -> str:
    """Which DAGs with latents were visited, and how far the best of them is below the best without."""
    history = result.history
    assert history.best_with_latents is not None
    assert result.gain is not None
    count = sum(1 for visit in history if visit.n_latents)
    best = latents_text(history.dag(history.best_with_latents.index))
    below = f"{nats_with_odds(result.gain)} below the best DAG without"
    of = f"of {counted(count, 'DAG')} with hidden causes, the best" if count > 1 else "the one DAG with hidden causes"
    return f"{of} ({best}) scores {below}"


def latent_sentences(result: SearchResult) -> Iterator[str]:
    """What the PAG and the data say for each latent of the best DAG that has any."""
    for evidence in result.evidence[:MOST_LATENTS]:
        children = ", ".join(evidence.latent.children)
        yield f"{latent_sentence(evidence, f'{evidence.latent.name} ({children})')}."
    if len(result.evidence) > MOST_LATENTS:
        yield f"{counted(len(result.evidence) - MOST_LATENTS, 'more hidden cause')}: open the model to read about them."


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
