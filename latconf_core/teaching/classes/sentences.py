"""What is said of a class, of a reversed arrow and of the answers of do(), in sentences."""

from __future__ import annotations

from latconf_core.phrases import counted, list_names
from latconf_core.teaching.classes.dag_members import DagMembers
from latconf_core.teaching.classes.do_answers import DoAnswers, DoGroup
from latconf_core.teaching.classes.turning import Turn, TurnOutcome, Witness
from latconf_core.teaching.drawn_dag import Arrow

SAME_ANSWER = 5e-4  # answers that agree to the digits that are shown


def members_sentence(members: DagMembers, *, has_hidden: bool) -> str:
    """How many DAGs have the same conditional independences."""
    if len(members.members) == 1 and not members.is_cut:
        return "No other DAG on these variables has these conditional independences: every arrow is determined."
    among = " among all variables, including hidden ones" if has_hidden else ""
    count = counted(len(members.members), "DAG")
    return f"{'More than ' if members.is_cut else ''}{count} have these conditional independences{among}."


def arrow_sentence(arrow: Arrow, members: DagMembers) -> str:
    """In how many members an arrow stands."""
    cause, effect = arrow
    if not members.is_open(arrow):
        return f"{cause} --> {effect}: every DAG of the class has this arrow."
    total = f"{len(members.members):,} DAGs"
    counts = members.counts.get(arrow, 0), members.counts.get((effect, cause), 0)
    return f"{cause} --> {effect} in {counts[0]:,} and {effect} --> {cause} in {counts[1]:,} of the {total}."


def turn_sentence(turn: Turn) -> str:
    """What reversing an arrow does, and which test would tell."""
    cause, effect = turn.arrow
    match turn.outcome:
        case TurnOutcome.CYCLE:
            return f"{effect} --> {cause} would close a directed cycle, so {cause} --> {effect} stays."
        case TurnOutcome.SAME:
            return (
                f"{cause} --> {effect} is now {effect} --> {cause}. No test of conditional independence can "
                "detect this: the new DAG is in the same class."
            )
        case TurnOutcome.UNTESTABLE:
            return (
                f"{cause} --> {effect} is now {effect} --> {cause}. The class changes, but no test of the "
                "measured variables can detect it: only tests of hidden variables differ."
            )
    assert turn.witness is not None, "a test tells"
    return f"{cause} --> {effect} is now {effect} --> {cause}. A test can detect this: {_witness_text(turn.witness)}."


def _witness_text(witness: Witness) -> str:
    given = f" given {list_names(witness.given)}" if witness.given else ""
    before, after = ("independent", "dependent") if witness.is_independent_before else ("dependent", "independent")
    return f"{witness.first} and {witness.second} were {before}{given}, and are {after} now"


def group_label(group: DoGroup, cause: str) -> str:
    """What the DAGs with one answer have in common."""
    parents = f"{list_names(group.parents)} --> {cause}" if group.parents else f"no arrow into {cause}"
    return f"{counted(len(group.members), 'DAG')}: {parents}"


def do_sentence(answers: DoAnswers) -> str:
    """How far the answers lie apart, and what observing says."""
    asked = f"P({answers.effect} = yes | do({answers.cause} = yes))"
    if answers.greatest - answers.least < SAME_ANSWER:
        said = f"{asked} is {answers.least:.3f} in every DAG of the class"
    else:
        said = f"{asked} lies between {answers.least:.3f} and {answers.greatest:.3f}, depending on the DAG"
    seen = f"P({answers.effect} = yes | {answers.cause} = yes) is {answers.seen:.3f} in all of them"
    return f"{said}. Observing does not depend on the arrows: {seen}."
