"""The sections of a report, each from the contents alone."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from latconf_core.formats.painter import Painter
from latconf_core.phrases import counted, duration, nats
from latconf_core.report.contents import ReportContents
from latconf_core.report.methods_text import methods_paragraph, references
from latconf_core.report.page import code, figure, folded, heading, listing, paragraph, section, table, title_line
from latconf_core.report.probability_table import probability_table
from latconf_core.search.catalogue import search_title
from latconf_core.search.outcome.evidence import LatentEvidence
from latconf_core.wording.evidence_texts import (
    END_REASONS,
    chance_clause,
    further_warnings,
    gain_text,
    held_out_clause,
    latent_sentence,
)
from latconf_core.wording.knowledge_sentences import exact_clause
from latconf_core.wording.mark_meanings import edge_sentence
from latconf_core.wording.row_words import completion_sentences
from latconf_core.wording.verdicts import verdict

INTERVALS = (
    "Tables show the posterior mean of each probability, with its 95 % credible interval. Tables around a "
    "hidden cause have no intervals: its states are estimated from the same rows, and intervals that treat "
    "them as known are too narrow."
)
PARTS = {"vbem": "score"}  # of the settings, in words
MOST_STATES = 12  # of a variable that are listed


def head(contents: ReportContents, *, version: str) -> str:
    """The title and what was found."""
    result = contents.result
    rows = "" if contents.data is None else f"{contents.data.n_rows:,} rows, "
    about = (
        f"{rows}{counted(len(result.history.nodes), 'variable')} · {search_title(result.algorithm)} · latconf {version}"
    )
    return f"{title_line(contents.title)}\n{paragraph(about, 'quiet')}\n{paragraph(verdict(result), 'verdict')}"


def data_section(contents: ReportContents) -> str:
    """The variables with their states, and what was done to the table."""
    data = contents.data
    if data is None:
        return ""
    rows = []
    for variable in data.variables:
        shown = [f"{state} ({count:,})" for state, count in zip(variable.states, variable.counts)]
        more = [f"… {len(shown) - MOST_STATES} more"] if len(shown) > MOST_STATES else []
        rows.append((variable.name, str(len(variable.states)), ", ".join(shown[:MOST_STATES] + more)))
    source = f"{data.source}: " if data.source else ""
    size = f"{source}{counted(data.n_rows, 'row')} of {counted(len(data.variables), 'variable')}, nothing missing"
    size += ", after these changes:" if data.notes else "."
    return section(
        "Data", paragraph(size), listing(data.notes), table(("Variable", "States", "Rows in each"), rows, numbers=(1,))
    )


def pag_section(contents: ReportContents, painter: Painter | None, *, number: int) -> str:
    """The PAG, what its edges mean and why its marks are there."""
    pag = contents.result.pag
    if not pag.n_edges:
        return ""
    picture = figure(None if painter is None else painter.graph_svg(pag), "The PAG", number=number)
    origin = paragraph(f"{'Learned by' if contents.learner else 'Origin:'} {contents.pag_origin}.")
    meanings = table(("Edge", "Meaning"), [(str(edge), edge_sentence(edge)) for edge in pag.edges()], unbroken=(0,))
    handled = paragraph(f"{str(contents.result.pag_handling)[:1].upper()}{str(contents.result.pag_handling)[1:]}.")
    return section(
        "The PAG of the search",
        origin if contents.pag_origin else "",
        handled,
        picture,
        folded("Meaning of each edge", meanings),
        folded("Why each mark is there", _reasons(contents)),
    )


def _reasons(contents: ReportContents) -> str:
    """The test or rule behind every mark, where the learner's events are kept."""
    from latconf_core.pag.replay import Replay
    from latconf_core.wording.mark_reasons import explain_mark

    if not contents.pag_events:
        return ""
    pag, rows = contents.result.pag, []
    replay = Replay(contents.pag_events, pag.nodes)
    for edge in pag.edges():
        for node, other in ((edge.first, edge.second), (edge.second, edge.first)):
            rows.append((str(edge), node, explain_mark(replay, pag, node, other).text))
    return table(("Edge", "At", "Why"), rows, unbroken=(0,))


def search_section(contents: ReportContents, painter: Painter | None, *, number: int) -> str:
    """How the search went."""
    result = contents.result
    facts = [
        ("DAGs scored", f"{len(result.history):,}"),
        ("Stopped because", END_REASONS[result.stop_reason]),
        ("Time of the search", duration(result.seconds)),
        ("Objective", "a custom prior" if result.objective is None else result.objective.title),
        ("Best score", "–" if result.score is None else nats(result.score)),
        ("Its p-ELBO", "–" if result.p_elbo is None else nats(result.p_elbo)),
    ]
    if result.reference_score is not None:
        best_without = ", ".join(filter(None, (nats(result.reference_score), exact_clause(result))))
        facts.append(("Best without hidden causes", best_without))
    if result.gain is not None:
        facts.append(("Gain of hidden causes", _gain(result.gain)))
    chart = None if painter is None or not len(result.history) else painter.chart_svg(result.history)
    caption = "Score of every visited DAG, by the number of hidden causes or bidirected edges"
    return section("The search", table(("", ""), facts), listing(result.cuts), figure(chart, caption, number=number))


def _gain(gain: float) -> str:
    return gain_text(gain)


