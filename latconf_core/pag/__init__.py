"""Partial ancestral graphs: orientation rules, checks, and the learners FCI, cFCI, mFCI, RFCI and GFCI."""
