"""What a reader must know of the rows, with numbers as a person writes them."""

from __future__ import annotations

from dataclasses import replace

from latconf_core.search.outcome.about_rows import CompletionReport, RowRepeats
from latconf_core.wording.row_words import completion_sentences, repeats_sentence

REPORT = CompletionReport(500, 192, 238, 256, 1e-17, 0, 2, True, 118.7)


def test_that_completions_are_said_with_what_is_left_out() -> None:
    first, last = completion_sentences(REPORT)
    assert "238 cells are missing in 192 of 500 rows" in first
    assert "256 different completions" in first
    assert "none of their weight left out" in first
    assert last.startswith("2 searches were run on completed rows")
    assert "0.61 %" in next(completion_sentences(replace(REPORT, mass_left_out=0.0061)))
    assert len([*completion_sentences(replace(REPORT, drawn_rows=3))]) == 3


def test_that_copied_rows_are_said_with_what_is_expected() -> None:
    copied = RowRepeats("copied", 263, 1108, 776.0, 4)
    assert repeats_sentence(copied).startswith("These rows look copied: 263 distinct of 1,108, about 776 expected.")
    assert "until you confirm" in repeats_sentence(copied)
    assert "You confirmed that they are real." in repeats_sentence(replace(copied, is_accepted=True))
    assert "designed, not sampled" in repeats_sentence(RowRepeats("designed", 625, 625))
    assert "multiple of 4" in repeats_sentence(replace(copied, kind="divisible"))
