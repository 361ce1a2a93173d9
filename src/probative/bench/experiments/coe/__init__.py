"""The studies of Chain of Evidence: samples, perturbations, and an experiment for each of tables 1 to 9."""
