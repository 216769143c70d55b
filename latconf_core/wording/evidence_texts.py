"""Scores, evidence, ends and latents in words, the same wherever a person reads them."""

from __future__ import annotations

from collections.abc import Mapping

from latconf_core.control import StopReason
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.families.objectives import LEAST_CLAIM
from latconf_core.phrases import counted, list_names, nats
from latconf_core.search.outcome.evidence import LatentEvidence, Support, Verdict, Warning

SAME_NATS = 0.005  # what two decimals do not show
TOO_LITTLE = f"less than the required {LEAST_CLAIM:g} nats"
END_REASONS: Mapping[StopReason, str] = {
    StopReason.FINISHED: "every candidate was searched",
    StopReason.LOCAL_MAXIMUM: "no further hidden cause improved the score",
    StopReason.NO_IMPROVEMENT: "the last level brought no improvement",
    StopReason.MAX_BIDIRECTED: "the maximum number of bidirected edges was reached",
    StopReason.CANCELLED: "you stopped it; the best so far is kept",
    StopReason.TIME_LIMIT: "the time limit was reached; the best so far is kept",
    StopReason.WORK_LIMIT: "the work limit was reached; the best so far is kept",
    StopReason.CLUSTER_LOST: "the connection to the cluster was lost; the best so far is kept",
}
PAG_WORDS: Mapping[Verdict, str] = {"requires": "requires", "allows": "allows", "contradicts": "rules out"}
_PAG_SAYS: Mapping[Verdict, str] = {
    "requires": "the PAG requires it",
    "allows": "the PAG allows it",
    "contradicts": "the PAG rules it out",
}

SUPPORT: Mapping[Support, str] = {"strong": "is supported", "weak": "has weak evidence", "none": "is not supported"}
WARNINGS: Mapping[Warning, str] = {
    "two children": "it has only two children, which say little about a common cause",
    "merged states": "an edge with merged states fits equally well",
    "order": "edges between ordered variables fit equally well, so the order of the states may explain the association",
    "spread": "random starts of its fit differ by more than its gain",
}

LIMITS: Mapping[Warning, str] = {
    "filled in": "missing cells of its children were filled in, which can look like a hidden cause",
    "copied rows": "the rows look copied",
    "design": "the table was designed, not sampled",
    "cut short": "the run ended before it was judged to the end",
}


def nats_apart(difference: float) -> str:
    """How far two scores are apart, whichever is higher: "1.03 nats"."""
    return f"{nats(abs(difference))} nats"


def gain_text(gain: float) -> str:
    """What is gained or lost: "−1.03 nats"."""
    return f"{'−' if gain < 0 else '+'}{nats_apart(gain)}"


def asked_gain(gain: float) -> str:
    """What is gained or lost, and what a claim asks for: "+49.00 nats (at least 3 required)"."""
    return f"{gain_text(gain)} (at least {LEAST_CLAIM:g} required)"


def latent_sentence(evidence: LatentEvidence, name: str | None = None) -> str:
    """What speaks for one latent: "L1 is supported: +4.70 nats (3 are asked for); the PAG requires it"."""
    shown_name = name or evidence.latent.name
    pag = "" if evidence.verdict is None else f"; {pag_clause(evidence)}"
    if evidence.support is None or evidence.density is None:
        return f"{shown_name} was not judged{pag}"
    return f"{shown_name} {SUPPORT[evidence.support]}: {asked_gain(evidence.density)}{pag}"


def pag_clause(evidence: LatentEvidence) -> str:
    """What the PAG says of a latent, and of how many pairs of its children where it speaks against some."""
    said = [pair.verdict for pair in evidence.orientation]
    against = said.count("contradicts")
    if against and len(said) > 1:
        return f"the PAG rules it out for {against} of the {len(said)} pairs of its children"
    return _PAG_SAYS["allows" if evidence.verdict is None else evidence.verdict]


def warning_sentences(evidence: LatentEvidence) -> list[str]:
    """What makes a latent less sure than its gain alone says."""
    texts = {
        "PAG": pag_clause,
        "others": others_clause,
        "better": better_clause,
        "proxy": proxy_clause,
        "untried": untried_clause,
        "held out": held_out_clause,
        "chance": chance_clause,
        "complete rows": complete_rows_clause,
        "unchecked": complete_rows_clause,
    }
    fixed = {**WARNINGS, **LIMITS}
    return [texts[warning](evidence) if warning in texts else fixed[warning] for warning in evidence.warnings]