def model_section(contents: ReportContents, painter: Painter | None, *, number: int) -> str:
    """The final DAG, each latent with its evidence and tables, then the tables of the rest."""
    result = contents.result
    if result.best is None:
        return ""
    dag = result.best.with_latent_names(contents.names)
    drawn = None if painter is None else painter.dag_svg(dag, result.knowledge)
    warnings = result.posterior.warnings if result.posterior is not None else ()
    if result.completion is not None:
        warnings = (*warnings, *completion_sentences(result.completion))
    caption = "The model: hidden causes are dashed" if dag.latents else "The model, which has no hidden cause"
    is_learned = contents.network is not None and any(
        cpt.dirichlet is not None for cpt in contents.network.cpts.values()
    )
    parts = [
        figure(drawn, caption, number=number),
        listing(warnings),
        paragraph(INTERVALS, "quiet") if is_learned else "",
    ]
    for latent_evidence in result.evidence:
        parts += _latent_parts(contents, latent_evidence)
    observed = [] if contents.network is None else [name for name in dag.nodes if name in contents.network.cpts]
    rest = [name for name in observed if not _is_child_of_latent(contents, name)]
    parts += [
        folded(f"Probabilities of {name}", probability_table(contents.network, name))
        for name in rest
        if contents.network
    ]
    return section("The model", *parts)


def _is_child_of_latent(contents: ReportContents, name: str) -> bool:
    best = contents.result.best
    return best is not None and any(name in latent.children for latent in best.latents)


def _latent_parts(contents: ReportContents, evidence: LatentEvidence) -> Iterator[str]:
    latent = evidence.latent
    name = contents.names.get(latent.name, latent.name)
    best = contents.result.best
    is_in_model = best is not None and latent in best.latents
    yield heading(
        f"{name if is_in_model else 'Tried, not in the model'}: a hidden cause of {', '.join(latent.children)}"
    )
    yield paragraph(f"{latent_sentence(evidence, name)}.")
    clauses = {"held out": held_out_clause(evidence), "chance": chance_clause(evidence)}
    for text in (text for kind, text in clauses.items() if text and kind not in evidence.warnings):
        yield paragraph(f"{text[:1].upper()}{text[1:]}.")
    yield listing([f"{text[:1].upper()}{text[1:]}." for text in further_warnings(evidence)])
    network = contents.network
    if network is None:
        return
    shown_name = name if name in network.cpts else latent.name
    for variable in (shown_name, *latent.children) if is_in_model else ():
        if variable in network.cpts:
            yield folded(
                f"Probabilities of {variable}", probability_table(network, variable), is_open=variable == shown_name
            )


def comparison_section(contents: ReportContents) -> str:
    """The model against what else was found, and against the truth where it is known."""
    from latconf_core.comparison.compare import compare_all
    from latconf_core.comparison.measures import MEASURES
    from latconf_core.comparison.subject import Subject
    from latconf_core.comparison.tables import show_value
    from latconf_core.wording.comparison_sentences import describe_pair

    result = contents.result
    if result.best is None:
        return ""
    rows = [("The model", nats(result.score or 0.0), str(len(result.best.latents)))]
    if result.reference_score is not None:
        rows.append(("Best without hidden causes", nats(result.reference_score), "0"))
    if result.other is not None:
        other = result.history[result.other.visit]
        rows.append((f"Best of {search_title(result.other.search)}", nats(other.p_elbo), str(other.n_latents)))
    rivals = table(("DAG", "Score", "Hidden causes"), rows, numbers=(1, 2)) if len(rows) > 1 else ""
    if contents.truth is None:
        return section("Compared with", rivals)
    (pair,) = compare_all([Subject("the model", result.best)], truth=Subject("the truth", contents.truth))
    measures = [(measure.title, show_value(measure.of(pair))) for measure in MEASURES]
    told = paragraph(f"Compared with the truth: {describe_pair(pair)}")
    return section("Compared with", rivals, told, table(("Measure", "Value"), measures, numbers=(1,)))


def repeat_section(contents: ReportContents, *, versions: dict[str, str]) -> str:
    """Methods, settings, versions and the command that repeats the run."""
    result = contents.result
    n_rows = None if contents.data is None else contents.data.n_rows
    came = {"pag_origin": contents.pag_origin, "learner": contents.learner}
    told = methods_paragraph(result, **came, n_rows=n_rows, version=versions["latconf"])
    cited = [f"[{number}] {text}" for number, text in enumerate(references(result, **came), 1)]
    settings = list(_settings(result.options.to_json(), result.algorithm))
    command = code(shlex.join(contents.command)) if contents.command else ""
    return section(
        "Methods and reproduction",
        paragraph(told),
        listing(cited, is_plain=True),
        heading("Command to repeat the run") if command else "",
        command,
        paragraph(f"Fingerprint of the data: {result.dataset_digest[:16]}", "quiet"),
        folded("Settings", table(("Setting", "Value"), settings)),
        folded("Versions", table(("Program", "Version"), list(versions.items()))),
    )


def _settings(options: Mapping[str, Any], algorithm: str) -> Iterator[tuple[str, str]]:
    """Every setting of the run in words; those of CIL and GLSL only where they were used."""
    for key, value in options.items():
        if isinstance(value, Mapping):
            if key == "vbem" or key in algorithm.split("+"):
                yield from (
                    (f"{PARTS.get(key, key.upper())}: {name}", said) for name, said in _settings(value, algorithm)
                )
        elif key != "version":
            yield key.replace("_", " "), _setting(value) if key != "time_limit" or value is None else duration(value)


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "default" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
