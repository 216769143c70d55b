"""What the Model page says about a model and its latents, in words."""

from __future__ import annotations

from collections.abc import Mapping

from latconf_core.comparison.latent_matching import true_latent
from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.families.objectives import LEAST_CLAIM
from latconf_core.phrases import counted, duration, first_upper, nats
from latconf_core.score.posterior import Posterior
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.outcome.evidence import LatentEvidence, Warning
from latconf_core.search.outcome.result import SearchResult
from latconf_core.wording.evidence_texts import (
    END_REASONS,
    SAME_NATS,
    TOO_LITTLE,
    asked_gain,
    beside_text,
    chance_clause,
    held_out_clause,
    nats_apart,
    warning_sentences,
)
from latconf_core.wording.knowledge_sentences import exact_clause

VERDICTS = {
    "requires": "the PAG requires a hidden common cause (<->)",
    "allows": "the PAG allows one (a circle)",
    "contradicts": "the PAG rules one out (a tail, or no edge)",
}
WEAKNESSES: Mapping[Warning, str] = {
    "merged states": "an edge with merged states fits equally well",
    "order": "edges between ordered variables fit equally well",
    "held out": "it gains nothing on held-out rows",
    "chance": "the same search gains as much by chance",
    "filled in": "cells of its children were filled in",
    "copied rows": "the rows look copied",
    "design": "the table was designed, not sampled",
    "cut short": "the run ended before it was judged to the end",
    "complete rows": "complete rows give less support",
}
Rows = list[tuple[str, str]]


MEANINGS: Mapping[str, str] = {
    "Score": "The objective of the search: the p-ELBO minus its penalties; higher is better",
    "p-ELBO": "The ELBO minus log(states!) per latent, because its states are exchangeable",
    "ELBO": "Evidence lower bound: a lower bound on the log probability of the data; higher is better",
    "Log-likelihood": "The log probability of the data under the fitted tables",
    "BIC": "The log-likelihood minus half the log of the number of rows per free parameter; higher is better",
    "Free parameters": "Number of free probabilities in the tables",
    "Latents": "Hidden common causes",
    "Best without hidden causes": "Score of the best DAG without latents, searched without the PAG",
    "Gain by chance": "The largest gain of a hidden cause when the search was repeated on tables without hidden causes",
}


def model_rows(posterior: Posterior) -> Rows:
    """The numbers of a model."""
    likelihood, bic = posterior.log_likelihood, posterior.bic
    too_many = "not computed: too many joint states"
    return [
        ("Score", f"{nats(posterior.score)} nats"),
        ("p-ELBO", f"{nats(posterior.p_elbo)} nats"),
        ("ELBO", f"{nats(posterior.elbo)} nats"),
        ("Log-likelihood", too_many if likelihood is None else f"{nats(likelihood)} nats"),
        ("BIC", too_many if bic is None else f"{nats(bic)} nats"),
        ("Free parameters", f"{posterior.n_free_parameters:,}"),
        ("Rows", f"{posterior.dataset.n_rows:,}"),
        ("Edges", f"{len(posterior.dag.edges):,}"),
        ("Latents", f"{len(posterior.dag.latents):,}"),
    ]


def run_rows(result: SearchResult) -> Rows:
    """How the model was found."""
    search = SEARCHES[result.algorithm].title if result.algorithm in SEARCHES else result.algorithm
    reason = END_REASONS[result.stop_reason]
    objective = "a custom prior" if result.objective is None else result.objective.title
    rows = [
        ("Search", f"{search}, seed {result.seed}"),
        ("Objective", objective),
        ("DAGs visited", f"{len(result.history):,} in {duration(result.seconds)}"),
        ("Stopped", first_upper(reason)),
    ]
    if result.reference_score is not None:
        score = f"{nats(result.reference_score)} nats"
        rows.append(("Best without hidden causes", ", ".join(filter(None, (score, exact_clause(result))))))
    if result.null_gains:
        draws = counted(len(result.null_gains), "draw")
        rows.append(("Gain by chance", f"at most {nats(max(result.null_gains))} nats in {draws}"))
    return rows + [("Stopped early", first_upper(sentence)) for sentence in result.cuts]


def rank_sentence(posterior: Posterior, result: SearchResult) -> str:
    """How the DAG that is shown compares with the result and with the best of the search."""
    history = result.history
    if history.best is None or posterior.dag == history.dag(history.best.index):
        return f"The best of {counted(len(history), 'visited DAG')}."
    below = history.best.p_elbo - posterior.score
    side = "below" if below >= 0 else "above"
    apart = f"{nats_apart(below)} {side} the best visited DAG"
    if result.history.chosen is not None and posterior.dag == result.best:
        return f"The result of the search. It is {apart}, which has unsupported hidden causes."
    if result.reference is not None and posterior.dag == result.reference.dag:
        return f"The best DAG without hidden causes, searched without the PAG; {apart}."
    return f"{apart[:1].upper()}{apart[1:]}."


def gain_sentence(posterior: Posterior, result: SearchResult) -> str:
    """What the hidden causes of the DAG that is shown gain over none, or what those of others would."""
    history, count = result.history, len(posterior.dag.latents)
    if count:
        return _gain_over(posterior.score, _best_without(result), count)
    rival = history.best_with_latents
    if rival is None:
        return "It has no hidden cause, and the search visited no DAG with one."
    gain = rival.p_elbo - posterior.score
    side = "below" if gain <= 0 else "above"
    return f"It has no hidden cause. The best DAG with hidden causes scores {nats_apart(gain)} {side} it."


