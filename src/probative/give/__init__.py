"""GIVE: Graph Inspired Veracity Extrapolation. One file for each step of the paper; `search` puts them in "
"order.
"""
