"""Stability in plain sentences: what was repeated, what came back, and what that does not mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from latconf_core.control import StopReason
from latconf_core.options.resampling import StabilityOptions
from latconf_core.pag.learners.catalogue import LEARNERS
from latconf_core.phrases import counted, duration, list_names
from latconf_core.search.catalogue import search_title
from latconf_core.stability.shares import LatentShare, PairShare
from latconf_core.stability.stability_result import Stability
from latconf_core.wording.arrow_words import STABLE_BUT_OPEN

ENDED_BY = {
    StopReason.TIME_LIMIT: "the time limit was reached",
    StopReason.WORK_LIMIT: "the work limit ended it",
    StopReason.CLUSTER_LOST: "the connection to the cluster was lost",
}
MEANING = (
    "A share says how often the same method gives the same result on resampled rows. It is not the "
    "probability that an edge or a hidden cause exists: a method that errs for reasons other than chance "
    "errs in every sample."
)
OF_BOOTSTRAP = (
    "A bootstrap sample repeats rows, and repeated rows look like dependence: a method may find hidden "
    "causes that new data would not show. Half samples repeat no rows."
)
OF_HALVES = "A half sample has half as many rows, so it misses weak edges and hidden causes more often."
OF_LATENTS = (
    "A hidden cause is recovered if the sample has one that shares at least half of their combined children, "
    "and exactly recovered if all children are the same. Each is matched with at most one other, largest "
    "overlap first."
)
KEPT_PAG = "Every search used the same PAG, which was not relearned: the stability of the PAG itself was not measured"
MOST_ARROWS = 3  # kinds of edges that a line names


def samples_text(options: StabilityOptions, number: int) -> str:
    """So many samples of their kind: "50 half samples"."""
    return counted(number, f"{options.resampling} sample")


def method_text(options: StabilityOptions) -> str:
    """What was repeated: "GFCI and HCLC-V"."""
    learner = None if options.learner is None else _learner_title(options.learner.method)
    search = None if options.search is None else search_title(options.search)
    return list_names(filter(None, (learner, search)))


def _learner_title(name: str) -> str:
    """How a learner is called for a person; its name where an older or newer program ran it."""
    return LEARNERS[name].title if name in LEARNERS else name


def headline(stability: Stability) -> str:
    """What was done, in a sentence."""
    options, done = stability.options, stability.n_samples
    asked = "" if len(stability.outcomes) == options.samples else f" of {options.samples:,} asked for"
    said = f"{method_text(options)} on {samples_text(options, done)}{asked}, seed {options.seed}"
    return f"{said}, in {duration(stability.seconds)}"


def remarks(stability: Stability) -> Iterator[str]:
    """What a reader must know besides: an early end, samples that failed or were cut short, a PAG that was kept."""
    reason = stability.stop_reason
    if reason is not StopReason.FINISHED:
        by = ENDED_BY.get(reason, "it was stopped")
        asked = counted(stability.options.samples, "sample")
        yield f"{by} after {len(stability.outcomes):,} of {asked}; what was done is kept"
    if stability.n_failed:
        first = next(outcome for outcome in stability.outcomes if outcome.failure)
        are = "is" if stability.n_failed == 1 else "are"
        left_out = f"{counted(stability.n_failed, 'sample')} failed and {are} left out"
        yield f"{left_out}; sample {first.number}: {first.failure}"
    n_cut = sum(bool(counted_outcome.cuts) for counted_outcome in stability.counted_outcomes)
    if n_cut:
        yield f"the search stopped early in {counted(n_cut, 'sample')}"
    if stability.keeps_pag:
        yield KEPT_PAG


def explanations(stability: Stability) -> tuple[str, ...]:
    """What shares mean and what they do not."""
    kind = OF_BOOTSTRAP if stability.options.resampling == "bootstrap" else OF_HALVES
    return (MEANING, kind) if stability.options.search is None else (MEANING, kind, OF_LATENTS, STABLE_BUT_OPEN)


def latent_sentence(share: LatentShare, options: StabilityOptions) -> str:
    """How often a latent came back: "came back in 43 of 50 half samples, exactly in 31"."""
    of = f"of {samples_text(options, share.n_samples)}"
    if not share.n_half:
        return f"recovered in none {of}"
    if share.n_exact == share.n_half:
        return f"recovered in {share.n_half:,} {of}, always exactly"
    return f"recovered in {share.n_half:,} {of}, exactly in {share.n_exact or 'none'}"


def states_sentence(share: LatentShare) -> str:
    """How many states it has in samples: "2 states in 30 of these, 3 in 13"; "" where it never comes back."""
    often = sorted(share.states.items(), key=lambda item: (-item[1], item[0]))
    if not often:
        return ""
    (first, count), *rest = often
    if not rest:
        return f"always with {first} states"
    return f"{first} states in {count:,} of these, " + ", ".join(f"{number} in {n:,}" for number, n in rest)


def pair_text(pair: PairShare) -> str:
    """The edge of the data themselves, or that there is none: "A o-> B", "A   B (no edge)"."""
    return f"{pair.a} and {pair.b}: no edge" if pair.here is None else f"{pair.a} {pair.here} {pair.b}"


def arrows_text(pair: PairShare) -> str:
    """What stands between the two in samples, the most frequent first: "o-> 62%, --> 20%, none 18%"."""
    shares = [(arrow, pair.share(arrow)) for arrow in pair.counts]
    shares += [("none", pair.absent)] if pair.n_samples > pair.n_joined else []
    shares.sort(key=lambda share: -share[1])
    said = [f"{arrow} {share:.0%}" for arrow, share in shares[:MOST_ARROWS]]
    return ", ".join([*said, *(["…"] if len(shares) > MOST_ARROWS else [])])


def pair_sentence(pair: PairShare, options: StabilityOptions) -> str:
    """What samples say of a pair: "joined in 48 of 50 half samples, as here in 31 (--> 62%, o-> 34%, none 4%)"."""
    of = f"of {samples_text(options, pair.n_samples)}"
    same = "" if pair.here is None else f", with the same marks in {pair.n_same:,}"
    return f"adjacent in {pair.n_joined:,} {of}{same} ({arrows_text(pair)})"


def least_stable(pairs: Sequence[PairShare], most: int | None = None) -> list[PairShare]:
    """The pairs that agree least often with the data themselves first; those joined more often before others."""
    ordered = sorted(pairs, key=lambda pair: (pair.n_same, -pair.n_joined))
    return ordered if most is None else ordered[:most]
