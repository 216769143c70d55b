"""`latconf run`: search for hidden common causes, from data and a PAG to a model."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from latconf_core.cli.arguments import ExamplesFormatter, add_table_options, load_data, natural, positive, seed
from latconf_core.cli.interrupting import hear_signals
from latconf_core.control import Progress, RunControl, StopReason, StopRequested
from latconf_core.options.learning import PAG_PRESETS, pag_preset
from latconf_core.options.scoring import Effort
from latconf_core.options.searching import Binding, InvalidPag, SearchOptions
from latconf_core.search.methods import DEFAULT_SEARCH, SEARCHES

if TYPE_CHECKING:
    from latconf_core.cli.progress import ProgressBar
    from latconf_core.dag.latent_dag import LatentDag
    from latconf_core.data.dataset import Dataset
    from latconf_core.graph.mixed import MixedGraph
    from latconf_core.search.outcome.evidence import LatentEvidence
    from latconf_core.search.outcome.reference import OtherSearch
    from latconf_core.search.outcome.result import SearchResult

DEFAULTS = SearchOptions()
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
        description="Search the DAGs with latents that a PAG allows for the one that explains the data best. "
        "Ctrl-C ends the search, writes the best so far and exits with 130.",
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    parser.add_argument("data", type=Path, metavar="DATA", help="table of discrete data")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--pag", type=Path, metavar="PAG", help="the PAG to search, in any graph format")
    source.add_argument(
        "--learn", choices=tuple(LEARNERS), metavar="METHOD", help="learn the PAG by this method: %(choices)s"
    )
    parser.add_argument("--preset", choices=tuple(PAG_PRESETS), default="default", help="settings of the learner")
    said = " ".join(f"{name}: {method.description}" for name, method in SEARCHES.items())
    parser.add_argument(
        "--search", choices=tuple(SEARCHES), default=DEFAULT_SEARCH, help=f"{said} Default: %(default)s"
    )
    _add_limits(parser)
    _add_beyond_the_paper(parser)
    parser.add_argument("--seed", type=seed, default=DEFAULTS.seed, metavar="S", help="default: %(default)s")
    parser.add_argument("--workers", type=positive, default=DEFAULTS.workers, metavar="N", help="threads that score")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write the model, the history and pictures here")
    add_table_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--max-bidirected",
        type=natural,
        default=DEFAULTS.max_bidirected,
        metavar="M",
        help="most bidirected edges (default: %(default)s)",
    )
    parser.add_argument(
        "--max-states", type=positive, metavar="S", help="most states of a latent (default: as in data)"
    )
    parser.add_argument(
        "--max-candidates",
        type=positive,
        default=DEFAULTS.max_candidates,
        metavar="N",
        help="most DAGs of a level (default: %(default)s)",
    )
    parser.add_argument(
        "--time-limit", type=float, default=DEFAULTS.time_limit, metavar="SECONDS", help="default: 12 h"
    )
    parser.add_argument(
        "--invalid-pag",
        choices=get_args(InvalidPag),
        default=DEFAULTS.invalid_pag,
        help="what to do with a graph that is no valid PAG (default: %(default)s)",
    )
    parser.add_argument(
        "--effort",
        choices=get_args(Effort),
        default=DEFAULTS.effort,
        help="light: look at every DAG, and fit those fully that may matter; full: fit every DAG fully, which takes "
        "longer (default: %(default)s)",
    )


def _add_beyond_the_paper(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--levels-without-gain",
        type=positive,
        default=DEFAULTS.levels_without_gain,
        metavar="N",
        help="ilc-v: levels that are no better until it ends (default: %(default)s, the paper's)",
    )
    parser.add_argument(
        "--cliques", action="store_true", help="ilc-v: try a hidden cause of each clique of the PAG besides"
    )
    parser.add_argument(
        "--start", type=Path, metavar="RESULT", help="refine: start from this run folder or result.json too"
    )
    parser.add_argument(
        "--binding",
        choices=get_args(Binding),
        default=DEFAULTS.binding,
        help="refine: keep to the adjacencies of the PAG, or to its marks (default: %(default)s)",
    )


def run(args: argparse.Namespace) -> int:
    """Search, write what was found, and say it."""
    from latconf_core.formats.run_folder import write_run

    options = _options(args)
    _check(args)
    dataset = load_data(args.data, args)
    start = None if args.start is None else _start(args.start, dataset)
    with hear_signals() as stop:
        try:
            result = _search(args, dataset, options, RunControl(stop.is_set), start)
        except StopRequested:
            return stop.exit_code
    written = write_run(result, args.out, painter=args.painter) if args.out else ()
    if args.json:
        print(json.dumps(result.to_json()))
    else:
        print("\n".join(as_text(result)))
        if written:
            print(f"written to {args.out}: {', '.join(written)}")
    return stop.exit_code if result.stop_reason is StopReason.CANCELLED else 0


def _check(args: argparse.Namespace) -> None:
    """Refuse what does not go together."""
    from latconf_core.errors import OptionError

    remedy = "give one by --pag FILE, or learn one by --learn METHOD"
    method, has_pag = SEARCHES[args.search], args.pag is not None or args.learn is not None
    for option, field, is_given in (
        ("--start", "start", args.start is not None),
        ("--binding", "binding", args.binding != DEFAULTS.binding),
        ("--levels-without-gain", "levels_without_gain", args.levels_without_gain != DEFAULTS.levels_without_gain),
        ("--cliques", "tries_cliques", args.cliques),
    ):
        if is_given and field not in method.options:
            own = ", ".join(name for name, one in SEARCHES.items() if field in one.options)
            raise OptionError(f"{option} is for --search {own}, not for {args.search}; leave it out, or choose {own}")
    if method.needs_pag and not has_pag:
        raise OptionError(f"{args.search} searches a PAG; {remedy}")
    if args.binding != DEFAULTS.binding and not has_pag:
        raise OptionError(f"--binding {args.binding} keeps to a PAG; {remedy}")


def _start(place: Path, dataset: Dataset) -> LatentDag:
    """The model of a run on the same data."""
    from latconf_core.errors import OptionError
    from latconf_core.formats.run_folder import read_run

    result = read_run(place)
    if result.dataset_digest != dataset.digest:
        raise OptionError(f"{place} was run on other data; give --start a run on the table that is searched now")
    if result.best is None:
        raise OptionError(f"{place} has no model, because nothing was scored; give --start a run that has one")
    return result.best


def _options(args: argparse.Namespace) -> SearchOptions:
    return SearchOptions(
        max_bidirected=args.max_bidirected,
        max_states=args.max_states,
        time_limit=args.time_limit,
        max_candidates=args.max_candidates,
        levels_without_gain=args.levels_without_gain,
        tries_cliques=args.cliques,
        binding=args.binding,
        invalid_pag=args.invalid_pag,
        effort=args.effort,
        workers=args.workers,
        seed=args.seed,
    )


def _search(
    args: argparse.Namespace,
    dataset: Dataset,
    options: SearchOptions,
    control: RunControl,
    start: LatentDag | None,
) -> SearchResult:
    from latconf_core.cli.progress import ProgressBar
    from latconf_core.cli.ready import get_ready
    from latconf_core.cli.search_bar import follow_with_bar
    from latconf_core.search.catalogue import start_search

    with ProgressBar() as bar:
        bar.show(Progress(0, None, "preparing"))
        get_ready()  # before the clock of the search starts
        control = control.child()
        pag = _pag(args, dataset, control, bar)
        if args.search == "auto" and options.time_limit is not None:  # it covers learning too
            options = replace(options, time_limit=max(options.time_limit - control.seconds(), LEAST_SECONDS))
        events = start_search(dataset, pag, args.search, options=options, control=control, start=start)
        return follow_with_bar(events, bar, quiet_seconds=0.2 if sys.stderr.isatty() else 10.0)


def _pag(args: argparse.Namespace, dataset: Dataset, control: RunControl, bar: ProgressBar) -> MixedGraph:
    from latconf_core.formats.graphs.registry import read_graph
    from latconf_core.graph.mixed import empty_graph
    from latconf_core.pag.events import PagLearned
    from latconf_core.pag.learners.catalogue import learn_pag

    if args.pag is not None:
        return read_graph(args.pag, nodes=dataset.names)
    if args.learn is None:  # the search needs none
        return empty_graph(dataset.names)
    for event in learn_pag(dataset, pag_preset(args.preset, args.learn), control=control):
        if isinstance(event, Progress):
            bar.show(event)
        elif isinstance(event, PagLearned):
            return event.result.graph
    raise AssertionError("a learning run ends with its result")


def as_text(result: SearchResult) -> Iterator[str]:
    """What was found, in words."""
    from latconf_core.search.outcome.history import level_text
    from latconf_core.search.outcome.verdict import verdict
    from latconf_core.search.outcome.wording import END_REASONS

    history = result.history
    levels = ", ".join(
        f"{count:,} with {level_text(level, history.level_name)}"
        for level, count in sorted(history.per_level().items())
    )
    scored = f"{len(result.history):,} DAGs scored ({levels})"
    yield f"{result.algorithm}: {scored} in {result.seconds:.1f} s, seed {result.seed}"
    yield from _seconds_apart(result)
    yield f"ended because {END_REASONS[result.stop_reason]}"
    yield str(result.pag_handling)
    yield from (f"cut short: {sentence}" for sentence in result.cuts)
    if result.best is None or result.p_elbo is None:
        yield "nothing was scored before the end"
        return
    yield verdict(result).translate(PLAIN)
    yield f"best p-ELBO {result.p_elbo:,.3f}"
    for name, value in (("with", result.best_with_latents), ("without", result.best_without_latents)):
        yield f"  best {name} latents {'not visited' if value is None else f'{value:,.3f}'}"
    if result.reference is not None:
        yield f"  best without hidden causes, whatever the PAG says {result.reference.p_elbo:,.3f}"
    elif result.rival is not None:
        yield f"  edges instead of the latents {result.rival:,.3f}"
    yield from (f"  {parent} --> {child}" for parent, child in result.best.edges)
    for latent in result.best.latents:
        yield f"  {latent.name} ({latent.n_states} states) --> {', '.join(latent.children)}"
    if result.evidence and not result.best.latents:
        yield "the DAG above has no latents; those of the best DAG that has any:"
    for one in result.evidence:
        yield from _evidence_text(one)
    if result.other is not None:
        yield from _other_text(result, result.other)
    if result.posterior is not None:
        yield from (f"note: {sentence}" for sentence in result.posterior.warnings)


def _seconds_apart(result: SearchResult) -> Iterator[str]:
    apart = {"the best DAG without hidden causes": result.reference_seconds, "judging": result.evidence_seconds}
    said = [f"{what} {seconds:.1f} s" for what, seconds in apart.items() if seconds is not None]
    if said:
        yield f"besides: {', '.join(said)}"


def _evidence_text(one: LatentEvidence) -> Iterator[str]:
    from latconf_core.search.outcome.wording import latent_sentence, warning_sentences

    pairs = ", ".join(f"{pair.first} - {pair.second} {pair.verdict}" for pair in one.orientation)
    yield f"latent {one.latent.name} ({one.latent.n_states} states) of {', '.join(one.latent.children)}"
    yield f"  {latent_sentence(one)}".translate(PLAIN)
    yield f"  the PAG: {pairs or 'not asked'}"
    yield from (f"  note: {sentence}" for sentence in warning_sentences(one))


def _other_text(result: SearchResult, other: OtherSearch) -> Iterator[str]:
    """What another search found that was a part of this one."""
    from latconf_core.search.outcome.wording import latents_text

    score = result.history[other.visit].p_elbo
    found = latents_text(result.history.dag(other.visit)).replace("→", "-->")
    yield f"beside it, {other.search} reached {score:,.3f} with latents: {found}"
