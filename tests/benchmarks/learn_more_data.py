"""How long "More data" takes to fill its chart: Asia without smoke, 100 to 100,000 rows, every draw.

Run it as `python tests/benchmarks/learn_more_data.py`; the promise is 20 seconds, in the background.
"""

from __future__ import annotations

import time

from latconf_core.control import RunControl, StopRequested
from latconf_core.formats.examples import load_example
from latconf_core.options.learning import PagOptions
from latconf_core.pag.learners.catalogue import LEARNERS, warm_up
from latconf_core.teaching.sampled.more_data import MoreData, SizeLearned, learn_from_more_rows

MOST_SECONDS = 20.0


def measure(method: str) -> tuple[float, float]:
    """Seconds until the first result and until the last."""
    question = MoreData(load_example("asia"), ("smoke",), PagOptions(method=method))
    began, first = time.perf_counter(), 0.0
    for event in learn_from_more_rows(question, first=1_000):
        if isinstance(event, SizeLearned) and not first:
            first = time.perf_counter() - began
    return first, time.perf_counter() - began


def longest_gap() -> float:
    """The longest time between two looks at whether the run is to end."""
    last, gap = time.perf_counter(), 0.0

    def look() -> bool:
        nonlocal last, gap
        now = time.perf_counter()
        gap, last = max(gap, now - last), now
        return False

    question = MoreData(load_example("asia"), ("smoke",))
    try:
        for _ in learn_from_more_rows(question, control=RunControl(look)):
            pass
    except StopRequested:
        raise AssertionError("nobody stops it") from None
    return gap


def main() -> None:
    warm_up()
    for method, learner in LEARNERS.items():
        first, whole = measure(method)
        verdict = "kept" if whole <= MOST_SECONDS else "BROKEN"
        print(f"{learner.title:9} first result {first:5.2f} s, whole chart {whole:5.2f} s (promise {verdict})")
    print(f"longest gap between two checkpoints: {1000 * longest_gap():.0f} ms")


if __name__ == "__main__":
    main()
