"""The error of studies."""

from ackclock.errors import Error

__all__ = ["StudyError"]


class StudyError(Error, ValueError):
    """A word that leads to no study, said in one line.

    Examples
    --------
    >>> import ackclock as ac
    >>> try:
    ...     ac.studies.find_study("no-such-paper")
    ... except ac.Error as error:
    ...     print(error.kind)
    unknown-name
    >>> issubclass(ac.StudyError, ac.Error)
    True
    """
