"""The base of all errors of ackclock, and their kinds."""

# Importing typing would take longer than the rest: `ackclock` imports nothing heavy.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Kind: TypeAlias = Literal[
        "invalid",
        "unknown-key",
        "unknown-name",
        "missing",
        "wrong-type",
        "out-of-range",
        "unreadable",
        "unwritable",
        "too-large",
        "unavailable",
        "no-data",
        "own-code",
        "failed",
    ]
    """Kind of an error, for a program to match; docs/errors.md describes each."""

__all__ = ["AlgorithmError", "Error", "FileMissingError", "FormatError", "UnknownNameError"]


class Error(Exception):
    """Base of all errors in a user's input, code, files or machine.

    Each error also derives from the built-in exception that fits it, such as ValueError or
    OSError. The text is one line for the user.

    Attributes
    ----------
    kind : Kind
        Kind of the error, for a program to match: "unknown-key", "out-of-range", "unreadable", ...
        (docs/errors.md).

    Examples
    --------
    >>> import ackclock as ac
    >>> try:
    ...     ac.flow("reno", start="soon")
    ... except ac.Error as error:
    ...     print(error.kind)
    invalid
    """

    kind: "Kind" = "invalid"


class AlgorithmError(Error, RuntimeError):
    """A congestion control that the user wrote raised, or gave an impossible answer.

    The exception that the algorithm raised is the cause (`__cause__`).

    Attributes
    ----------
    flow : str
        Name of the flow that uses the algorithm; empty in the check before the run.
    algorithm : str
        Name of the class.
    method : str
        Name of the called method.
    time : float
        Simulated time of the call, s.

    Examples
    --------
    >>> import ackclock as ac
    >>> class Broken(ac.cc.Avoidance):
    ...     def next_cwnd(self, ack, window):
    ...         return window.cwnd
    ...
    ...     def ssthresh(self, event, window):
    ...         return float("nan")
    >>> path = {"rate": "5Mbit/s", "rtt": "20ms", "duration": "5s"}
    >>> try:
    ...     ac.run(ac.dumbbell(**path, flows=[ac.flow(Broken, name="mine")]))
    ... except ac.AlgorithmError as error:
    ...     print(error.flow, error.algorithm, error.method)
    mine Broken ssthresh
    """

    kind = "own-code"
    flow: str
    algorithm: str
    method: str
    time: float


class UnknownNameError(Error, ValueError):
    """A name does not exist; the text names the nearest one that does."""

    kind = "unknown-name"


class FileMissingError(Error, FileNotFoundError):
    """A folder does not hold such a result: a file is missing."""

    kind = "unreadable"


class FormatError(Error, ValueError):
    """A file holds no such result, or a result of another version of ackclock."""

    kind = "unreadable"
