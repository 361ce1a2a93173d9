"""Language models that transformers can load, in this process."""
