"""Fit how surely an answer of `ask` is right: the weights in `src/probative/scope/certainty.json`."""
