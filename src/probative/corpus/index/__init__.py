"""The embedded index of a corpus: words in tantivy, documents in SQLite, vectors in files beside them."""
