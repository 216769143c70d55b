"""`latconf ask`: what a model says after seeing and setting states, and what to adjust for."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from latconf_core.cli.terminal.arguments import ExamplesFormatter, add_table_options, load_data, seed
from latconf_core.errors import OptionError

if TYPE_CHECKING:
    from latconf_core.dag.bayes_net import BayesNet
    from latconf_core.effects.class_range import AnswerRange
    from latconf_core.inference.adjustment import Adjustment
    from latconf_core.inference.contrast import Contrast

EXAMPLES = """examples:
  latconf ask asia --see dysp=yes
  latconf ask results/asia --see xray=yes --do smoke=no --json
  latconf ask results/asia --contrast lung=yes bronc
  latconf ask pag.txt --adjust smoke dysp
  latconf ask results/asia --effect lung=yes,no xray=yes --data asia.csv"""
DRAWS = 200
BAR = 20  # letters of the longest bar


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command to the command line."""
    parser = commands.add_parser(
        "ask",
        help="query a model: condition on states or intervene",
        description=(
            "Print the probabilities of every variable, hidden ones included, before and after conditioning on "
            "states (--see) or intervening (--do). An intervention cuts a variable off from its causes; "
            "conditioning happens after the cuts."
        ),
        epilog=EXAMPLES,
        formatter_class=ExamplesFormatter,
    )
    parser.add_argument(
        "model",
        metavar="MODEL",
        help="the folder of a run, a network (.bif, .xdsl, .net, .xmlbif, .json) or the name of an example; with "
        "--adjust alone also a PAG or DAG",
    )
    parser.add_argument("--see", metavar="X=a", nargs="+", action="extend", default=[], help="states to condition on")
    parser.add_argument(
        "--do", metavar="Y=b", nargs="+", action="extend", default=[], help="states to set by intervention"
    )
    parser.add_argument(
        "--contrast",
        metavar=("X=a", "Y"),
        nargs=2,
        help="compare observing X=a with setting it, for the effect Y, and show which paths cause the difference",
    )
    parser.add_argument(
        "--adjust",
        metavar=("X", "Y"),
        nargs=2,
        help="the adjustment sets of measured variables for the effect of X on Y",
    )
    parser.add_argument("--as", dest="view", choices=("dag", "pag"), help="for --adjust: read a graph file as this")
    parser.add_argument(
        "--effect",
        metavar=("X=a,b", "Y=c"),
        nargs=2,
        help=(
            "the effect of setting X to a rather than b on the probability of Y=c: in this DAG, over all equally "
            "good DAGs and over the PAG; whether measured variables identify it, and by which formula"
        ),
    )
    parser.add_argument("--data", type=Path, metavar="TABLE", help="for --effect: the rows to compute it from")
    parser.add_argument(
        "--draws",
        type=int,
        default=DRAWS,
        metavar="N",
        help="for --data: resampled tables for intervals (default: %(default)s; 0 for none)",
    )
    parser.add_argument(
        "--seed", type=seed, default=0, metavar="S", help="seed of the resampling (default: %(default)s)"
    )
    add_table_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Ask, and print the answers."""
    content: dict[str, Any] = {"model": args.model}
    texts: list[str] = []
    if args.data is not None and not args.effect:
        raise OptionError("--data is for --effect; name the effect by --effect X=a,b Y=c")
    if args.see or args.do or args.contrast or not (args.adjust or args.effect):
        _ask(args, content, texts)
    if args.effect:
        content["effect"] = _effect(args, texts)
    if args.adjust:
        content["adjustment"] = _adjust(args, texts)
    print(json.dumps(content) if args.json else "\n\n".join(texts))
    return 0


def _ask(args: argparse.Namespace, content: dict[str, Any], texts: list[str]) -> None:
    from latconf_core.effects.class_range import range_over_class
    from latconf_core.formats.asked_models import read_knowledge_of, read_model
    from latconf_core.inference.asking import InferenceEngine
    from latconf_core.inference.contrast import contrast
    from latconf_core.inference.question import parse_evidence
    from latconf_core.wording.effect_ranges import range_sentence

    network = read_model(args.model)
    engine = InferenceEngine(network)
    see, do = parse_evidence(args.see, network), parse_evidence(args.do, network)
    found_range = range_over_class(engine, see, do, knowledge=read_knowledge_of(args.model), seed=args.seed)
    content |= found_range.answer.to_json()
    if do:
        content["over_class"] = {**found_range.to_json(), "sentence": range_sentence(found_range)}
    texts.append("\n".join(_answer_text(found_range)))
    if args.contrast:
        pair, effect = args.contrast
        [cause] = parse_evidence([pair], network).items()
        change = contrast(engine, cause, effect, see=see, do=do)
        content["contrast"] = change.to_json()
        texts.append("\n".join(_contrast_text(change, network)))


def _effect(args: argparse.Namespace, texts: list[str]) -> dict[str, Any]:
    """Everything about one effect, with a bar while tables are drawn anew."""
    from latconf_core.effects.effect import answer_effect
    from latconf_core.effects.effect_question import parse_effect
    from latconf_core.formats.asked_models import read_knowledge_of, read_model
    from latconf_core.inference.asking import InferenceEngine
    from latconf_core.wording.effect_texts import effect_lines

    if args.draws < 0:
        raise OptionError(f"--draws is {args.draws}; give 0 or more")
    network = read_model(args.model)
    question = parse_effect(args.effect[0], args.effect[1], network)
    data = None if args.data is None else load_data(args.data, args)
    known = read_knowledge_of(args.model)
    answer = answer_effect(
        InferenceEngine(network), question, data=data, knowledge=known, n_draws=args.draws, seed=args.seed
    )
    lines = list(effect_lines(answer))
    title = f"{question.cause} = {question.first} versus {question.second}, and {question.effect} = {question.state}"
    texts.append("\n".join([title, *(f"{label}: {said}" for label, said in lines)]))
    return {**answer.to_json(), "sentences": [{"about": label, "sentence": said} for label, said in lines]}


def _adjust(args: argparse.Namespace, texts: list[str]) -> dict[str, Any]:
    from latconf_core.effects.routes import identify_effect
    from latconf_core.formats.asked_models import read_asked_graph
    from latconf_core.graph.mixed import MixedGraph
    from latconf_core.inference.adjustment_in_pag import adjust_in_pag
    from latconf_core.wording.adjustment_sentences import adjustment_sentences

    if args.view and (args.see or args.do or args.contrast or args.effect):
        raise OptionError("--as is only for --adjust: conditioning and interventions need a model with tables")
    graph = read_asked_graph(args.model, view=args.view)
    if isinstance(graph, MixedGraph):
        adjustment = adjust_in_pag(graph, *args.adjust)
        sentences, more = adjustment_sentences(adjustment), {}
    else:
        identified = identify_effect(graph, *args.adjust)
        adjustment = identified.adjustment
        sentences, more = adjustment_sentences(adjustment, identified), identified.to_json()
    texts.append("\n".join(_adjustment_text(adjustment, sentences)))
    return {**adjustment.to_json(), **more, "sentences": sentences}


def _answer_text(answer_range: AnswerRange) -> Iterator[str]:
    from latconf_core.wording.effect_ranges import range_sentence

    question, network = answer_range.answer.question, answer_range.answer.network
    if not question.is_empty:
        yield question.sentence
    if question.see:
        yield f"probability of the evidence: {answer_range.answer.probability:.6g}"
    rows = list(answer_range.answer.rows())
    width = max([len(_title(network, row[0])) for row in rows] + [len("variable")])
    states = max([len(row[1]) for row in rows] + [len("state")])
    has_range = bool(question.do) and not answer_range.is_same
    yield f"{'variable':<{width}}  {'state':<{states}}  before   after" + "   least  greatest" * has_range
    last = ""
    for name, state, before, after in rows:
        title = "" if name == last else _title(network, name)
        ends = "  {:6.4f}    {:6.4f}".format(*answer_range.of(name)[state]) if has_range else ""
        bar = "" if has_range else "█" * round(after * BAR)
        yield f"{title:<{width}}  {state:<{states}}  {before:6.4f}  {after:6.4f}{ends}  {bar}".rstrip()
        last = name
    if question.do:
        yield range_sentence(answer_range)


def _title(network: BayesNet, name: str) -> str:
    return f"{name} (hidden)" if name in network.latents else name


def _contrast_text(contrast: Contrast, network: BayesNet) -> Iterator[str]:
    from latconf_core.inference.asking import CAVEAT
    from latconf_core.inference.contrast import contrast_sentence, path_text

    width = max(len(state) for state in (contrast.effect, *contrast.states))
    yield f"{contrast.cause} = {contrast.state}, observed versus set"
    yield f"{contrast.effect:<{width}}  before     see      do"
    for state, *shares in zip(contrast.states, contrast.before, contrast.seen, contrast.set_to):
        yield f"{state:<{width}}  " + "  ".join(f"{share:6.4f}" for share in shares)
    yield contrast_sentence(contrast)
    yield from (f"  {path_text(network, path)}" for path in contrast.open_paths)
    yield CAVEAT


def _adjustment_text(adjustment: Adjustment, sentences: list[str]) -> Iterator[str]:
    from latconf_core.wording.adjustment_sentences import set_text

    yield f"{adjustment.cause} as a cause of {adjustment.effect}, by the {adjustment.kind}"
    yield sentences[0]
    if adjustment.is_cause:
        yield from (f"  {set_text(names)}" for names in adjustment.sets if names)
    yield from sentences[1:]
