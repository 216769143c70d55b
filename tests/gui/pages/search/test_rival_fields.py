"""The form shows CIL, GLSL and hill-climbing exactly the options that they use."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot
from support.toy_option import ToyOptions, add_toy_option

from latconf_core.options.searching import CilOptions, GlslOptions, SearchOptions
from latconf_core.search.catalogue import SEARCHES
from latconf_gui.pages.search import form as form_module
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
    form.fill("max_bidirected", 9)
    form.choose("glsl")
    form.fill("glsl.max_parents", 5)
    form.choose("cil")
    form.fill("cil.n_pairs", 3)
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


def test_that_a_new_record_is_a_row_of_the_form(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    add_toy_option(monkeypatch)
    monkeypatch.setattr(form_module, "default_options", ToyOptions)
    form = SearchForm()
    qtbot.addWidget(form)
    form.choose("ilc-v")
    field = form.recorded["toy_depth"]
    assert not field.isHidden()
    assert field.toolTip() == "So deep the toy looks"
    form.fill("toy_depth", 7)
    assert form.options() == ToyOptions(toy_depth=7)
    form.choose("refine")
    assert field.isHidden()
