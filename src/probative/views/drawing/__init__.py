"""An SVG picture of entity groups and their connections."""
