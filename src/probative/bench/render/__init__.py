"""Reports of a run as Markdown, HTML and JSON."""
