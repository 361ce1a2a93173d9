"""Claims with evidence to train on, and the fit of the curves that make probabilities of verdicts."""
