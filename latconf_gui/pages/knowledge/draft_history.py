"""The steps of a person in the editor, to be taken back and done again."""

from __future__ import annotations

from latconf_gui.pages.knowledge.draft import Draft


class DraftHistory:
    """Drafts one after the other, each with what was done; the first is what was known before."""

    def __init__(self, draft: Draft) -> None:
        self._steps: list[tuple[Draft, str]] = [(draft, "")]
        self._at = 0

    @property
    def draft(self) -> Draft:
        """The draft as it is now."""
        return self._steps[self._at][0]

    @property
    def undo_text(self) -> str:
        """What would be taken back, or ""."""
        return self._steps[self._at][1]

    @property
    def redo_text(self) -> str:
        """What would be done again, or ""."""
        return self._steps[self._at + 1][1] if self._at + 1 < len(self._steps) else ""

    def push(self, draft: Draft, what: str) -> None:
        """One more step; what was taken back is forgotten."""
        self._steps = [*self._steps[: self._at + 1], (draft, what)]
        self._at += 1

    def undo(self) -> None:
        """Take a step back, if there is one."""
        self._at = max(0, self._at - 1)

    def redo(self) -> None:
        """Do it again, if one was taken back."""
        self._at = min(len(self._steps) - 1, self._at + 1)
