"""Training of the reader: `python -m training.reader`."""
