"""Training of the evidence policy: `python -m training.policy`."""
