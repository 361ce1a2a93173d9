"""The inputs of commands: files and standard input."""
