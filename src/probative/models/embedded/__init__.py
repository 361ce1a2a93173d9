"""The embedded default: a small language model and an encoder that run on any CPU without a key."""
