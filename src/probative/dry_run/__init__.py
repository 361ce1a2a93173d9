"""What takes the place of the models in a dry run: replies as models give them, and their cost."""
