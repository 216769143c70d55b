"""Contingency counts of families and their Dirichlet-multinomial scores."""
