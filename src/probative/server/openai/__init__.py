"""`/v1`: registered corpora as models for OpenAI clients; each answers with citations or refuses."""
