"""The large embedded model: one adapter for all tasks of Qwen2.5-Coder-1.5B-Instruct."""
