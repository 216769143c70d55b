"""How the current PAG was learned: why each mark is there, and which pairs were separated by what.

Knows the events that are kept with a PAG.
Must not know how a PAG is learned or edited.
"""
