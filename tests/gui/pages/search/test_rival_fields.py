"""The form shows CIL, GLSL and hill-climbing exactly the options that they use."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from latconf_core.options.searching import CilOptions, GlslOptions, SearchOptions
from latconf_core.search.catalogue import SEARCHES
from latconf_gui.pages.search.form import SearchForm


@pytest.fixture
def form(qtbot: QtBot) -> SearchForm:
    form = SearchForm()
    qtbot.addWidget(form)
    return form


@pytest.mark.parametrize("search", ["hc", "cil", "glsl", "glsl+cil", "ilc-v"])
def test_that_only_the_options_of_a_search_are_shown(form: SearchForm, search: str) -> None:
    form.choose(search)
    shown = [name for name, field in form._fields.items() if not field.isHidden()]
    assert sorted(shown) == sorted(SEARCHES[search].options)


def test_that_what_is_hidden_stays_as_it_is_in_the_options(form: SearchForm) -> None:
    form.choose("hclc-v")
    form.max_bidirected.setValue(9)
    form.choose("glsl")
    form.rivals["glsl.max_parents"].fill(5)  # type: ignore[arg-type]
    form.choose("cil")
    form.rivals["cil.n_pairs"].fill(3)  # type: ignore[arg-type]
    options = form.options()
    assert options.max_bidirected == SearchOptions().max_bidirected
    assert options.glsl == GlslOptions()
    assert options.cil == CilOptions(n_pairs=3)


def test_that_options_are_shown_and_read_again(form: SearchForm) -> None:
    options = SearchOptions(cil=CilOptions(4, False, False), glsl=GlslOptions(6, "any", 2, False))
    form.show_options("glsl+cil", options)
    assert form.options() == options
    form.reset.click()
    assert form.options().glsl == GlslOptions()
