"""What a value says of itself in a notebook and in its JSON form; the package puts it into the port `descriptions`."""

from __future__ import annotations

from latconf_core.comparison.compare import PairComparison
from latconf_core.determined.arrows import Arrow
from latconf_core.search.outcome.result import SearchResult
from latconf_core.stability.stability_result import Stability
from latconf_core.wording.arrow_words import arrow_text
from latconf_core.wording.comparison_sentences import describe_pair
from latconf_core.wording.stability_words import headline
from latconf_core.wording.verdicts import verdict


def describe(value: object) -> str:
    """The verdict of a result, how two graphs differ, what was repeated for stability, an arrow with its kind."""
    match value:
        case SearchResult():
            return verdict(value)
        case PairComparison():
            return describe_pair(value)
        case Stability():
            return headline(value)
        case Arrow():
            return arrow_text(value)
    raise ValueError(f"{type(value).__name__} has no words")
