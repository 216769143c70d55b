"""Files of Bayesian networks: BIF, XMLBIF, XDSL, NET, JSON, and tables as CSV; names that a format cannot hold.

Knows networks and posteriors.
Must not know searches or projects.
"""
