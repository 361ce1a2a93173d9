"""Baselines that select sentences for a claim."""
