"""Errors in captures."""

from ackclock.errors import Error

__all__ = ["CaptureError"]


class CaptureError(Error, ValueError):
    """A capture cannot be read, or does not show enough for an estimate.

    Examples
    --------
    >>> import ackclock as ac
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> file = Path(mkdtemp()) / "notes.pcap"
    >>> _ = file.write_text("no capture")
    >>> try:
    ...     ac.read_pcap(file)
    ... except ac.CaptureError as error:
    ...     print(str(error).partition("notes.pcap: ")[2])
    this is no pcap or pcapng capture: it begins with 6e 6f 20 63
    """

    kind = "unreadable"
