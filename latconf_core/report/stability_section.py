"""The section of a report on how sure its parts are: weights over visited DAGs, samples of the rows, other cuts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from latconf_core.comparison.tables import Table
from latconf_core.dag.latent_dag import LatentDag
from latconf_core.report.contents import ReportContents
from latconf_core.report.page import folded, heading, listing, paragraph, section, table
from latconf_core.search.outcome.visited_weights import MEANING, weight_text
from latconf_core.stability.shares import PairShare
from latconf_core.stability.stability_result import Stability
from latconf_core.wording.cut_sentences import MEANING as OF_CUTS
from latconf_core.wording.cut_sentences import cut_lines
from latconf_core.wording.stability_tables import tabulate_latents, tabulate_pairs
from latconf_core.wording.stability_words import explanations, headline, latent_sentence, least_stable, remarks

MOST_ROWS = 200  # of a table; all of them are in the files
SHARES = ("Same marks", "Adjacent", "Half", "Exact", "Overlap")  # titles of columns of numbers
EDGE_TITLES = ("Edge", "Adjacent", "Compelled")
MOST_NEW = 10  # latents that only samples have


def stability_section(contents: ReportContents) -> str:
    """How much of the visited weight each part of the model has, and how often it comes back in samples."""
    best, stability = contents.result.best, contents.stability
    if best is None:
        return ""
    parts = [*_weight_parts(contents, best)]
    if stability is not None and stability.n_samples:
        parts += _sample_parts(contents, best, stability)
    cuts = cut_lines(contents.result, contents.names)
    if cuts:
        parts += [heading("When the numbers are cut elsewhere"), listing(cuts), paragraph(OF_CUTS)]
    return section("Uncertainty", *parts)


def _weight_parts(contents: ReportContents, dag: LatentDag) -> Iterator[str]:
    weights = contents.result.weights
    called = {
        latent: f"{contents.names.get(latent.name, latent.name)}: {', '.join(latent.children)}"
        for latent in dag.latents
    }
    latents = [(text, weight_text(weights.of_latent(latent.children))) for latent, text in called.items()]
    edges = [
        (
            f"{parent} → {child}",
            weight_text(weights.of_pair(parent, child)),
            weight_text(weights.of_edge(parent, child)),
        )
        for parent, child in dag.edges
    ]
    yield heading("Among the visited DAGs")
    yield paragraph(MEANING)
    if latents:
        yield table(("Hidden cause", "Weight"), latents, numbers=(1,))
    yield folded("Weight of each edge", table(EDGE_TITLES, edges[:MOST_ROWS], numbers=(1, 2)) if edges else "")


def _sample_parts(contents: ReportContents, dag: LatentDag, stability: Stability) -> Iterator[str]:
    yield heading("On resampled rows")
    yield paragraph(f"{headline(stability)}.")
    yield listing([f"{text[:1].upper()}{text[1:]}." for text in remarks(stability)])
    yield paragraph(" ".join(explanations(stability)))
    if stability.options.search is not None:
        shares = stability.latents_of(dag)
        named = [(contents.names.get(share.name or "", share.name or ""), share) for share in shares]
        yield listing([f"{name} {latent_sentence(share, stability.options)}." for name, share in named])
        new = stability.new_latents[:MOST_NEW]
        yield folded("Hidden causes in samples", _html(tabulate_latents((*shares, *new))))
        yield folded("Edges of the model in samples", _pairs(stability.dag_pairs))
    if stability.options.learner is not None:
        yield folded("Edges of the PAG in samples", _pairs(stability.pag_pairs))


def _pairs(pairs: Sequence[PairShare]) -> str:
    return _html(tabulate_pairs(least_stable(pairs, MOST_ROWS)))


def _html(content: Table) -> str:
    """The table; nothing where it has no rows."""
    rows = [tuple(map(str, row)) for row in content.rows]
    numbers = tuple(index for index, title in enumerate(content.titles) if title in SHARES)
    return table(content.titles, rows, numbers=numbers) if rows else ""
