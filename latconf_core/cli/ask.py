"""`latconf ask`: what a model says after seeing and setting states, and what to adjust for."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from latconf_core.cli.terminal.arguments import ExamplesFormatter
from latconf_core.errors import OptionError

if TYPE_CHECKING:
    from latconf_core.dag.bayes_net import BayesNet
    from latconf_core.inference.adjustment import Adjustment
    from latconf_core.inference.asking import Answer
    from latconf_core.inference.contrast import Contrast

EXAMPLES = """examples:
  latconf ask asia --see dysp=yes
  latconf ask results/asia --see xray=yes --do smoke=no --json
  latconf ask results/asia --contrast lung=yes bronc
  latconf ask pag.txt --adjust smoke dysp"""
BAR = 20  # letters of the longest bar


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "ask",
        help="ask a model what seeing or setting a state tells",
        description="Print the probabilities of every variable, hidden ones included, before and after some states "
        "are seen (--see) or set (--do). What is set is cut off from its causes; what is seen is seen after the cuts.",
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    parser.add_argument(
        "model",
        metavar="MODEL",
        help="the folder of a run, a network (.bif, .xdsl, .net, .xmlbif, .json) or the name of an example; with "
        "--adjust alone also a PAG or DAG",
    )
    parser.add_argument("--see", metavar="X=a", nargs="+", action="extend", default=[], help="states that are seen")
    parser.add_argument("--do", metavar="Y=b", nargs="+", action="extend", default=[], help="states that are set")
    parser.add_argument(
        "--contrast",
        metavar=("X=a", "Y"),
        nargs=2,
        help="seeing X=a against setting it, for the effect Y, and where the difference comes from",
    )
    parser.add_argument(
        "--adjust",
        metavar=("X", "Y"),
        nargs=2,
        help="the sets of measured variables to hold fixed so that seeing X tells what setting it does to Y",
    )
    parser.add_argument("--as", dest="view", choices=("dag", "pag"), help="for --adjust: read a graph file as this")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Ask, and print the answers."""
    content: dict[str, Any] = {"model": args.model}
    texts: list[str] = []
    wants_tables = bool(args.see or args.do or args.contrast or not args.adjust)
    if wants_tables:
        _ask(args, content, texts)
    if args.adjust:
        from latconf_core.wording.adjustment_sentences import adjustment_sentences

        found = _adjust(args)
        content["adjustment"] = {**found.to_json(), "sentences": adjustment_sentences(found)}
        texts.append("\n".join(_adjustment_text(found)))
    print(json.dumps(content) if args.json else "\n\n".join(texts))
    return 0


def _ask(args: argparse.Namespace, content: dict[str, Any], texts: list[str]) -> None:
    from latconf_core.formats.asked_models import read_model
    from latconf_core.inference.asking import InferenceEngine
    from latconf_core.inference.contrast import contrast
    from latconf_core.inference.question import parse_evidence

    network = read_model(args.model)
    engine = InferenceEngine(network)
    see, do = parse_evidence(args.see, network), parse_evidence(args.do, network)
    answer = engine.ask(see, do)
    content |= answer.to_json()
    texts.append("\n".join(_answer_text(answer)))
    if args.contrast:
        pair, effect = args.contrast
        [cause] = parse_evidence([pair], network).items()
        found = contrast(engine, cause, effect, see=see, do=do)
        content["contrast"] = found.to_json()
        texts.append("\n".join(_contrast_text(found, network)))


def _adjust(args: argparse.Namespace) -> Adjustment:
    from latconf_core.formats.asked_models import read_asked_graph
    from latconf_core.graph.mixed import MixedGraph
    from latconf_core.inference.adjustment import adjust_in_dag
    from latconf_core.inference.adjustment_in_pag import adjust_in_pag

    if args.view and (args.see or args.do or args.contrast):
        raise OptionError("--as is for --adjust alone: what is seen or set is asked of a model with tables")
    graph = read_asked_graph(args.model, view=args.view)
    if isinstance(graph, MixedGraph):
        return adjust_in_pag(graph, *args.adjust)
    return adjust_in_dag(graph, *args.adjust)


def _answer_text(answer: Answer) -> Iterator[str]:
    from latconf_core.inference.asking import CAVEAT

    question, network = answer.question, answer.network
    if not question.is_empty:
        yield question.sentence
    if question.see:
        yield f"probability of what was seen: {answer.probability:.6g}"
    rows = list(answer.rows())
    width = max([len(_title(network, row[0])) for row in rows] + [len("variable")])
    states = max([len(row[1]) for row in rows] + [len("state")])
    yield f"{'variable':<{width}}  {'state':<{states}}  before   after"
    last = ""
    for name, state, before, after in rows:
        title = "" if name == last else _title(network, name)
        bar = "█" * round(after * BAR)
        yield f"{title:<{width}}  {state:<{states}}  {before:6.4f}  {after:6.4f}  {bar}".rstrip()
        last = name
    if question.do:
        yield CAVEAT


def _title(network: BayesNet, name: str) -> str:
    return f"{name} (hidden)" if name in network.latents else name


def _contrast_text(found: Contrast, network: BayesNet) -> Iterator[str]:
    from latconf_core.inference.asking import CAVEAT
    from latconf_core.inference.contrast import contrast_sentence, path_text

    width = max(len(state) for state in (found.effect, *found.states))
    yield f"{found.cause} = {found.state}, seen against set"
    yield f"{found.effect:<{width}}  before     see      do"
    for state, *shares in zip(found.states, found.before, found.seen, found.set_to):
        yield f"{state:<{width}}  " + "  ".join(f"{share:6.4f}" for share in shares)
    yield contrast_sentence(found)
    yield from (f"  {path_text(network, path)}" for path in found.open_paths)
    yield CAVEAT


def _adjustment_text(found: Adjustment) -> Iterator[str]:
    from latconf_core.wording.adjustment_sentences import adjustment_sentences, set_text

    yield f"{found.cause} as a cause of {found.effect}, by the {found.kind}"
    sentences = adjustment_sentences(found)
    yield sentences[0]
    if found.is_cause:
        yield from (f"  {set_text(own)}" for own in found.sets if own)
    yield from sentences[1:]