def criteria_sentence(posterior: Posterior, without: Posterior | None) -> str:
    """That BIC or the log-likelihood prefers the DAG without hidden causes; "" where neither does."""
    if without is None:
        return ""
    measures = (
        ("BIC", without.bic, posterior.bic),
        ("the log-likelihood", without.log_likelihood, posterior.log_likelihood),
    )
    known = [(name, rival - shown) for name, rival, shown in measures if rival is not None and shown is not None]
    gains = {name: gain for name, gain in known if gain > SAME_NATS}
    if not gains:
        return ""
    names, apart = " and ".join(gains), " and ".join(map(nats, gains.values()))
    verb = "prefers" if len(gains) == 1 else "prefer"
    return f"{names[:1].upper()}{names[1:]} {verb} the best DAG without hidden causes, by {apart} nats."


def _best_without(result: SearchResult) -> float | None:
    known = (result.reference_score, result.best_without_latents)
    return max((score for score in known if score is not None), default=None)


def _gain_over(p_elbo: float, without: float | None, n_latents: int) -> str:
    its = "Its hidden cause" if n_latents == 1 else f"Its {n_latents} hidden causes together"
    gains = "gains" if n_latents == 1 else "gain"
    if without is None:
        return f"The search visited no DAG without hidden causes, so the gain of {its[0].lower()}{its[1:]} is unknown."
    gain = p_elbo - without
    if gain <= 0:
        each = "it is" if n_latents == 1 else "each is"
        return (
            f"The best DAG without hidden causes scores {nats_apart(gain)} above it. Select a hidden cause to "
            f"see what {each} worth when added to that DAG."
        )
    weak = f" That is weak: {TOO_LITTLE}." if gain < LEAST_CLAIM else ""
    return f"{its} {gains} {nats_apart(gain)} over the best DAG without hidden causes.{weak}"


def density_sentence(evidence: LatentEvidence) -> str:
    """What the data gain by one latent, over the best DAG without any."""
    gain, support = evidence.density, evidence.support
    if gain is None or support is None:
        return "Not judged."
    into = f"the best DAG with {beside_text(evidence)}" if evidence.beside else "the best DAG without hidden causes"
    over = f"{asked_gain(gain)}, added to {into}"
    meaning = {
        "strong": "supported.",
        "weak": f"weak evidence: {_weakness(evidence)}.",
        "none": "not supported: the DAG without it explains the data better.",
    }
    return f"{over}: {meaning[support]}"


def _weakness(evidence: LatentEvidence) -> str:
    """Why what is gained is no claim."""
    if evidence.is_weak and not {"merged states", "order"} & {*evidence.warnings}:
        return TOO_LITTLE
    return next((text for warning, text in WEAKNESSES.items() if warning in evidence.warnings), TOO_LITTLE)


def more_asked_lines(evidence: LatentEvidence) -> list[str]:
    """What rows left out of the fit and tables with nothing hidden say, where that is no warning."""
    said = {"held out": held_out_clause(evidence), "chance": chance_clause(evidence)}
    return [f"{text[:1].upper()}{text[1:]}." for name, text in said.items() if text and name not in evidence.warnings]


def warning_lines(evidence: LatentEvidence) -> list[str]:
    """What makes it less sure than its gain alone says."""
    return [f"Note: {sentence}." for sentence in warning_sentences(evidence)]


def orientation_lines(evidence: LatentEvidence) -> list[str]:
    """What the PAG says of the pairs of children: a line per verdict, with the pairs unless they are all."""
    lines = []
    for verdict, said in VERDICTS.items():
        pairs = [f"{pair.first}, {pair.second}" for pair in evidence.orientation if pair.verdict == verdict]
        if not pairs:
            continue
        if len(pairs) == len(evidence.orientation) > 1:
            lines.append(f"All {len(pairs)} pairs of children: {said}.")
        elif len(evidence.orientation) == 1:
            lines.append(f"{pairs[0]}: {said}.")
        else:
            lines.append(f"{len(pairs)} of {len(evidence.orientation)} pairs: {said}: {'; '.join(pairs)}.")
    return lines


def truth_sentence(latent: Latent, truth: LatentDag) -> str:
    """Which hidden variable of a known truth a latent stands for."""
    match = true_latent(latent, truth)
    if match is None:
        return "No hidden variable of the true network has two of these children."
    if match.is_exact:
        return f"Known truth: this is {match.name} ({match.n_states} states), with exactly its children."
    parts = [f"shares {', '.join(match.shared)}"]
    parts += [f"misses {', '.join(match.missed)}"] if match.missed else []
    parts += [f"adds {', '.join(match.extra)}"] if match.extra else []
    return f"Known truth: closest to {match.name} ({match.n_states} states): {'; '.join(parts)}."


def hidden_sentences(dag: LatentDag, truth: LatentDag) -> list[str]:
    """For every hidden common cause of a known truth, whether the model has it."""
    said = []
    for hidden in truth.latents:
        names = [
            latent.name for latent in dag.latents if (match := true_latent(latent, truth)) and match.name == hidden.name
        ]
        where = f"found as {', '.join(names)}" if names else "not in this DAG"
        said.append(f"Hidden in truth: {hidden.name} → {', '.join(hidden.children)}: {where}.")
    return said
