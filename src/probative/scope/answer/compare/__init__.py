"""Comparison, counting and arithmetic: one value per option from the chain, and code that compares them."""
