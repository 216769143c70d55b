"""Independence tests on data, and an oracle that answers from a DAG with latents."""
