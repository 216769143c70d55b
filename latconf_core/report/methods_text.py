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
REFINED = (
    "hidden common causes of associated variables{groups} were then added to the best DAG without any{boss} and kept "
    "if they gained at least 3 nats over it, with both DAGs re-optimised"
)
SEARCH_TEXT = {
    "ilc-v": "ILC-V{paper} scored the DAGs of the Markov equivalence class by number of bidirected edges",
    "hclc-v": "HCLC-V{paper} added bidirected edges greedily while the score rose",
    "refine": REFINED.replace("then ", ""),
    "auto": "the graph was searched by ILC-V or HCLC-V{paper}, and " + REFINED,
    "no-latents": "the best DAG without hidden causes was found by hill-climbing and a search over orders{boss}",
}

LEARNER_SOURCES = {"gfci": GFCI, "boss-fci": BOSS}
CITED = {"{paper}": ILC_V, "{groups}": SEMI_CLIQUES, "{boss}": BOSS}  # in the texts above


def methods_paragraph(
    result: SearchResult, *, pag_origin: str, learner: str = "", n_rows: int | None, version: str
) -> str:
    """What was done, as a paper says it; every number is of this run.

    pag_origin, learner : how the PAG came about in words, and the name of its learner where it has one
    """
    pag_source = (pag_origin, learner)
    return _paragraph(result, Citations(), pag_source=pag_source, n_rows=n_rows, version=version)


def references(result: SearchResult, *, pag_origin: str, learner: str = "") -> list[str]:
    """What the paragraph cites, in its order."""
    cite = Citations()
    _paragraph(result, cite, pag_source=(pag_origin, learner), n_rows=None, version="")
    return cite.sources


class Citations:
    """Called with a source, gives its number as the text has it, such as " [2]"."""

    def __init__(self) -> None:
        self.sources: list[str] = []  # in the order in which they are cited

    def __call__(self, source: str) -> str:
        if source not in self.sources:
            self.sources.append(source)
        return f" [{self.sources.index(source) + 1}]"


def _paragraph(
    result: SearchResult, cite: Citations, *, pag_source: tuple[str, str], n_rows: int | None, version: str
) -> str:
    rows = "" if n_rows is None else f" {n_rows:,} rows of"
    said = [f"We analysed{rows} {len(result.history.nodes)} discrete variables with latconf {version}."]
    if result.pag.n_edges:
        said.append(_pag_sentence(result, cite, *pag_source))
    if result.knowledge:
        said.append(
            f"Background knowledge ({knowledge_summary(result.knowledge)}) held in every graph that was scored."
        )
    said.append(_search_sentence(result, cite))
    said.append(_score_sentence(result.options, cite))
    if result.evidence:
        said.append(
            "Every hidden common cause was judged by its gain in nats over the best DAG without any"
            f"{cite(BOSS)}, both optimised around its children, and over other hidden causes if those explain the "
            "data better: at least 3 nats is supported, between 0 and 3 weak evidence. One that gains nothing on "
            "held-out rows does not count as supported."
        )
    said.append(f"The seed was {result.seed}; results do not depend on the number of threads.")
    return " ".join(said)


def _pag_sentence(result: SearchResult, cite: Citations, pag_origin: str, learner: str) -> str:
    """Where the graph of the search comes from: Auto learns one by GFCI where it is given none."""
    if pag_origin:
        told = f" ({pag_origin}){cite(LEARNER_SOURCES[learner]) if learner in LEARNER_SOURCES else ''}"
    else:
        told = f", learned by GFCI{cite(GFCI)}," if result.algorithm == "auto" else ""
    return f"A partial ancestral graph{told} represented what the data determine about causes{cite(FCI)}."


def _search_sentence(result: SearchResult, cite: Citations) -> str:
    told = SEARCH_TEXT.get(result.algorithm, f"the search {result.algorithm} was used")
    for word, source in CITED.items():
        told = told.replace(word, cite(source) if word in told else "")
    scored = f"{len(result.history):,} DAGs were scored"
    return f"{told[0].upper()}{told[1:]}; {scored}.{_restarts_sentence(result)}"


def _restarts_sentence(result: SearchResult) -> str:
    """From how many seeds, and how many of these agree; nothing where there was one."""
    restarts = result.restarts
    if restarts is None or restarts.made == 1:
        return ""
    same = "all" if restarts.agreeing == restarts.made else f"{restarts.agreeing:,} of them"
    return f" This was repeated from {restarts.made:,} seeds and the best kept; {same} support the same hidden causes."


def _score_sentence(options: SearchOptions, cite: Citations) -> str:
    prior = PRIORS.get(options.vbem.prior, options.vbem.prior)
    said = (
        "The score is p-ELBO, the evidence lower bound of variational Bayes minus log(states!) per hidden "
        f"variable{cite(VBEM)}, with {prior}; without hidden variables it is the exact log marginal likelihood."
    )
    if options.vbem.prices == "none":
        return said
    return (
        f"{said} The penalties are log C(n − 1, k) per variable with k measured parents among n variables and "
        "log C(n, c) + log(n − 1) per hidden variable with c children (objective calibrated)."
    )
