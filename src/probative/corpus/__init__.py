"""Documents, their passages and their places; folders of documents, and retrieval from them."""
