"""The user's choices about a table, as one value: undo is the value before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from latconf_core.data.preparing.discretise import Discretisation
from latconf_core.errors import OptionError
from latconf_core.json_form import UNREADABLE, Notes, pick_known
from latconf_core.options.checks import check_texts, check_whole, shorten

MissingPolicy = Literal["keep", "drop rows", "own state", "most frequent"]
MISSING_POLICIES: tuple[MissingPolicy, ...] = get_args(MissingPolicy)
DEFAULT_MISSING_MARKS = ("", "NA", "?", "*", "NaN")
MISSING_STATE = "missing"

Renames = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
Orders = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Preparation:
    """What to make of a RawTable; hashable, comparable, and kept as JSON.

    missing_marks : the texts that mean a missing cell; blanks around them, and how many are within, do not matter
    missing : what to do with missing cells: "keep" leaves them missing
    include : columns used although a rule would exclude them
    set_aside : columns not used, by hand
    discretise : (column, rule) pairs
    rename : (column, ((old state, new state), …)) pairs; two states given one name are merged
    max_states : a column with more is set aside
    counts : the column that says how often each row occurs; None where each is one row
    rows_are_real : whether rows that look copied, or designed, were observed so
    missing_codes : (column, texts) pairs: texts that mean a missing cell in this column alone
    ordered : (column, its states from lowest to highest) pairs; no states for the order in which they stand
    unordered : columns cut from numbers whose order is passed over, as older projects did
    names : (column, the name that its variable has in the data) pairs, where that is another one
    """

    missing_marks: tuple[str, ...] = DEFAULT_MISSING_MARKS
    missing: MissingPolicy = "keep"
    include: frozenset[str] = frozenset()
    set_aside: frozenset[str] = frozenset()
    discretise: tuple[tuple[str, Discretisation], ...] = ()
    rename: Renames = ()
    max_states: int = 50
    counts: str | None = None
    missing_codes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    rows_are_real: bool = False
    ordered: Orders = ()
    unordered: frozenset[str] = frozenset()
    names: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        put = object.__setattr__
        if self.missing is None:  # an older program had to be told
            put(self, "missing", "keep")
        marks = check_texts("missing marks", self.missing_marks)
        put(self, "missing_marks", tuple(dict.fromkeys(" ".join(mark.split()) for mark in marks)))
        put(self, "include", frozenset(check_texts("the included columns", self.include)))
        put(self, "set_aside", frozenset(check_texts("the excluded columns", self.set_aside)))
        put(self, "unordered", frozenset(check_texts("the columns without an order", self.unordered)))
        put(self, "max_states", check_whole("largest number of states", self.max_states))
        self._check_pairs()
        put(self, "discretise", tuple(sorted(self.discretise, key=lambda pair: pair[0])))
        codes = [(name, tuple(dict.fromkeys(texts))) for name, texts in self.missing_codes if texts]
        put(self, "missing_codes", tuple(sorted(codes)))
        put(self, "rename", tuple(sorted((name, tuple(sorted(pairs))) for name, pairs in self.rename if pairs)))
        put(self, "names", tuple(sorted((column, name) for column, name in self.names if name != column)))
        put(self, "ordered", tuple(sorted((name, tuple(states)) for name, states in self.ordered)))
        if not isinstance(self.rows_are_real, bool):
            raise OptionError(f"whether the rows are real is {shorten(self.rows_are_real)}; it is true or false")
        if self.missing not in MISSING_POLICIES:
            raise OptionError(
                f"what to do with missing cells is {self.missing!r}; choose one of {', '.join(MISSING_POLICIES)}"
            )
        self._check_counts()
        both = self.include & self.set_aside
        if both:
            raise OptionError(f"column {min(both)!r} is both included and excluded; choose one")
        for what, names in (
            ("discretised", [name for name, _ in self.discretise]),
            ("renamed", [name for name, _ in self.rename]),
            ("given codes of missing cells", [name for name, _ in self.missing_codes]),
            ("ordered", [name for name, _ in self.ordered]),
            ("given another name", [column for column, _ in self.names]),
        ):
            if len(set(names)) != len(names):
                raise OptionError(f"a column is {what} twice; give one rule per column")
        if self.max_states < 2:
            raise OptionError(f"largest number of states is {self.max_states}; it must be at least 2")

    def _check_pairs(self) -> None:
        """Refuse rules that are none, and names that are no texts."""
        check_texts("the discretised columns", [name for name, _ in self.discretise])
        check_texts("the renamed columns", [name for name, _ in self.rename])
        check_texts(
            "the codes of missing cells", [text for name, marks in self.missing_codes for text in (name, *marks)]
        )
        check_texts("the ordered columns", [name for name, _ in self.ordered])
        for _, states in self.ordered:
            check_texts("the states of an order", states)
        for _, rule in self.discretise:
            if not isinstance(rule, Discretisation):
                raise OptionError(f"the rule of a column is {shorten(rule)}; it must be a Discretisation")
        for name in check_texts("the names of variables", [text for pair in self.names for text in pair]):
            if not name.strip():
                raise OptionError("a variable needs a name; give one with at least one letter")
        for _, pairs in self.rename:
            check_texts("the renamed states", [text for pair in pairs for text in pair])

    def _check_counts(self) -> None:
        """Refuse a column of counts that is no text or is used otherwise."""
        if self.counts is None:
            return
        (name,) = check_texts("the column of counts", [self.counts])
        if name in self.set_aside | self.include or self.rule_of(name) is not None:
            raise OptionError(f"column {name!r} counts rows, so it is not a variable; undo the other choice about it")

    def codes_of(self, column: str) -> tuple[str, ...]:
        """The texts that mean a missing cell in this column alone."""
        return dict(self.missing_codes).get(column, ())

    def are_missing(self, texts: Sequence[str], column: str = "") -> list[bool]:
        """Whether each of these texts means a missing cell, in a column where one is named."""
        marks = {*self.missing_marks, *self.codes_of(column)}
        return [text in marks or " ".join(text.split()) in marks for text in texts]

    def rule_of(self, column: str) -> Discretisation | None:
        """How the column is discretised, or None."""
        return dict(self.discretise).get(column)

    def renames_of(self, column: str) -> dict[str, str]:
        """The new names of the column's states, by old name."""
        return dict(dict(self.rename).get(column, ()))

    def named_columns(self) -> Iterable[str]:
        """Every column that a choice names."""
        counts = () if self.counts is None else (self.counts,)
        rules = {*dict(self.discretise), *dict(self.rename), *dict(self.missing_codes), *dict(self.ordered)}
        rules |= dict(self.names).keys()
        return sorted({*self.include, *self.set_aside, *self.unordered, *rules, *counts})

    def order_of(self, column: str) -> tuple[str, ...] | None:
        """The states of a column that was declared as ordered; None where it was not."""
        return dict(self.ordered).get(column)

    def name_of(self, column: str) -> str:
        """What the variable of a column is called in the data."""
        return dict(self.names).get(column, column)

    def with_name(self, column: str, name: str) -> Preparation:
        """These choices with the variable of a column called so; its own name takes an earlier one back."""
        return replace(
            self,
            names=(
                *((column_name, called) for column_name, called in self.names if column_name != column),
                (column, name),
            ),
        )

    def with_missing(self, policy: MissingPolicy) -> Preparation:
        return replace(self, missing=policy)

    def with_counts(self, column: str | None) -> Preparation:
        """These choices with a column that counts rows, or none; what was chosen about it before goes."""
        if column is None:
            return replace(self, counts=None)
        freed = self.with_rule(column, None)
        return replace(freed, counts=column, set_aside=self.set_aside - {column}, include=self.include - {column})

    def with_missing_codes(self, column: str, texts: Iterable[str]) -> Preparation:
        """These choices with texts that mean a missing cell in this column, in place of earlier ones."""
        codes = {name: marks for name, marks in self.missing_codes if name != column}
        codes[column] = tuple(texts)
        renames = [
            (name, tuple(p for p in marks if name != column or p[0] not in codes[column]))
            for name, marks in self.rename
        ]
        return replace(self, missing_codes=tuple(codes.items()), rename=tuple(renames))

    def with_rule(self, column: str, rule: Discretisation | None) -> Preparation:
        """These choices with the column discretised by the rule, or no longer; its renames and its order go."""
        rules = {name: rule for name, rule in self.discretise if name != column}
        if rule is not None:
            rules[column] = rule
        renames = tuple(pair for pair in self.rename if pair[0] != column)
        ordered = tuple(pair for pair in self.ordered if pair[0] != column)
        unordered = self.unordered - {column}
        rules_left = tuple(rules.items())
        return replace(self, discretise=rules_left, rename=renames, ordered=ordered, unordered=unordered)

    def with_renames(self, column: str, names: Mapping[str, str]) -> Preparation:
        """These choices with the column's states renamed (old → new), in place of earlier renames."""
        renames = {name: pairs for name, pairs in self.rename if name != column}
        renames[column] = tuple((old, new) for old, new in names.items() if old != new)
        ordered = dict(self.ordered)
        if column in ordered:
            before = {new: old for old, new in self.renames_of(column).items()}
            states = [before.get(state, state) for state in ordered[column]]
            ordered[column] = tuple(dict.fromkeys(names.get(state, state) for state in states))
        return replace(self, rename=tuple(renames.items()), ordered=tuple(ordered.items()))

    def with_order(self, column: str, states: Sequence[str] | None) -> Preparation:
        """These choices with the column declared as ordered, lowest state first; None for no order.

        A column that was cut from numbers is ordered by these, and needs no declaration.
        """
        ordered = {name: states for name, states in self.ordered if name != column}
        is_cut = self.rule_of(column) is not None
        unordered = self.unordered - {column}
        if states is None and is_cut:
            unordered |= {column}
        if states is not None and not is_cut:
            ordered[column] = tuple(states)
        return replace(self, ordered=tuple(ordered.items()), unordered=unordered)

    def with_set_aside(self, column: str) -> Preparation:
        """These choices with the column set aside by hand."""
        return replace(self, set_aside=self.set_aside | {column}, include=self.include - {column})

    def with_included(self, column: str) -> Preparation:
        """These choices with the column used, whatever the rules say."""
        return replace(self, include=self.include | {column}, set_aside=self.set_aside - {column})

    def to_json(self) -> dict[str, Any]:
        """A JSON object that `from_json` reads back."""
        return {
            "missing_marks": list(self.missing_marks),
            "missing": self.missing,
            "include": sorted(self.include),
            "set_aside": sorted(self.set_aside),
            "discretise": {name: rule.to_json() for name, rule in self.discretise},
            "rename": {name: dict(pairs) for name, pairs in self.rename},
            "max_states": self.max_states,
            "counts": self.counts,
            "rows_are_real": self.rows_are_real,
            "missing_codes": {name: list(texts) for name, texts in self.missing_codes},
            "ordered": {name: list(states) for name, states in self.ordered},
            "unordered": sorted(self.unordered),
            "names": dict(self.names),
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any], notes: Notes | None = None) -> Preparation:
        """The choices that `to_json` wrote; what is left out has its default.

        notes : gets a sentence for what is not known and was passed over; None refuses that
        """
        if not isinstance(content, Mapping):
            raise OptionError(f"the choices about the data are {shorten(content)}; they must be an object")
        known = pick_known(content, [each.name for each in fields(cls)], what="a preparation", notes=notes)
        try:
            rules = known.pop("discretise", {})
            renames = known.pop("rename", {})
            codes = known.pop("missing_codes", {})
            orders = known.pop("ordered", {})
            names = known.pop("names", {})
            return cls(
                **known,
                discretise=tuple((name, Discretisation.from_json(rule)) for name, rule in rules.items()),
                rename=tuple((name, tuple(pairs.items())) for name, pairs in renames.items()),
                missing_codes=tuple((name, tuple(texts)) for name, texts in codes.items()),
                ordered=tuple((name, tuple(states)) for name, states in orders.items()),
                names=tuple(names.items()),
            )
        except UNREADABLE as error:
            raise OptionError(f"the choices about the data cannot be read: {error}") from None
