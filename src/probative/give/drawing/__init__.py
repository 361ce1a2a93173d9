"""A picture of groups and connections, as SVG."""
