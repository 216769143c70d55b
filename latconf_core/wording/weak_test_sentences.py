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
    parts = []
    if weak.few_rows:
        parts.append(f"{len(weak.few_rows):,} with fewer than {ROWS_PER_CELL} rows per cell")
    if weak.doubtful:
        parts.append(f"{len(weak.doubtful):,} with p between {low:g} and {high:g}")
    return f"Weak tests removed {counted(len(weak.pairs), 'edge')}: {list_names(parts)}."


def weak_pairs_text(weak: WeakTests) -> str:
    """The pairs by name, with what to make of them."""
    names = [f"{first} – {second}" for first, second in weak.pairs]
    return (
        f"An edge may be missing between {list_names(names, most=MOST_NAMED)}: the test had too few rows to find a "
        "weak dependence. The other marks depend on these edges, too."
    )
