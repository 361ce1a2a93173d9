"""Where the passages of an index are searched: in its own folder, or in a database such as Milvus."""