def further_warnings(evidence: LatentEvidence) -> list[str]:
    """The warnings that `latent_sentence` does not give itself."""
    said = latent_sentence(evidence)
    return [text for text in warning_sentences(evidence) if text not in said]


def others_clause(evidence: LatentEvidence) -> str:
    """Beside which hidden causes a latent gains what it does, where it does not pay alone."""
    with_it = "it" if len(evidence.beside) == 1 else "them"
    return f"it gains this only together with {beside_text(evidence)}, and depends on {with_it}"


def better_clause(evidence: LatentEvidence) -> str:
    """Which hidden causes explain the data better than a latent, and by how much; nothing where none are known."""
    if evidence.better_by is None:
        return ""
    return f"{others_explain(evidence)} the data better, by {nats_apart(evidence.better_by)}"


def proxy_clause(evidence: LatentEvidence) -> str:
    """Of which child a latent may be the exact value; nothing where none is near all the others."""
    if evidence.proxy is None:
        return ""
    return f"alternatively, {evidence.proxy} is measured coarsely and the hidden cause is its exact value"


def untried_clause(evidence: LatentEvidence) -> str:
    """Of which children it could not be tried whether merged states do without the latent."""
    tables = "its table has" if len(evidence.untried) == 1 else "their tables have"
    return f"merged states of {list_names(evidence.untried)} could not be tried: {tables} too many configurations"


def held_out_clause(evidence: LatentEvidence) -> str:
    """What a latent gains per row left out of the fit; nothing where that is not known."""
    gain = evidence.held_out
    if gain is None:
        return ""
    sign = "−" if gain.per_row < 0 else "+"
    numbers = f"{sign}{abs(gain.per_row):.4f} ± {gain.standard_error:.4f} nats per row"
    gains = "gains" if gain.per_row > 0 else "gains nothing"
    return f"it {gains} on held-out rows: {numbers}"


def chance_clause(evidence: LatentEvidence) -> str:
    """What the same search gained where nothing is hidden; nothing where that was not tried."""
    return null_gains_clause(evidence.null_gains)


def complete_rows_clause(evidence: LatentEvidence) -> str:
    """What the rows without missing cells around a latent say; nothing where none are missing there."""
    complete = evidence.on_complete
    if complete is None:
        return ""
    rows = f"the {counted(complete.n_rows, 'row')} complete in its variables"
    if complete.support is None or complete.density is None:
        return f"it could not be checked on complete rows: only {rows}, fewer than half"
    return f"on {rows} it {SUPPORT[complete.support]}: {asked_gain(complete.density)}"


def null_gains_clause(gains: tuple[float, ...]) -> str:
    """The most that a search gained on tables with nothing hidden; nothing where none were drawn."""
    if not gains:
        return ""
    tables = f"{counted(len(gains), 'table')} drawn from the best model without hidden causes"
    return f"in {tables}, the same search gained at most {nats(max(gains))} nats"


def others_explain(evidence: LatentEvidence) -> str:
    """The hidden causes beside which a latent was judged, with their verb: "a hidden cause of A and B explains"."""
    return f"{beside_text(evidence)} {'explains' if len(evidence.beside) == 1 else 'together explain'}"


def beside_text(evidence: LatentEvidence) -> str:
    """The hidden causes beside which a latent was judged: "a hidden cause of A, B and C"."""
    return "; ".join(f"a hidden cause of {list_names(children)}" for children in evidence.beside)


def latents_text(dag: LatentDag) -> str:
    """The latents of a DAG in a line, e.g. "L1 (2 states) → A, B", or "X → L1 (2 states) → A, B" with a parent."""
    return "; ".join(latent_text(latent) for latent in dag.latents) or "none"


def latent_text(latent: Latent, arrow: str = " → ") -> str:
    """A latent with its parent, if any, its number of states and its children."""
    above = "" if latent.parent is None else f"{latent.parent}{arrow}"
    return f"{above}{latent.name} ({latent.n_states} states){arrow}{', '.join(latent.children)}"
