"""The core of latconf, from tables to models: its rooms and their order are in README.md beside this file.

Knows nothing of Qt, matplotlib or pygraphviz. From data to a model: `load`, `learn`, `find_latents`, `score_dag`,
`ask`, `compare`, `measure_stability`, `write_report`, `save`; README.md has an example of each. A name imports what it
needs when it is used, so that importing this package costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from latconf_core.descriptions import word_by

if TYPE_CHECKING:
    from latconf_core.comparison.compare import PairComparison
    from latconf_core.control import RunControl
    from latconf_core.dag.bayes_net import BayesNet
    from latconf_core.dag.latent_dag import Latent, LatentDag
    from latconf_core.data.dataset import Dataset
    from latconf_core.data.sampling import sample
    from latconf_core.effects.class_range import AnswerRange
    from latconf_core.effects.effect import EffectAnswer
    from latconf_core.formats.examples import load_example
    from latconf_core.graph.mixed import MixedGraph
    from latconf_core.inference.asking import Answer
    from latconf_core.knowledge.knowledge import Knowledge
    from latconf_core.score.scorer import Score
    from latconf_core.search.outcome.result import SearchResult
    from latconf_core.stability.stability_result import Stability

__all__ = [
    "BayesNet",
    "Dataset",
    "Knowledge",
    "Latent",
    "LatentDag",
    "MixedGraph",
    "ask",
    "ask_range",
    "compare",
    "effect",
    "find_latents",
    "from_causal_learn",
    "from_pywhy_graphs",
    "learn",
    "load",
    "load_example",
    "measure_stability",
    "sample",
    "save",
    "score_dag",
    "to_causal_learn",
    "to_dowhy",
    "to_pywhy_graphs",
    "try_other_cuts",
    "write_report",
]


_HOMES = {
    "BayesNet": "dag.bayes_net",
    "Dataset": "data.dataset",
    "Knowledge": "knowledge.knowledge",
    "Latent": "dag.latent_dag",
    "LatentDag": "dag.latent_dag",
    "MixedGraph": "graph.mixed",
    "load_example": "formats.examples",
    "sample": "data.sampling",
}


def _describe(value: object) -> str:
    """The words of a value, by the room that stands above all values that have some."""
    from latconf_core.wording.described_values import describe

    return describe(value)


word_by(_describe)


def __getattr__(name: str) -> Any:
    """A name that lives in a room, imported when it is asked for."""
    if name in _HOMES:
        return getattr(import_module(f"latconf_core.{_HOMES[name]}"), name)
    raise AttributeError(f"latconf_core has no {name!r}")


def load(
    path: str | Path,
    *,
    missing: str | None = None,
    counts: str | None = None,
    ordered: Iterable[str] | Mapping[str, Sequence[str]] | None = None,
    discretise: Mapping[str, Sequence[Any]] | None = None,
) -> Dataset:
    """The data in a table file: CSV, TSV, ARFF, blank-separated text, Excel or Parquet.

    missing : "keep" missing cells, "drop" their rows, make them a "state", or fill in the "most-frequent" state; None
        keeps them
    counts : the column that says how often each row occurs; it is no variable
    ordered : columns whose states have an order: their names, or by name the states, lowest first
    discretise : by column of numbers a method and a number of intervals, such as ("equal width", 3), or cut points
    """
    from latconf_core.data.reading.frames import prepare_by
    from latconf_core.data.reading.load import load_dataset

    return load_dataset(path, preparation=prepare_by(missing, counts, ordered, discretise)).dataset


def learn(
    dataset: Dataset,
    method: str = "gfci",
    *,
    preset: str = "default",
    knowledge: Knowledge | None = None,
    **options: Any,
) -> MixedGraph:
    """A PAG learned from data by fci, rfci, cfci, mfci, gfci, boss-fci or miic.

    knowledge : what is known before any data: tiers, forbidden and required edges, exogenous variables, hidden causes
    options : those of PagOptions, such as alpha and max_conditioning
    """
    from latconf_core.inference.completing.learned_rows import learned_from_rows
    from latconf_core.knowledge.knowledge import NO_KNOWLEDGE
    from latconf_core.options.learning import pag_preset

    known = NO_KNOWLEDGE if knowledge is None else knowledge
    return learned_from_rows(dataset, replace(pag_preset(preset, method), **options), knowledge=known).graph


def find_latents(
    dataset: Dataset,
    pag: MixedGraph | None = None,
    algorithm: str = "auto",
    *,
    knowledge: Knowledge | None = None,
    control: RunControl | None = None,
    progress: bool = False,
    **options: Any,
) -> SearchResult:
    """The result of a search by its name: auto, ilc-v, hclc-v, refine and others of `latconf run --help`.

    pag : what ilc-v and hclc-v search; others need none, and ask one that is given what it says of their latents
    knowledge : what is known about causes before any data: no DAG that contradicts it is visited
    progress : whether a bar is shown, in a notebook below its cell, elsewhere on stderr
    options : those of SearchOptions, such as seed, workers and time_limit
    """
    from latconf_core.cli.terminal.search_bar import search_with_bar
    from latconf_core.errors import OptionError
    from latconf_core.graph.mixed import empty_graph
    from latconf_core.knowledge.knowledge import NO_KNOWLEDGE
    from latconf_core.options.searching import SearchOptions
    from latconf_core.search.catalogue import SEARCHES
    from latconf_core.search.runner import run_search

    if not isinstance(algorithm, str):
        raise OptionError(f"the search is {algorithm!r}; give its name, such as 'auto'")
    if pag is None and algorithm in SEARCHES and SEARCHES[algorithm].needs_pag:
        raise OptionError(f"{algorithm} searches a PAG; learn one by learn(data), or choose 'auto'")
    pag = empty_graph(dataset.names) if pag is None else pag
    search = search_with_bar if progress else run_search
    known = NO_KNOWLEDGE if knowledge is None else knowledge
    return search(dataset, pag, algorithm, options=SearchOptions(**options), control=control, knowledge=known)


def score_dag(dataset: Dataset, dag: LatentDag, **options: Any) -> Score:
    """The p-ELBO of a DAG with latents; `options` are those of VbemOptions, such as prior and seed.

    Where cells are missing, rows are completed by the best DAG without latents.
    """
    from latconf_core.inference.completing.em_rounds import rows_to_score
    from latconf_core.options.scoring import VbemOptions
    from latconf_core.score.scorer import Scorer

    return Scorer(rows_to_score(dataset), VbemOptions(**options)).score(dag)


def ask(
    model: SearchResult | BayesNet | str | Path,
    *,
    see: Mapping[str, str] | None = None,
    do: Mapping[str, str] | None = None,
) -> Answer:
    """The exact probabilities of every variable after seeing and setting states: `ask(result, see={"xray": "yes"})`.

    The model is a result of `find_latents`, a network, or where one lies: the folder of a run, a file, an example.
    Results and networks have it as a method, too: `result.ask(see={"xray": "yes"})`.
    """
    from latconf_core.formats.asked_models import read_model

    asked = read_model(model) if isinstance(model, str | Path) else model
    return asked.ask(see=see, do=do)


def _asked_with_knowledge(model: SearchResult | BayesNet | str | Path) -> tuple[BayesNet, Knowledge]:
    """The network of a model, and what the user said about causes when it was searched."""
    from latconf_core.dag.bayes_net import BayesNet
    from latconf_core.formats.asked_models import read_knowledge_of, read_model
    from latconf_core.knowledge.knowledge import NO_KNOWLEDGE

    if isinstance(model, str | Path):
        return read_model(model), read_knowledge_of(model)
    if isinstance(model, BayesNet):
        return model, NO_KNOWLEDGE
    return model.network(), NO_KNOWLEDGE if model.dag_class is None else model.dag_class.knowledge


def effect(
    model: SearchResult | BayesNet | str | Path,
    cause: str,
    effect: str,
    *,
    data: Dataset | None = None,
    draws: int = 200,
    seed: int = 0,
    control: RunControl | None = None,
) -> EffectAnswer:
    """What setting a cause to one state against another does: `effect(result, "smoke=yes,no", "lung=yes", data=data)`.

    The answer of this DAG with its range over all DAGs that fit as well and over the PAG; whether measured variables
    suffice and by which formula; with data its value, what has no rows, and intervals from tables drawn anew.
    """
    from latconf_core.effects.effect import answer_effect
    from latconf_core.effects.effect_question import parse_effect
    from latconf_core.inference.asking import InferenceEngine

    network, known = _asked_with_knowledge(model)
    question = parse_effect(cause, effect, network)
    return answer_effect(
        InferenceEngine(network), question, data=data, knowledge=known, n_draws=draws, seed=seed, control=control
    )


def ask_range(
    model: SearchResult | BayesNet | str | Path,
    *,
    see: Mapping[str, str] | None = None,
    do: Mapping[str, str] | None = None,
    seed: int = 0,
) -> AnswerRange:
    """The answer of `ask` with the least and the greatest probability of each state over all DAGs that fit as well."""
    from latconf_core.effects.class_range import range_over_class
    from latconf_core.inference.asking import InferenceEngine

    network, known = _asked_with_knowledge(model)
    return range_over_class(InferenceEngine(network), see or {}, do or {}, knowledge=known, seed=seed)


def compare(
    *graphs: MixedGraph | LatentDag,
    data: Dataset | None = None,
    truth: MixedGraph | LatentDag | None = None,
    names: Sequence[str] = (),
) -> tuple[PairComparison, ...]:
    """Each graph after the first against the first, or each against the truth; with data also what it is worth."""
    from latconf_core.comparison.compare import compare_all
    from latconf_core.comparison.subject import Subject
    from latconf_core.families.objectives import JUDGING
    from latconf_core.inference.completing.em_rounds import rows_to_score
    from latconf_core.options.scoring import VbemOptions
    from latconf_core.score.scorer import Scorer

    called = [*names, *(chr(ord("A") + k) for k in range(len(names), len(graphs)))]
    subjects = [Subject(name, graph) for name, graph in zip(called, graphs)]
    scorer = None if data is None else Scorer(rows_to_score(data), JUDGING.apply(VbemOptions()))
    return compare_all(subjects, truth=None if truth is None else Subject("the truth", truth), scorer=scorer)


def write_report(
    result: SearchResult,
    path: str | Path,
    *,
    data: Dataset | None = None,
    title: str = "",
    stability: Stability | None = None,
) -> None:
    """Write everything about a result as one HTML file, with pictures where latconf_gui is installed.

    stability : of `measure_stability` on the same data
    """
    from latconf_core.pictures import find_painter
    from latconf_core.report.contents import DataSummary, ReportContents
    from latconf_core.report.render import write_report as write
    from latconf_core.search.catalogue import search_title

    contents = ReportContents(
        result,
        title=title or search_title(result.algorithm),
        data=None if data is None else DataSummary.of(data),
        network=None if result.posterior is None else result.posterior.network(),
        stability=stability,
    )
    write(contents, path, painter=find_painter())


def measure_stability(
    dataset: Dataset,
    learner: str | None = "gfci",
    search: str | None = "hclc-v",
    *,
    pag: MixedGraph | None = None,
    result: SearchResult | None = None,
    knowledge: Knowledge | None = None,
    samples: int = 50,
    bootstrap: bool = False,
    preset: str = "default",
    seed: int = 0,
    workers: int = 1,
    time_limit: float | None = None,
    control: RunControl | None = None,
    progress: bool = False,
    **options: Any,
) -> Stability:
    """How often each edge and each hidden cause comes back when the rows are drawn anew.

    learner : learns a PAG from each sample; None where the search needs none
    search : the search made on each sample; None to learn PAGs alone
    pag : what every search keeps to, instead of a PAG learned from each sample
    result : a result on the same data whose latents are looked for; without one, the data are searched too
    knowledge : what is known about causes; that of the result where none is given
    bootstrap : as many rows as there are with replacement, instead of half of them without; repeated rows can look like
        hidden causes
    workers : processes; the shares do not depend on them
    options : of the search, as of `find_latents`
    """
    from latconf_core.cli.terminal.stability_bar import follow_stability
    from latconf_core.knowledge.knowledge import NO_KNOWLEDGE
    from latconf_core.options.learning import pag_preset
    from latconf_core.options.resampling import StabilityOptions
    from latconf_core.options.searching import SearchOptions
    from latconf_core.stability.stability_run import start_stability, whole_of

    asked = StabilityOptions(
        samples=samples,
        resampling="bootstrap" if bootstrap else "half",
        learner=None if learner is None or pag is not None else pag_preset(preset, learner),
        search=search,
        search_options=SearchOptions(**options),
        seed=seed,
        workers=workers,
        time_limit=time_limit,
    )
    whole = None if result is None else whole_of(result, dataset)
    known = knowledge if knowledge is not None else NO_KNOWLEDGE if result is None else result.knowledge
    events = start_stability(dataset, asked, pag=pag, whole=whole, knowledge=known, control=control)
    return follow_stability(events, workers, shown=progress)


def try_other_cuts(
    result: SearchResult,
    path: str | Path,
    *,
    discretise: Mapping[str, Sequence[Any]],
    missing: str | None = None,
    counts: str | None = None,
    ordered: Iterable[str] | Mapping[str, Sequence[str]] | None = None,
    learner: str | None = None,
    preset: str = "default",
    workers: int = 1,
    control: RunControl | None = None,
) -> SearchResult:
    """The result with what the same search finds where columns of numbers are cut elsewhere, in its `other_cuts`.

    path, discretise, missing, counts, ordered : of the table that was searched, as `load` got them
    learner : learns a PAG from each cutting; None where the search keeps to the PAG of the result, or needs none
    workers : processes; what is found does not depend on them
    """
    from latconf_core.data.preparing.other_cuttings import other_cuttings
    from latconf_core.data.reading.frames import prepare_by
    from latconf_core.data.reading.load import read_table
    from latconf_core.options.learning import pag_preset
    from latconf_core.stability.other_cuts import cut_and_search

    raw, preparation = read_table(path), prepare_by(missing, counts, ordered, discretise)
    learned = None if learner is None else pag_preset(preset, learner)
    pag = result.pag if learner is None and result.pag.n_edges else None
    cuttings = other_cuttings(raw, preparation, result.dataset_digest, control=control)
    return cut_and_search(result, cuttings, pag=pag, learner=learned, control=control, n_workers=workers)


def to_causal_learn(graph: MixedGraph) -> Any:
    """A PAG, MAG or DAG as a GeneralGraph of causal-learn."""
    from latconf_core.formats.graphs import causal_learn

    return causal_learn.to_causal_learn(graph)


def from_causal_learn(graph: Any) -> MixedGraph:
    """The graph of a GeneralGraph of causal-learn, such as its FCI returns first."""
    from latconf_core.formats.graphs import causal_learn

    return causal_learn.from_causal_learn(graph)


def to_dowhy(model: SearchResult | LatentDag) -> Any:
    """The networkx graph that `CausalModel(data, treatment, outcome, graph=…)` of DoWhy takes.

    Hidden causes are nodes of it that the data do not observe.
    """
    from latconf_core.dag.latent_dag import LatentDag
    from latconf_core.errors import GraphError
    from latconf_core.formats.graphs import other_libraries

    dag = model if isinstance(model, LatentDag) else model.best
    if dag is None:
        raise GraphError("the search was stopped before it scored a model; there is no DAG to hand over")
    return other_libraries.to_dowhy(dag)


def to_pywhy_graphs(graph: MixedGraph) -> Any:
    """A PAG or MAG as a PAG of pywhy-graphs."""
    from latconf_core.formats.graphs import other_libraries

    return other_libraries.to_pywhy_graphs(graph)


def from_pywhy_graphs(graph: Any) -> MixedGraph:
    """The graph of a PAG of pywhy-graphs."""
    from latconf_core.formats.graphs import other_libraries

    return other_libraries.from_pywhy_graphs(graph)


def save(result: SearchResult, folder: str | Path) -> tuple[str, ...]:
    """Write the model as JSON and BIF, the history and the result into a folder; the names of the files."""
    from latconf_core.formats.run_folder import write_run

    return write_run(result, folder)
