"""Baselines that select sentences for a claim: those of the McsE paper (section 4.2)."""
