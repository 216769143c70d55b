"""The paragraph on methods that a paper needs, with its references."""

from __future__ import annotations

from latconf_core.options.searching import SearchOptions
from latconf_core.search.outcome.result import SearchResult
from latconf_core.wording.knowledge_texts import knowledge_summary

ILC_V = (
    "K. Chobtham and A. C. Constantinou. Discovery and density estimation of latent confounders in Bayesian networks "
    "with evidence lower bound. Proceedings of Machine Learning Research 186 (PGM), 2022."
)
FCI = "J. Zhang. On the completeness of orientation rules for causal discovery in the presence of latent confounders "
FCI += "and selection bias. Artificial Intelligence 172, 2008."
GFCI = (
    "J. M. Ogarrio, P. Spirtes and J. Ramsey. A hybrid causal search algorithm for latent variable models. PGM, 2016."
)
BOSS = (
    "B. Andrews, J. Ramsey et al. Fast scalable and accurate discovery of DAGs using the best order score search and "
)
BOSS += "grow-shrink trees. NeurIPS, 2023."
VBEM = (
    "M. J. Beal and Z. Ghahramani. The variational Bayesian EM algorithm for incomplete data. Bayesian Statistics 7, "
    "2003."
)
SEMI_CLIQUES = (
    "G. Elidan, N. Lotner, N. Friedman and D. Koller. Discovering hidden variables: a structure-based approach. "
)
SEMI_CLIQUES += "NIPS, 2000."

PRIORS = {
    "empirical": "Dirichlet priors of total mass one at the observed frequencies, uniform ones for hidden variables",
    "uniform": "uniform Dirichlet priors",
    "flat": "flat Dirichlet priors of total mass one, uniform ones for hidden variables",
    "bdeu": "BDeu priors",
}
SEARCH_TEXT = {
    "ilc-v": "ILC-V scored the DAGs of the Markov equivalence class by number of bidirected edges",
    "hclc-v": "HCLC-V added bidirected edges greedily while the score rose",
    "refine": (
        "hidden common causes were added to the best DAG without any and kept if they gained at least 3 nats "
        "over it, with both DAGs re-optimised"
    ),
    "auto": (
        "the graph was searched by ILC-V or HCLC-V, and hidden common causes were then added to the best DAG "
        "without any and kept if they gained at least 3 nats over it, with both DAGs re-optimised"
    ),
    "no-latents": "the best DAG without hidden causes was found by hill-climbing and a search over orders",
}


def methods_paragraph(result: SearchResult, *, pag_origin: str, n_rows: int | None, version: str) -> str:
    """What was done, as a paper says it; every number is of this run."""
    rows = "" if n_rows is None else f" {n_rows:,} rows of"
    said = [f"We analysed{rows} {len(result.history.nodes)} discrete variables with latconf {version}."]
    if result.pag.n_edges:
        origin = f" ({pag_origin})" if pag_origin else ""
        said.append(f"A partial ancestral graph{origin} represented what the data determine about causes [1].")
    if result.knowledge:
        said.append(
            f"Background knowledge ({knowledge_summary(result.knowledge)}) held in every graph that was scored."
        )
    said.append(_search_sentence(result))
    said.append(_score_sentence(result.options))
    if result.evidence:
        said.append(
            "Every hidden common cause was judged by its gain in nats over the best DAG without any, both "
            "optimised around its children, and over other hidden causes if those explain the data better: "
            "at least 3 nats is supported, between 0 and 3 weak evidence. One that gains nothing on held-out "
            "rows does not count as supported."
        )
    said.append(f"The seed was {result.seed}; results do not depend on the number of threads.")
    return " ".join(said)


def _search_sentence(result: SearchResult) -> str:
    own = SEARCH_TEXT.get(result.algorithm, f"the search {result.algorithm} was used")
    scored = f"{len(result.history):,} DAGs were scored"
    return f"{own[0].upper()}{own[1:]} [2]{_restarts_clause(result)}; {scored}."


def _restarts_clause(result: SearchResult) -> str:
    """From how many seeds, and how many of these agree; nothing where there was one."""
    own = result.restarts
    if own is None or own.made == 1:
        return ""
    same = "all" if own.agreeing == own.made else f"{own.agreeing:,}"
    return f", from {own.made:,} seeds, of which the best counts and {same} support the same hidden causes"


def _score_sentence(options: SearchOptions) -> str:
    prior = PRIORS.get(options.vbem.prior, options.vbem.prior)
    said = (
        "The score is p-ELBO, the evidence lower bound of variational Bayes minus log(states!) per hidden "
        f"variable [3], with {prior}; without hidden variables it is the exact log marginal likelihood."
    )
    if options.vbem.prices == "none":
        return said
    return (
        f"{said} The penalties are log C(n − 1, k) per variable with k measured parents among n variables and "
        "log C(n, c) + log(n − 1) per hidden variable with c children (objective calibrated)."
    )


def references(result: SearchResult, *, pag_origin: str) -> list[str]:
    """What the paragraph cites, in its order; then what else was used."""
    more = [SEMI_CLIQUES, BOSS] if result.algorithm in ("refine", "auto") or result.reference is not None else []
    learners = [GFCI] if pag_origin.upper().startswith(("GFCI", "BOSS")) else []
    return [FCI, ILC_V, VBEM, *learners, *more]
