"""Kinds of limits. A new one is a module here with a `KIND`, and a line in the registry."""
