"""Files of Bayesian networks: BIF, JSON, and tables as CSV.

Knows networks and posteriors.
Must not know searches or projects.
"""
