"""CIL, GLSL and hill-climbing end wherever they are stopped, with the best so far."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest
from support.rival_data import copies_of_a_bit, find, no_pag

from latconf_core.control import RunControl, StopReason
from latconf_core.errors import OptionError
from latconf_core.options.scoring import VbemOptions
from latconf_core.options.searching import CilOptions, GlslOptions, SearchOptions
from latconf_core.search.catalogue import SEARCHES
from latconf_core.search.runner import run_search

RIVALS = ("hc", "cil", "glsl", "glsl+cil")
DATA = copies_of_a_bit(4, 200)
QUICK = VbemOptions(restarts=1)


@pytest.mark.parametrize("search", RIVALS)
def test_that_a_stop_at_any_checkpoint_keeps_a_prefix_and_its_best(search: str) -> None:
    whole = find(DATA, search, vbem=QUICK)
    checked = count()

    def after(most: int) -> RunControl:
        seen = count()
        return RunControl(lambda: next(seen) >= most)

    run_search(
        DATA, no_pag(DATA), search, options=SearchOptions(vbem=QUICK), control=RunControl(lambda: not next(checked) + 1)
    )
    total = next(checked)
    for most in np.unique(np.linspace(1, total, 6, dtype=int)):
        result = run_search(DATA, no_pag(DATA), search, options=SearchOptions(vbem=QUICK), control=after(int(most)))
        visits = list(result.history)
        assert visits == list(whole.history)[: len(visits)]
        if visits and result.stop_reason is StopReason.CANCELLED and result.history.chosen is None:
            assert result.score == max(visit.p_elbo for visit in visits)


@pytest.mark.parametrize("search", RIVALS)
def test_that_a_time_limit_ends_it_with_a_sentence(search: str) -> None:
    clock = count(step=0.1)
    control = RunControl(clock=lambda: float(next(clock)))
    options = SearchOptions(time_limit=1.0, vbem=QUICK)
    result = run_search(DATA, no_pag(DATA), search, options=options, control=control)
    assert result.stop_reason is StopReason.TIME_LIMIT
    assert any("time limit of 1 s" in cut for cut in result.cuts)


@pytest.mark.parametrize(
    ("search", "options", "name"),
    [
        ("cil", SearchOptions(max_bidirected=2), "max_bidirected"),
        ("glsl", SearchOptions(max_candidates=5), "max_candidates"),
        ("glsl+cil", SearchOptions(invalid_pag="repair"), "invalid_pag"),
        ("hc", SearchOptions(max_states=3), "max_states"),
        ("cil", SearchOptions(glsl=GlslOptions(max_parents=2)), "glsl.max_parents"),
        ("glsl", SearchOptions(cil=CilOptions(n_pairs=2)), "cil.n_pairs"),
    ],
)
def test_that_an_option_of_another_search_is_refused(search: str, options: SearchOptions, name: str) -> None:
    with pytest.raises(OptionError, match=f"{search.replace('+', '.')} has no option {name}"):
        run_search(DATA, no_pag(DATA), search, options=options)


def test_that_options_out_of_range_are_refused_by_name() -> None:
    for make, told in (
        (lambda: CilOptions(n_pairs=0), "pairs per round of CIL is 0"),
        (lambda: GlslOptions(n_pairs=-1), "pairs per iteration of GLSL is -1"),
        (lambda: GlslOptions(max_parents=0), "parents of a variable is 0"),
        (lambda: GlslOptions(pairs_of="all"), "pairs of is 'all'"),  # type: ignore[arg-type]
    ):
        with pytest.raises(OptionError, match=told):
            make()


def test_that_options_come_back_from_json_also_where_an_older_program_wrote_them() -> None:
    options = SearchOptions(cil=CilOptions(3, False, False), glsl=GlslOptions(4, "any", 2, False))
    assert SearchOptions.from_json(options.to_json()) == options
    old = {name: value for name, value in SearchOptions().to_json().items() if name not in ("cil", "glsl")}
    assert SearchOptions.from_json(old) == SearchOptions()


@pytest.mark.parametrize("search", RIVALS)
def test_that_levels_count_latents_and_no_pag_is_needed(search: str) -> None:
    assert SEARCHES[search].level_name == "latents"
    assert not SEARCHES[search].needs_pag
    result = find(DATA, search, vbem=QUICK)
    assert all(visit.level == visit.n_latents for visit in result.history)
    assert result.pag_handling.kind == "unused"
