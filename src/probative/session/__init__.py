"""The verbs: what the package's surface offers, put together from the methods."""
