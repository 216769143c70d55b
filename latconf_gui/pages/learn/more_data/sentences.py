"""What "More data" says about errors and luck."""

from __future__ import annotations

from collections.abc import Sequence

from latconf_core.phrases import counted, list_names
from latconf_core.teaching.sampled.more_data import Errors, Luck

INTRODUCTION = (
    "Rows are drawn from a known network, some variables are hidden, and a learner uses the rest. With few "
    "rows it misses much; with more rows the learned PAG approaches the true one. Move the sliders and watch."
)
HOW_TO_READ = (
    "Thin and grey: right. Blue and dashed (A): only in the true PAG, so the learner missed it. Orange (B): "
    "only in the learned PAG, so it is wrong. Faint: differs between draws, so chance plays a part."
)
TO_TRY = (
    "Try this: with 100 rows, does a larger alpha bring back edges that are missed? With 100,000 rows, does "
    "a smaller alpha cost anything? Which errors remain with any number of rows?"
)
WHY_SOME_STAY = (
    "More rows do not remove every error. In Asia, either is yes exactly when tub or lung is. Given those "
    "two, nothing depends on either, so its edges to xray and dysp are always missed: faithfulness fails."
)
TOO_FEW = "Leave at least two variables visible."


def error_sentence(title: str, n_rows: int, errors: Errors) -> str:
    """How far a learned PAG is from the true one."""
    rows = counted(n_rows, "row")
    if not errors.total:
        return f"From {rows}, {title} finds the true PAG without an error."
    parts = [f"{counted(errors.missing, 'edge')} missed"] if errors.missing else []
    parts += [f"{counted(errors.extra, 'extra edge')}"] if errors.extra else []
    parts += [f"{counted(errors.other_marks, 'edge')} with a wrong mark"] if errors.other_marks else []
    return f"From {rows}, {title} makes {counted(errors.total, 'error')}: {list_names(parts)}."


def luck_sentence(n_rows: int, errors: Sequence[Errors], luck: Luck, *, n_draws: int) -> str:
    """What other draws of as many rows say."""
    if len(errors) < 2:
        return ""
    totals = [error.total for error in errors]
    known = f"{len(errors)} of {n_draws} draws" if len(errors) < n_draws else f"all {n_draws} draws"
    between = f"{min(totals)} to {max(totals)} errors" if min(totals) < max(totals) else counted(totals[0], "error")
    n_odd = len(luck.pairs | {frozenset(end) for end in luck.ends})
    if not n_odd:
        return (
            f"In {known} of {counted(n_rows, 'row')}: {between}, with the same graph every time: chance plays no part."
        )
    pairs = "1 pair of variables is" if n_odd == 1 else f"{n_odd} pairs of variables are"
    return f"In {known} of {counted(n_rows, 'row')}: {between}; {pairs} connected differently in some draws."
