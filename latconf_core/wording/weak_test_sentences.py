"""What is said of tests of little power that separated pairs of a PAG."""

from __future__ import annotations

from latconf_core.pag.weak_tests import DOUBTFUL, ROWS_PER_CELL, WeakTests
from latconf_core.phrases import counted, list_names

MOST_NAMED = 20  # pairs


def weak_tests_sentence(weak: WeakTests) -> str:
    """How many edges weak tests removed, and why they are weak; "" where none did."""
    if not weak.pairs:
        return ""
    low, high = DOUBTFUL
    removed = f"Weak tests removed {counted(len(weak.pairs), 'edge')}"
    kinds = (
        (len(weak.few_rows), f"with fewer than {ROWS_PER_CELL} rows per cell"),
        (len(weak.doubtful), f"with p between {low:g} and {high:g}"),
    )
    parts = [(n, what) for n, what in kinds if n]
    if len(parts) == 1:
        return f"{removed} ({parts[0][1]})."
    return f"{removed}: {list_names([f'{n:,} {what}' for n, what in parts])}."


def weak_pairs_text(weak: WeakTests) -> str:
    """The pairs by name, with what to make of them."""
    names = [f"{first} – {second}" for first, second in weak.pairs]
    return (
        f"An edge may be missing between {list_names(names, most=MOST_NAMED)}: the test had too few rows to find a "
        "weak dependence. The other marks depend on these edges, too."
    )
