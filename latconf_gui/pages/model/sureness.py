"""How sure a latent is, in words: what samples of the rows say, its weight among the visited DAGs, and of which run."""

from __future__ import annotations

from latconf_core.dag.latent_dag import Latent, LatentDag
from latconf_core.formats.projects.state_changes import pag_remark
from latconf_core.search.model_facts import ModelFacts
from latconf_core.search.outcome.result import SearchResult
from latconf_core.search.outcome.visited_weights import weight_sentence
from latconf_core.stability.other_cuts import survival_of
from latconf_core.stability.stability_result import Stability
from latconf_core.wording.agreement_sentences import agreement_clause
from latconf_core.wording.cut_sentences import survival_clause
from latconf_core.wording.knowledge_texts import knowledge_remark
from latconf_core.wording.stability_words import KEPT_PAG, latent_sentence, states_sentence
from latconf_gui.application.document import Document
from latconf_gui.application.latent_naming import shown_names
from latconf_gui.pages.model.sentences import Rows

NOT_REPEATED = "Not run yet: choose Stability… in the Model menu."
NOT_COMPARED = "Not run yet: choose How often would chance do this? in the Model menu."
NOT_ALL_GRAPHS = "This compares only visited DAGs; it is not a probability over all graphs."


def sureness_lines(facts: ModelFacts, latent: Latent, stability: Stability | None, result: SearchResult) -> list[str]:
    """What the card of a latent says of samples, of other cut points and of the visited DAGs."""
    lines = [NOT_REPEATED] if stability is None else _sample_lines(facts.posterior.dag, latent, stability)
    lines += _cut_lines(latent, result)
    weights = facts.weights
    if weights is not None and weights.n_visits > 1:
        said = weight_sentence(weights.of_latent(latent.children), weights.n_visits)
        lines += [f"{said[:1].upper()}{said[1:]}. {NOT_ALL_GRAPHS}"]
    return lines


def _cut_lines(latent: Latent, result: SearchResult) -> list[str]:
    survival = survival_of(result)
    survivals = (
        ()
        if survival is None
        else (
            survival_of_latent
            for survival_of_latent in survival.latents
            if survival_of_latent.children == latent.children
        )
    )
    return [
        f"With other cut points it {survival_clause(survival_of_latent)}."
        for survival_of_latent in survivals
        if survival_of_latent.n_samples
    ]


def _sample_lines(dag: LatentDag, latent: Latent, stability: Stability) -> list[str]:
    own_share = next((share for share in stability.latents_of(dag) if share.name == latent.name), None)
    if own_share is None or not own_share.n_samples:
        return ["No sample finished."]
    said, states = latent_sentence(own_share, stability.options), states_sentence(own_share)
    lines = [f"{said[:1].upper()}{said[1:]}." + (f" {states[:1].upper()}{states[1:]}." if states else "")]
    return [*lines, f"{KEPT_PAG}."] if stability.keeps_pag else lines


def origin_rows(document: Document, facts: ModelFacts) -> Rows:
    """Which run the DAG that is shown is of, on which PAG and under which knowledge; what columns held back say."""
    run = document.shown_run
    if run is None:
        return []
    remark = pag_remark(run, document.state).removeprefix("on ")
    known = knowledge_remark(run.result.knowledge, document.knowledge)
    rows = [("Run", run.name), *([("PAG", remark)] if remark else []), *([("Knowledge", known)] if known else [])]
    names = shown_names(facts.posterior.dag, document.latent_names)
    agreements = [
        f"{names.get(name, name)} {agreement_clause(agreement)}"
        for name, latent in facts.latents.items()
        for agreement in latent.agreements[:1]
        if agreement.tells_apart
    ]
    return [*rows, *([("Held back", "\n".join(agreements))] if agreements else [])]
