"""Knowledge graphs: read from files, kept as integer arrays, asked for edges, paths and near entities."""
