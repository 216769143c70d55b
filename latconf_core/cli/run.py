"""`latconf run`: search for hidden common causes, from data and a PAG to a model."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from latconf_core.cli.terminal.arguments import ExamplesFormatter, add_table_options, load_noted, positive, seed
from latconf_core.cli.terminal.cluster_options import add_cluster_options, read_scheduler
from latconf_core.cli.terminal.interrupting import hear_signals
from latconf_core.cli.terminal.keeping import keep_result
from latconf_core.cli.terminal.knowledge_option import add_knowledge_option, read_knowledge_option
from latconf_core.cli.terminal.search_options import DEFAULTS, add_search_options, read_search_options, refuse_unused
from latconf_core.control import Progress, RunControl, StopReason, StopRequested
from latconf_core.options.learning import PAG_PRESETS, pag_preset
from latconf_core.options.searching import SearchOptions
from latconf_core.search.catalogue import DEFAULT_SEARCH, SEARCHES
from latconf_core.whole_folders import check_folder

if TYPE_CHECKING:
    from latconf_core.cli.terminal.bars import ProgressBar
    from latconf_core.dag.latent_dag import LatentDag
    from latconf_core.data.dataset import Dataset
    from latconf_core.data.preparing.prepare import Prepared
    from latconf_core.graph.mixed import MixedGraph
    from latconf_core.knowledge.knowledge import Knowledge
    from latconf_core.search.outcome.evidence import LatentEvidence
    from latconf_core.search.outcome.reference import OtherSearch
    from latconf_core.search.outcome.result import SearchResult

LEAST_SECONDS = 1.0  # that a search gets where learning took the whole time
PLAIN = {ord("−"): "-", 0xA0: " "}  # not every terminal has these characters
EXAMPLES = """examples:
  latconf run data.csv --time-limit 60
  latconf run data.csv --learn gfci --search ilc-v --out results
  latconf run data.csv --pag pag.txt --search hclc-v --seed 1 --workers 2 --json"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    from latconf_core.pag.learners.catalogue import LEARNERS

    parser = commands.add_parser(
        "run",
        help="search for hidden common causes",
        description=(
            "Find the DAG with latents that explains the data best, with or without a PAG. Ctrl-C stops the "
            "search, writes the best DAG so far and exits with 130."
        ),
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    parser.add_argument("data", type=Path, nargs="?", metavar="DATA", help="table of discrete data")
    _add_replay(parser)
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--pag", type=Path, metavar="PAG", help="the PAG to search, in any graph format")
    source.add_argument(
        "--learn", choices=tuple(LEARNERS), metavar="METHOD", help="learn the PAG with this method: %(choices)s"
    )
    parser.add_argument("--preset", choices=tuple(PAG_PRESETS), default="default", help="settings of the learner")
    said = " ".join(f"{name}: {method.description}" for name, method in SEARCHES.items())
    parser.add_argument(
        "--search", choices=tuple(SEARCHES), default=DEFAULT_SEARCH, help=f"{said} Default: %(default)s"
    )
    parser.add_argument(
        "--time-limit", type=float, default=DEFAULTS.time_limit, metavar="SECONDS", help="default: 12 h"
    )
    add_knowledge_option(parser)
    add_search_options(parser)
    parser.add_argument(
        "--start", type=Path, metavar="RESULT", help="refine: start from this run folder or result.json too"
    )
    parser.add_argument("--seed", type=seed, default=DEFAULTS.seed, metavar="S", help="default: %(default)s")
    parser.add_argument(
        "--workers", type=positive, default=DEFAULTS.workers, metavar="N", help="number of scoring threads"
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="write the model, the history and pictures here")
    add_table_options(parser)
    add_cluster_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def _add_replay(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "instead of DATA: repeat a run of a project and check that the result is the same"
    )
    group.add_argument("--project", type=Path, metavar="FILE", help="the project (.latconf)")
    group.add_argument("--run", dest="number", type=positive, metavar="N", help="number of the run, from 1")


def run(args: argparse.Namespace) -> int:
    """Search, write what was found, and say it."""
    if args.project is not None:
        from latconf_core.cli.replay import replay

        return replay(args)
    options = _options(args)
    read_scheduler(args)  # refused before the data are read
    _check(args)
    knowledge = read_knowledge_option(args)
    if args.out:
        check_folder(args.out)
    prepared = load_noted(args.data, args)
    dataset = prepared.dataset
    start = None if args.start is None else _start(args.start, dataset)
    with hear_signals() as stop:
        try:
            result = _search(args, dataset, options, RunControl(stop.is_set), start, knowledge)
        except StopRequested:
            return stop.exit_code
        print(json.dumps(result.to_json()) if args.json else "\n".join(as_text(result)))
        if args.out:
            _keep(result, partial(_write, result, prepared, args), args)
    return stop.exit_code if result.stop_reason is StopReason.CANCELLED else 0


def _keep(result: SearchResult, write: Callable[[], tuple[str, ...]], args: argparse.Namespace) -> None:
    """Write the folder of the run, unless that would replace a run with a model by one that was stopped before it."""
    from latconf_core.formats.run_folder import keeps_better, run_texts

    if keeps_better(result, args.out):
        print(f"the search ended before it had a model; the older run in {args.out} was kept", file=sys.stderr)
        return
    keep_result(write, args.out, rescue=lambda: dict(run_texts(result)), is_quiet=args.json)


def _write(result: SearchResult, prepared: Prepared, args: argparse.Namespace) -> tuple[str, ...]:
    """Write the folder of the run with its report; the names of the files."""
    from latconf_core.formats.run_folder import ABOUT, REPORT, write_run
    from latconf_core.report.contents import DataSummary, ReportContents, RunAbout
    from latconf_core.report.render import render_report

    excluded = (f"{excluded.name} is excluded: {excluded.reason}" for excluded in prepared.set_aside)
    data = DataSummary.of(prepared.dataset, source=args.data.name, notes=(*prepared.notes, *excluded))
    learner = None if args.learn is None else pag_preset(args.preset, args.learn)
    about = RunAbout(data, ("latconf", *args.words), _pag_origin(args), learner)
    contents = ReportContents(
        result,
        title=f"{SEARCHES[args.search].title}: {args.data.name}",
        data=data,
        network=None if result.posterior is None else result.posterior.network(),
        pag_origin=about.pag_origin,
        learner="" if about.learner is None else about.learner.method,
        command=about.command,
    )
    more = {
        ABOUT: json.dumps(about.to_json(), ensure_ascii=False) + "\n",
        REPORT: render_report(contents, args.painter),
    }
    return write_run(result, args.out, painter=args.painter, more=more)


def _pag_origin(args: argparse.Namespace) -> str:
    """How the PAG came about, in words; empty where there was none."""
    if args.pag is not None:
        return f"the file {args.pag.name}"
    if args.learn is None:
        return ""
    from latconf_core.pag.learners.catalogue import LEARNERS

    return LEARNERS[args.learn].say_settings(pag_preset(args.preset, args.learn))


def _check(args: argparse.Namespace) -> None:
    """Refuse what does not go together."""
    from latconf_core.errors import OptionError

    if args.data is None:
        raise OptionError("there are no data to search; give a table, or repeat a run with --project FILE --run N")
    if args.number is not None:
        raise OptionError("--run is the number of a run in a project; give the project with --project FILE")
    remedy = "give one with --pag FILE, or learn one with --learn METHOD"
    method, has_pag = SEARCHES[args.search], args.pag is not None or args.learn is not None
    if args.start is not None:
        refuse_unused("--start", ("start",), args.search)
    if method.needs_pag and not has_pag:
        raise OptionError(f"{args.search} needs a PAG; {remedy}")
    if args.binding not in (None, DEFAULTS.binding) and not has_pag:
        raise OptionError(f"--binding {args.binding} needs a PAG; {remedy}")


def _start(path: Path, dataset: Dataset) -> LatentDag:
    """The model of a run on the same data."""
    from latconf_core.errors import OptionError
    from latconf_core.formats.run_folder import read_run

    result = read_run(path)
    if result.dataset_digest != dataset.digest:
        raise OptionError(f"{path} is a run on other data; give --start a run on this table")
    if result.best is None:
        raise OptionError(f"{path} has no model because no DAG was scored; give --start a run with a model")
    return result.best


def _options(args: argparse.Namespace) -> SearchOptions:
    common = replace(DEFAULTS, time_limit=args.time_limit, workers=args.workers, seed=args.seed)
    return read_search_options(args, common)


def _search(
    args: argparse.Namespace,
    dataset: Dataset,
    options: SearchOptions,
    control: RunControl,
    start: LatentDag | None,
    knowledge: Knowledge,
) -> SearchResult:
    from latconf_core.cli.terminal.bars import ProgressBar
    from latconf_core.cli.terminal.ready import get_ready
    from latconf_core.cli.terminal.search_bar import follow_with_bar
    from latconf_core.cluster.search_place import start_search_on

    with ProgressBar() as bar:
        bar.show(Progress(0, None, "preparing"))
        get_ready()  # before the clock of the search starts
        control = control.child()
        pag = _pag(args, dataset, control, bar, knowledge)
        if args.search == "auto" and options.time_limit is not None:  # it covers learning too
            options = replace(options, time_limit=max(options.time_limit - control.seconds(), LEAST_SECONDS))
        events = start_search_on(
            read_scheduler(args),
            dataset,
            pag,
            args.search,
            options=options,
            control=control,
            start=start,
            knowledge=knowledge,
        )
        return follow_with_bar(events, bar, quiet_seconds=0.2 if sys.stderr.isatty() else 10.0)


def _pag(
    args: argparse.Namespace, dataset: Dataset, control: RunControl, bar: ProgressBar, knowledge: Knowledge
) -> MixedGraph:
    from latconf_core.formats.graphs.registry import read_graph
    from latconf_core.graph.mixed import empty_graph
    from latconf_core.inference.completing.learned_rows import learn_from_rows
    from latconf_core.pag.events import PagLearned

    if args.pag is not None:
        return read_graph(args.pag, nodes=dataset.names)
    if args.learn is None:  # the search needs none
        return empty_graph(dataset.names)
    options = pag_preset(args.preset, args.learn)
    for event in learn_from_rows(dataset, options, knowledge=knowledge, control=control):
        if isinstance(event, Progress):
            bar.show(event)
        elif isinstance(event, PagLearned):
            return event.result.graph
    raise AssertionError("a learning run ends with its result")


def as_text(result: SearchResult) -> Iterator[str]:
    """What was found, in words."""
    from latconf_core.search.outcome.history import level_text
    from latconf_core.wording.evidence_texts import END_REASONS
    from latconf_core.wording.knowledge_sentences import exact_clause
    from latconf_core.wording.row_words import completion_sentences
    from latconf_core.wording.verdicts import verdict

    history = result.history
    levels = ", ".join(
        f"{count:,} with {level_text(level, history.level_name)}"
        for level, count in sorted(history.per_level().items())
    )
    scored = f"{len(result.history):,} DAGs scored ({levels})"
    yield f"{result.algorithm}: {scored} in {result.seconds:.1f} s, seed {result.seed}"
    yield from _seconds_apart(result)
    yield f"stopped: {END_REASONS[result.stop_reason]}"
    yield str(result.pag_handling)
    yield from (f"stopped early: {sentence}" for sentence in result.cuts)
    if result.best is None or result.score is None:
        yield "the search ended before it scored a DAG"
        return
    yield verdict(result).translate(PLAIN)
    yield f"best score {result.score:,.3f} ({_objective_text(result)})"
    for name, value in (("with", result.best_with_latents), ("without", result.best_without_latents)):
        yield f"  best {name} latents {'not visited' if value is None else f'{value:,.3f}'}"
    if result.reference_score is not None:
        proved = exact_clause(result)
        yield f"  best without hidden causes, ignoring the PAG {result.reference_score:,.3f}" + (
            f" ({proved})" if proved else ""
        )
    elif result.rival is not None:
        yield f"  best with edges instead of the latents {result.rival:,.3f}"
    yield from _model_text(result)
    if result.evidence and not result.best.latents:
        yield "the DAG above has no latents; those of the best DAG with latents:"
    for latent_evidence in result.evidence:
        yield from _evidence_text(latent_evidence)
    if result.other is not None:
        yield from _other_text(result, result.other)
    if result.posterior is not None:
        yield from (f"note: {sentence}" for sentence in result.posterior.warnings)
    if result.completion is not None:
        yield from (f"note: {sentence}" for sentence in completion_sentences(result.completion))


def _model_text(result: SearchResult) -> Iterator[str]:
    """Every arrow of the best DAG with what the data determine of it."""
    from latconf_core.wording.arrow_words import arrow_text, latent_reading_sentence, summary_sentence
    from latconf_core.wording.evidence_texts import latent_text

    dag_class = result.dag_class
    if dag_class is None:
        return
    latents = {latent.name for latent in dag_class.dag.latents}
    yield from (f"  {arrow_text(arrow)}" for arrow in dag_class.arrows if arrow.parent not in latents)
    for latent in dag_class.dag.latents:
        yield f"  {latent_text(latent, ' --> ')}"
        yield from (f"    {arrow_text(arrow)}" for arrow in dag_class.arrows if arrow.parent == latent.name)
        reading = latent_reading_sentence(dag_class, latent.name)
        if reading:
            yield f"    {reading}"
    yield from filter(None, [summary_sentence(dag_class.arrows)])


def _objective_text(result: SearchResult) -> str:
    objective = "a custom prior" if result.objective is None else f"objective {result.objective.name}"
    return f"{objective}; p-ELBO {result.p_elbo:,.3f}"


def _seconds_apart(result: SearchResult) -> Iterator[str]:
    apart = {"the best DAG without hidden causes": result.reference_seconds, "judging": result.evidence_seconds}
    said = [f"{what} {seconds:.1f} s" for what, seconds in apart.items() if seconds is not None]
    if said:
        yield f"also: {', '.join(said)}"


def _evidence_text(judged: LatentEvidence) -> Iterator[str]:
    from latconf_core.wording.evidence_texts import PAG_WORDS, further_warnings, latent_sentence

    groups = {
        words: ", ".join(f"{pair.first} - {pair.second}" for pair in judged.orientation if pair.verdict == verdict)
        for verdict, words in PAG_WORDS.items()
    }
    pairs = "; ".join(f"{words} {names}" for words, names in groups.items() if names)
    yield f"latent {judged.latent.name} ({judged.latent.n_states} states) of {', '.join(judged.latent.children)}"
    yield f"  {latent_sentence(judged)}".translate(PLAIN)
    yield f"  the PAG: {pairs or 'not asked'}"
    yield from (f"  note: {sentence}" for sentence in further_warnings(judged))


def _other_text(result: SearchResult, other: OtherSearch) -> Iterator[str]:
    """What another search found that was a part of this one."""
    from latconf_core.wording.evidence_texts import latents_text

    score = result.history[other.visit].p_elbo
    latents = latents_text(result.history.dag(other.visit)).replace("→", "-->")
    yield f"for comparison, {other.search} reached {score:,.3f} with latents: {latents}"
