"""Files of Bayesian networks: BIF, XMLBIF, XDSL, NET, JSON, and tables as CSV.

Knows networks and posteriors.
Must not know searches or projects.
"""
