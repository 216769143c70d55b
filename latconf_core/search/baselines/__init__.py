"""What CIL and GLSL do: rows with hidden variables filled in, pairs by mutual information, forests, structural EM.

Knows the scorer, the hill-climber and the run that it is handed.
Must not know the catalogue of searches, nor how many workers score.
"""
