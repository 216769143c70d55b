"""The numerical and graphical core of latconf: no Qt, no matplotlib, no pygraphviz."""
