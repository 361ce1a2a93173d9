"""The studies of the McsE paper, each an experiment of `probative bench`:

mcse-main (table 1), mcse-strength (table 2), mcse-hops (table 3), mcse-cot (table 4), mcse-ablation (table
5), mcse-search-size (figure 4, table 6), mcse-models (figure 5), mcse-multirc (table 7) and mcse-annotation
(figure 6).
"""
