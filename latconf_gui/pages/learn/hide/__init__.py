"""Hide it: draw a DAG, hide its variables, and see what that does to MAG and PAG.

Knows edits of drawn DAGs and the stage.
Must not know other activities.
"""
