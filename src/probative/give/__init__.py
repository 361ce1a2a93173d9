"""GIVE: Graph Inspired Veracity Extrapolation (see the paper; one step a file)."""
