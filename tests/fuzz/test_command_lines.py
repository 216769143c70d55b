"""Command lines are drawn from the parser, so that a new option is tried the day it appears."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from fuzz import command_lines
from fuzz.command_lines import COMMANDS, HEAVY, actions_of, command_readers, make_command


@pytest.mark.parametrize("command", COMMANDS)
def test_that_every_option_of_a_command_is_tried(command: str) -> None:
    drawn = {word for seed in range(400) for word in json.loads(make_command(command, random.Random(seed)))}
    for action in actions_of(command):
        if action.option_strings and not set(action.option_strings) & set(HEAVY):
            assert drawn & set(action.option_strings), action.option_strings


def test_that_plain_command_lines_are_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for reader in command_readers():
        path = tmp_path / "words.json"
        path.write_bytes(reader.seeds[0])
        assert reader.read(path) == 0, reader.seeds[0]


@pytest.mark.parametrize("end", [1, "no"])
def test_that_other_ends_than_an_answer_or_a_sentence_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: object
) -> None:
    monkeypatch.setattr(command_lines, "main", lambda _words: end)
    (tmp_path / "words.json").write_text('["ask", "run"]')
    with pytest.raises(AssertionError, match="exit code"):
        next(iter(command_readers())).read(tmp_path / "words.json")
    monkeypatch.setattr(command_lines, "main", lambda _words: 2)
    with pytest.raises(AssertionError, match="no sentence"):
        next(iter(command_readers())).read(tmp_path / "words.json")
