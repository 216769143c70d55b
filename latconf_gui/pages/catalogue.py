"""The pages in the order of the work; a new page is one more line here."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from latconf_gui.pages.page import Page


@dataclass(frozen=True)
class PageEntry:
    """A page by name, so that the rail can show it before its module is imported."""

    title: str
    icon: str
    module: str
    class_name: str

    def load(self) -> type[Page]:
        """The page's class."""
        result: type[Page] = getattr(importlib.import_module(self.module), self.class_name)
        return result


PAGES = (
    PageEntry("Start", "start", "latconf_gui.pages.start.start_page", "StartPage"),
    PageEntry("Data", "data", "latconf_gui.pages.data.data_page", "DataPage"),
    PageEntry("PAG", "pag", "latconf_gui.pages.pag.pag_page", "PagPage"),
    PageEntry("Search", "search", "latconf_gui.pages.search.search_page", "SearchPage"),
    PageEntry("Model", "model", "latconf_gui.pages.model.model_page", "ModelPage"),
    PageEntry("Compare", "compare", "latconf_gui.pages.compare.compare_page", "ComparePage"),
    PageEntry("Lessons", "learn", "latconf_gui.pages.learn.learn_page", "LearnPage"),
)
