"""p-ELBO by variational Bayes."""
