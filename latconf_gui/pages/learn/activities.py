"""The activities in the order of the list; a new activity is one more line here."""

from __future__ import annotations

import importlib
from dataclasses import dataclass

from latconf_gui.pages.learn.activity import Activity


@dataclass(frozen=True)
class ActivityEntry:
    """An activity by name, so that the list can show it before its module is imported.

    description : one line, what one does there
    """

    key: str
    title: str
    description: str
    module: str
    class_name: str

    def load(self) -> type[Activity]:
        """The activity's class."""
        found: type[Activity] = getattr(importlib.import_module(self.module), self.class_name)
        return found


_LEARN = "latconf_gui.pages.learn"
ACTIVITIES: tuple[ActivityEntry, ...] = (
    ActivityEntry(
        "gallery",
        "Gallery",
        "Textbook graphs with their MAGs and PAGs, a text and a question each.",
        f"{_LEARN}.gallery.gallery",
        "Gallery",
    ),
    ActivityEntry(
        "hide",
        "Hide it",
        "Draw a DAG, hide its variables, and see what becomes of the MAG and the PAG.",
        f"{_LEARN}.hide.hide_it",
        "HideIt",
    ),
    ActivityEntry(
        "separation",
        "Separation",
        "Choose two variables and a set; see which paths are open and what blocks the others. With a game.",
        f"{_LEARN}.separation.separation_activity",
        "SeparationActivity",
    ),
    ActivityEntry(
        "steps",
        "Step through a learner",
        "See how a PAG is learned: one test, one rule after the other, and why; guess what comes next.",
        f"{_LEARN}.stepping.stepping_activity",
        "SteppingActivity",
    ),
    ActivityEntry(
        "members",
        "Members of a PAG",
        "Flip through all the MAGs that a PAG stands for, and the DAG of each.",
        f"{_LEARN}.members.members_activity",
        "MembersActivity",
    ),
    ActivityEntry(
        "one_of_many",
        "One of many",
        "See which arrows of a DAG no test determines, reverse them, and compare what do() answers.",
        f"{_LEARN}.one_of_many.one_of_many_activity",
        "OneOfMany",
    ),
    ActivityEntry(
        "more_data",
        "More data",
        "Add rows and watch a learned PAG near the true one.",
        f"{_LEARN}.more_data.more_data_activity",
        "MoreDataActivity",
    ),
    ActivityEntry(
        "guess",
        "Guess the hidden",
        "Find the children of a secret variable, and collect points.",
        f"{_LEARN}.guess.guess_activity",
        "GuessActivity",
    ),
    ActivityEntry(
        "spot",
        "Spot the error",
        "Find what keeps a graph from being a MAG or a PAG.",
        f"{_LEARN}.spot.spot_error",
        "SpotTheError",
    ),
)
