"""Probative inside other frameworks: one file a framework, which needs the extra of the same name.

The classes call a session and convert its results. They have no logic of their own.
"""
