"""`latconf score`: the p-ELBO of given DAGs with latents on given data."""

from __future__ import annotations

import argparse
import json
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from latconf_core.cli.terminal.arguments import add_table_options, load_data
from latconf_core.control import RunControl
from latconf_core.families.objectives import OBJECTIVES, objective_of
from latconf_core.options.scoring import Effort, PosteriorForm, Prior, VbemOptions

if TYPE_CHECKING:
    from latconf_core.dag.latent_dag import LatentDag
    from latconf_core.score.scorer import Score, Scorer

DEFAULTS = VbemOptions()
LONGEST_WAIT = 0.1  # seconds; a main thread that waits without a limit does not hear Ctrl-C on Windows


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "score",
        help="score DAGs with latents on data",
        description="Print the p-ELBO of each DAG with latents, in the order given. A DAG file is JSON with edges "
        "and latents, or any graph format that can hold latents.",
    )
    parser.add_argument("data", metavar="DATA", type=Path, help="table of discrete data")
    parser.add_argument("--dag", metavar="DAG", type=Path, nargs="+", required=True, help="DAGs to score")
    parser.add_argument(
        "--objective", choices=tuple(OBJECTIVES), help="named objective; default: paper (p-ELBO as published)"
    )
    parser.add_argument(
        "--prior", choices=get_args(Prior), help=f"a prior without penalties; default: {DEFAULTS.prior}"
    )
    parser.add_argument("--ess", type=float, default=DEFAULTS.ess, help="equivalent sample size (bdeu) or mass (flat)")
    parser.add_argument(
        "--posterior",
        choices=get_args(PosteriorForm),
        default=DEFAULTS.posterior,
        help="form of the latents' posterior; default: %(default)s",
    )
    parser.add_argument(
        "--effort",
        choices=get_args(Effort),
        default=DEFAULTS.effort,
        help="light: a looser lower bound in a fraction of the time; default: %(default)s",
    )
    parser.add_argument(
        "--restarts", metavar="N", type=int, default=DEFAULTS.restarts, help="random starts; default: %(default)s"
    )
    parser.add_argument("--seed", metavar="S", type=int, default=DEFAULTS.seed, help="default: %(default)s")
    parser.add_argument("--workers", metavar="N", type=int, default=1, help="DAGs scored at a time")
    add_table_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the scores."""
    from latconf_core.cli.terminal.ready import get_ready
    from latconf_core.errors import OptionError
    from latconf_core.formats.graphs.registry import read_dag
    from latconf_core.inference.completing.em_rounds import rows_to_score
    from latconf_core.score.scorer import Scorer

    if args.workers < 1:
        raise OptionError(f"workers is {args.workers}; it must be at least 1")
    options = _options(args)
    dataset = load_data(args.data, args)
    dags = [read_dag(path, nodes=dataset.names) for path in args.dag]
    stop = threading.Event()
    if not dataset.is_complete:
        print("some cells are missing: rows are completed with the best DAG without hidden causes", file=sys.stderr)
    dataset = rows_to_score(dataset, seed=args.seed)
    scorer = Scorer(dataset, options, control=RunControl(stop.is_set))
    for dag in dags:
        scorer.check(dag)
    get_ready()
    scores = _score_all(scorer, dags, args.workers, stop)
    print(
        json.dumps({"scores": [_as_json(*pair, options) for pair in zip(args.dag, scores)]})
        if args.json
        else _text(args.dag, scores)
    )
    return 0


def _options(args: argparse.Namespace) -> VbemOptions:
    """What is scored, and how."""
    from latconf_core.errors import OptionError

    if args.objective is not None and args.prior is not None:
        raise OptionError("--objective already sets a prior; omit --prior or --objective")
    options = VbemOptions(
        prior=args.prior or DEFAULTS.prior,
        ess=args.ess,
        posterior=args.posterior,
        effort=args.effort,
        restarts=args.restarts,
        seed=args.seed,
    )
    return options if args.objective is None else OBJECTIVES[args.objective].apply(options)


def _score_all(scorer: Scorer, dags: Sequence[LatentDag], workers: int, stop: threading.Event) -> list[Score]:
    """Each DAG scored as if it were the first, so that its seconds are its own."""
    if workers == 1:
        return [scorer.with_empty_cache().score(dag) for dag in dags]
    pool = ThreadPoolExecutor(workers)
    try:
        futures = [pool.submit(lambda dag: scorer.with_empty_cache().score(dag), dag) for dag in dags]
        return [_wait_for(future) for future in futures]
    except KeyboardInterrupt:
        stop.set()  # before the pool waits for its threads
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _wait_for(future: Future[Score]) -> Score:
    """What the thread computes; signals are heard between two waits."""
    while True:
        try:
            return future.result(timeout=LONGEST_WAIT)
        except TimeoutError:
            if future.done():  # the error is the thread's own
                raise


def _as_json(path: Path, score: Score, options: VbemOptions) -> dict[str, object]:
    objective = objective_of(options)
    content: dict[str, object] = {
        "dag": str(path),
        "objective": None if objective is None else objective.name,
        "score": score.score,
        "p_elbo": score.p_elbo,
        "elbo": score.elbo,
        "converged": score.converged,
        "iterations": score.iterations,
        "restarts": score.restarts,
        "seconds": score.seconds,
        "spread": score.spread,
    }
    return {**content, "note": score.note} if score.note else content


def _text(paths: Sequence[Path], scores: Sequence[Score]) -> str:
    width = max(len(path.name) for path in paths)
    lines = [f"{'DAG':<{width}}  {'score':>14}  {'p-ELBO':>14}  {'ELBO':>14}  iterations  milliseconds"]
    for path, score in zip(paths, scores):
        note = "" if score.converged else "  not converged"
        note += f"  {score.note}" if score.note else ""
        lines.append(
            f"{path.name:<{width}}  {score.score:14.4f}  {score.p_elbo:14.4f}  {score.elbo:14.4f}  "
            f"{score.iterations:10d}  {1000 * score.seconds:12.2f}{note}"
        )
    return "\n".join(lines)
