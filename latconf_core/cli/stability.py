"""`latconf stability`: learning and a search repeated on samples of the rows, and what comes back."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from latconf_core.cli.terminal.arguments import ExamplesFormatter, add_table_options, load_data, positive, seed
from latconf_core.cli.terminal.cluster_options import add_cluster_options, read_scheduler
from latconf_core.cli.terminal.interrupting import hear_signals
from latconf_core.cli.terminal.keeping import keep_result
from latconf_core.cli.terminal.knowledge_option import add_knowledge_option, read_knowledge_option
from latconf_core.cli.terminal.search_options import DEFAULTS, add_search_options, read_search_options, search_flags
from latconf_core.control import Progress, RunControl, StopReason
from latconf_core.errors import OptionError
from latconf_core.options.learning import PAG_PRESETS, pag_preset
from latconf_core.options.resampling import DEFAULT_SAMPLES, StabilityOptions
from latconf_core.search.catalogue import SEARCHES
from latconf_core.whole_folders import check_folder

if TYPE_CHECKING:
    from latconf_core.cluster.scheduler import Scheduler
    from latconf_core.data.dataset import Dataset
    from latconf_core.stability.shares import PairShare
    from latconf_core.stability.stability_result import Stability

DEFAULT_LEARNER = "gfci"
DEFAULT_SEARCH, NO_SEARCH = "hclc-v", "none"
SHOWN = 15  # rows of a table on a terminal
EXAMPLES = """examples:
  latconf stability data.csv --learn gfci --search hclc-v --workers 2
  latconf stability data.csv --learn fci --search none --samples 100 --bootstrap --out results
  latconf stability data.csv --pag pag.txt --search hclc-v --time-limit 600 --json"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "stability",
        help="measure stability: repeat learning and searching on resampled rows",
        description=(
            "Learn a PAG, search, or both, on samples of the rows, and report in how many samples each edge and "
            "each hidden cause is recovered. Ctrl-C keeps the finished samples and exits with 130."
        ),
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    parser.add_argument("data", type=Path, metavar="DATA", help="table of discrete data")
    _add_method(parser)
    parser.add_argument(
        "--samples", type=positive, default=DEFAULT_SAMPLES, metavar="N", help="how many (default: %(default)s)"
    )
    parser.add_argument(
        "--bootstrap",
        action="store_true",
        help=(
            "draw bootstrap samples (all rows, with replacement) instead of half samples; repeated rows can look "
            "like hidden causes"
        ),
    )
    parser.add_argument(
        "--time-limit", type=float, metavar="SECONDS", help="for all samples together (default: no limit)"
    )
    add_knowledge_option(parser)
    add_search_options(parser)
    parser.add_argument("--seed", type=seed, default=0, metavar="S", help="default: %(default)s")
    parser.add_argument(
        "--workers", type=positive, metavar="N", help="samples at a time, each in a process of its own (default: 1)"
    )
    add_cluster_options(parser)
    parser.add_argument("--out", type=Path, metavar="DIR", help="write stability.json and the tables as CSV here")
    add_table_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def _add_method(parser: argparse.ArgumentParser) -> None:
    from latconf_core.pag.learners.catalogue import LEARNERS

    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--pag", type=Path, metavar="PAG", help="search this PAG in every sample instead of learning one"
    )
    source.add_argument(
        "--learn",
        "--learner",
        choices=tuple(LEARNERS),
        metavar="METHOD",
        help=f"learn a PAG from each sample by this method: %(choices)s (default: {DEFAULT_LEARNER}, unless the search "
        "needs none)",
    )
    parser.add_argument("--preset", choices=tuple(PAG_PRESETS), default="default", help="settings of the learner")
    parser.add_argument(
        "--search",
        choices=(NO_SEARCH, *SEARCHES),
        default=DEFAULT_SEARCH,
        help=f"the search to repeat on each sample (default: %(default)s); {NO_SEARCH}: only learn PAGs",
    )


def run(args: argparse.Namespace) -> int:
    """Repeat, write what came of it, and say it."""
    options = _options(args)
    scheduler = read_scheduler(args)  # refused before the data are read
    if scheduler is not None and args.workers is not None:
        raise OptionError("--workers is for this computer and --scheduler for a cluster; give only one of them")
    if args.out:
        check_folder(args.out)
    dataset = load_data(args.data, args)
    with hear_signals() as stop:
        stability = _measure(args, dataset, options, RunControl(stop.is_set), scheduler)
        print(json.dumps(stability.to_json()) if args.json else "\n".join(as_text(stability)))
        if args.out:
            _keep(stability, args)
    return stop.exit_code if stability.stop_reason is StopReason.CANCELLED else 0


