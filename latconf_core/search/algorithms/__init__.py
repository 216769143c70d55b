"""The searches, one module each: generators of events.

Knows the run that it is handed.
Must not know how candidates are scored, on how many threads or machines.
"""
