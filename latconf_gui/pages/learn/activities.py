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
        result: type[Activity] = getattr(importlib.import_module(self.module), self.class_name)
        return result


_LEARN = "latconf_gui.pages.learn"
ACTIVITIES: tuple[ActivityEntry, ...] = (
    ActivityEntry(
        "gallery",
        "Gallery",
        "Textbook graphs with their MAGs and PAGs, each with a text and a question.",
        f"{_LEARN}.gallery.gallery",
        "Gallery",
    ),
    ActivityEntry(
        "hide",
        "Hide it",
        "Draw a DAG, hide variables, and see how the MAG and the PAG change.",
        f"{_LEARN}.hide.hide_it",
        "HideIt",
    ),
    ActivityEntry(
        "separation",
        "Separation",
        "Choose two variables and a set to see which paths are open or blocked, and why. With a game.",
        f"{_LEARN}.separation.separation_activity",
        "SeparationActivity",
    ),
    ActivityEntry(
        "steps",
        "Step through a learner",
        "Watch a PAG being learned, test by test and rule by rule, and predict the next step.",
        f"{_LEARN}.stepping.stepping_activity",
        "SteppingActivity",
    ),
    ActivityEntry(
        "members",
        "Members of a PAG",
        "Browse all MAGs of a PAG, with a DAG for each.",
        f"{_LEARN}.members.members_activity",
        "MembersActivity",
    ),
    ActivityEntry(
        "one_of_many",
        "One of many",
        "See which arrows of a DAG no test can determine, reverse them, and compare the answers of do().",
        f"{_LEARN}.one_of_many.one_of_many_activity",
        "OneOfMany",
    ),
    ActivityEntry(
        "more_data",
        "More data",
        "Add rows and watch a learned PAG approach the true one.",
        f"{_LEARN}.more_data.more_data_activity",
        "MoreDataActivity",
    ),
    ActivityEntry(
        "guess",
        "Guess the hidden",
        "Find the children of a hidden variable and collect points.",
        f"{_LEARN}.guess.guess_activity",
        "GuessActivity",
    ),
    ActivityEntry(
        "spot",
        "Spot the error",
        "Find out why a graph is not a MAG or a PAG.",
        f"{_LEARN}.spot.spot_error",
        "SpotTheError",
    ),
)
