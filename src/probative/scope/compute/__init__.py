"""Comparison, counting and arithmetic: a value for each option from the chain, compared by code."""
