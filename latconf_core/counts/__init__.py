"""Every way of counting rows, and the marginal likelihood of counts.

Knows a dataset by its columns and its distinct rows.
Must not know graphs beyond a child and its parents, nor any test or search.
"""
