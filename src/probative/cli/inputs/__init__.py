"""Inputs of commands: files and standard input."""
