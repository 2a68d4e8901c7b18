"""What is wrong with a command line, besides its scenario."""

__all__ = ["InputError"]


class InputError(Exception):
    """One line for the user; exit status 2."""
