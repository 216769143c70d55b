"""The Gallery: textbook graphs, each as DAG, MAG and PAG with a text, a question and its answer.

Knows the lessons of the core and the folder of a lecturer's own ones.
Must not know other activities.
"""
