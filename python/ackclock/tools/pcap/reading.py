"""Read a capture: list its connections, lay one out."""

from __future__ import annotations

import json
from pathlib import Path

from ackclock import _core
from ackclock.messages import nearest_file
from ackclock.tools.pcap.capture import Capture, CaptureError
from ackclock.tools.pcap.frames import connection_frame, table_frame

__all__ = ["read_pcap"]


def read_pcap(path: str | Path, *, connection: int | None = None) -> Capture:
    """Read a pcap or pcapng file and lay out one of its TCP connections.

    The file is read twice, and only the chosen connection is kept in memory: about 250 bytes for
    each of its segments, of which two millions are laid out at most.

    Parameters
    ----------
    path
        The file: Ethernet, raw IP, Linux cooked or loopback; IPv4 or IPv6.
    connection
        Number of the connection, from 0, as Wireshark's ``tcp.stream``; by default that with most
        payload.

    Raises
    ------
    CaptureError
        If the file is no capture, is damaged, or has no such connection.

    Examples
    --------
    A simulated transfer, captured at its sender:

    >>> import ackclock as ac
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> scenario = ac.dumbbell(
    ...     rate="10Mbit/s",
    ...     rtt="40ms",
    ...     flows=[ac.flow("reno")],
    ...     duration="5s",
    ...     record={"pcap": ["sender"]},
    ... )
    >>> folder = ac.run(scenario).write(Path(mkdtemp()) / "run")
    >>> capture = ac.read_pcap(folder / "pcap" / "sender.pcapng")
    >>> round(capture.path["rate"]["value"] / 1e6, 1)
    10.0
    """
    file = Path(path)
    if connection is not None and connection < 0:
        raise CaptureError(
            f"connection: there is no number {connection}: connections are numbered from 0"
        )
    if file.exists() and not (file.is_file() or file.is_dir()):
        # The core would wait for it, deaf to Ctrl-C.
        raise CaptureError(
            f"{file}: this is a pipe or a device, not a file: save what it gives, and name that "
            "file"
        )
    try:
        listing = json.loads(_core.list_capture(file))
        number = connection if connection is not None else _largest(listing["connections"])
        layout = _core.lay_out_capture(file, number, file.name)
    except FileNotFoundError:
        raise CaptureError(f"{file}: there is no such file{nearest_file(file)}") from None
    except OSError as error:
        raise CaptureError(f"{file}: {error.strerror or error}") from None
    except ValueError as error:
        raise CaptureError(f"{file}: {error}") from None
    estimated = layout.get("path")
    return Capture(
        file=file,
        listing={key: value for key, value in listing.items() if key != "connections"},
        connections=connection_frame(listing["connections"]),
        connection=number,
        figures=json.loads(layout["figures"]),
        segments=table_frame("segments", layout["segments"]),
        sacks=table_frame("sacks", layout["sacks"]),
        rates=table_frame("rates", layout["rates"]),
        estimated=None if estimated is None else json.loads(estimated),
        scenario_text=layout.get("scenario"),
        why_no_path=layout.get("why_no_path"),
    )


def _largest(connections: list[dict[str, list[int]]]) -> int:
    sizes = [sum(connection["payload"]) for connection in connections]
    return sizes.index(max(sizes))