def _options(args: argparse.Namespace) -> StabilityOptions:
    search = None if args.search == NO_SEARCH else args.search
    learns = args.learn or (DEFAULT_LEARNER if args.pag is None and _needs_pag(search) else None)
    _check(args, search)
    return StabilityOptions(
        samples=args.samples,
        resampling="bootstrap" if args.bootstrap else "half",
        learner=None if learns is None else pag_preset(args.preset, learns),
        search=search,
        search_options=DEFAULTS if search is None else read_search_options(args, replace(DEFAULTS, seed=args.seed)),
        seed=args.seed,
        workers=args.workers or 1,
        time_limit=args.time_limit,
    )


def _needs_pag(search: str | None) -> bool:
    """Whether a PAG is learned unless the command says otherwise."""
    return search is None or SEARCHES[search].needs_pag


def _check(args: argparse.Namespace, search: str | None) -> None:
    """Refuse what would be passed over without a word."""
    if search is not None:
        return
    if args.pag is not None:
        raise OptionError("--pag needs a search; choose one with --search")
    for flag in search_flags():
        if getattr(args, flag.attribute, None) is not None:
            raise OptionError(f"{flag.flag} needs a search; choose one with --search, or omit it")


def _measure(
    args: argparse.Namespace,
    dataset: Dataset,
    options: StabilityOptions,
    control: RunControl,
    scheduler: Scheduler | None,
) -> Stability:
    from latconf_core.cli.terminal.bars import ProgressBar
    from latconf_core.cli.terminal.ready import get_ready
    from latconf_core.cli.terminal.stability_bar import follow_with_bar
    from latconf_core.formats.graphs.registry import read_graph
    from latconf_core.stability.cluster_samples import open_workers
    from latconf_core.stability.stability_run import start_stability

    knowledge = read_knowledge_option(args)
    pag = None if args.pag is None else read_graph(args.pag, nodes=dataset.names)
    with ProgressBar() as bar, open_workers(scheduler) as workers:
        bar.show(Progress(0, None, "preparing"))
        events = start_stability(dataset, options, pag=pag, knowledge=knowledge, control=control, workers=workers)
        if options.workers == 1 and scheduler is None:
            get_ready()
        return follow_with_bar(events, bar, options.workers)


def _keep(stability: Stability, args: argparse.Namespace) -> None:
    """Write everything as JSON and the tables as CSV."""
    from latconf_core.formats.stability_folder import STABILITY, stability_text, write_stability

    keep_result(
        lambda: write_stability(stability, args.out),
        args.out,
        rescue=lambda: {STABILITY: stability_text(stability)},
        is_quiet=args.json,
    )


def as_text(stability: Stability) -> Iterator[str]:
    """What was done, the least stable edges and all latents, and what it means, in lines."""
    from latconf_core.wording.stability_words import explanations, headline, remarks

    yield headline(stability)
    yield from (f"note: {sentence}" for sentence in remarks(stability))
    if not stability.n_samples:
        yield "no sample finished, so there is no result"
        return
    if stability.options.learner is not None:
        yield from _pairs_text("the PAG", stability.pag_pairs)
    if stability.options.search is not None:
        yield from _latents_text(stability)
        yield from _pairs_text("the model", stability.dag_pairs)
    yield ""
    yield from explanations(stability)


def _pairs_text(what: str, pairs: tuple[PairShare, ...]) -> Iterator[str]:
    from latconf_core.cli.terminal.text_table import align
    from latconf_core.wording.stability_tables import tabulate_pairs
    from latconf_core.wording.stability_words import least_stable

    yield ""
    if not pairs:
        yield f"edges of {what}: none, neither here nor in any sample"
        return
    shown = least_stable(pairs, SHOWN)
    rest = f", the {len(shown)} least stable" if len(pairs) > len(shown) else ", the least stable first"
    yield f"edges of {what}{rest} of {len(pairs):,} pairs adjacent here or in a sample"
    yield from align(tabulate_pairs(shown), left=("Edge", "In samples"))


def _latents_text(stability: Stability) -> Iterator[str]:
    from latconf_core.cli.terminal.text_table import align
    from latconf_core.wording.stability_tables import tabulate_latents

    shown = [*stability.latents, *stability.new_latents[: max(SHOWN - len(stability.latents), 0)]]
    yield ""
    if not shown:
        yield "hidden causes: none, neither here nor in any sample"
        return
    yield "hidden causes: those of the model, then the most frequent ones found only in samples"
    yield from align(tabulate_latents(shown), left=("Latent", "Children", "States"))
