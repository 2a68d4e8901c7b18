"""Kinds of limits: each is a module here with a `KIND`, and a line in the registry."""
