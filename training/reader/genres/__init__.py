"""Invented documents in many genres, and questions that they answer or do not answer."""
