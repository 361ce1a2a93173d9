"""A claim, evidence of any length, and what the one says about the other."""
