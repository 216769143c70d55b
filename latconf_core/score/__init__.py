"""p-ELBO: a DAG is split into families and components of latents, each component fitted by variational Bayes.

Knows data sets, counts and DAGs with latents.
Must not know where a DAG comes from, nor searches.
"""
