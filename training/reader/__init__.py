"""Questions with evidence to train on, decisions between sentences, and the adapters of a model."""
