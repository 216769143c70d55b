"""Other machines: a Dask scheduler's address, the connection to it, what is sent to its workers, and their versions.

Knows the scoring port; the only room that knows distributed, which is imported when a connection is made.
Must not know what a bench or a resampling is: they hand it functions and get futures.
"""
