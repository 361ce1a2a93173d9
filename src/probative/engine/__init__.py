"""The search protocol, the runner that batches across cases, and the tools that searches use."""
