"""Read texts and cut them into pieces."""
