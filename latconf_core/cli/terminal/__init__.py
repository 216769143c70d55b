"""What sub-commands share: arguments and options, signals, bars that show progress.

Knows the options of learning, scoring and searching.
Must not know any sub-command.
"""
