"""Accelerated VBEM steps in compiled loops."""
