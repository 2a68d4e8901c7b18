"""Compares capture files with the packet events of their point."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fuzz.trial import Trial

__all__ = ["captures", "packets_of"]

_SECTION, _INTERFACE, _PACKET = 0x0A0D0D0A, 1, 6


def packets_of(path: Path) -> tuple[list[int], list[int]]:
    """Return the times, ns, and lengths of the packets of a pcapng file.

    Raises
    ------
    ValueError
        If the file does not consist of whole blocks.
    """
    data = path.read_bytes()
    times, lengths, at = [], [], 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if at == 0 and kind != _SECTION:
            raise ValueError("does not begin with a section header")
        if (
            length < 12
            or length % 4
            or struct.unpack_from("<I", data, at + length - 4)[0] != length
        ):
            raise ValueError(f"a block of {length} bytes at {at}")
        if kind == _PACKET:
            _, high, low, captured, original = struct.unpack_from("<IIIII", data, at + 8)
            if captured > original or captured + 32 > length:
                raise ValueError(f"{captured} of {original} bytes captured in a block of {length}")
            times.append(high << 32 | low)
            lengths.append(original)
        at += length
    return times, lengths


def captures(trial: Trial) -> Iterator[str]:
    """Write every capture and read it back."""
    for point in trial.scenario.record.pcap:
        path = trial.folder / "capture.pcapng"
        written = trial.core.write_pcapng(str(path), point)
        try:
            times, _ = packets_of(path)
        except ValueError as error:
            yield f"{point}: {error}"
            continue
        finally:
            path.unlink()
        rows = _rows(trial, point)
        if not written == len(times) == len(rows):
            counts = f"{written} packets written, {len(times)} in the file, {len(rows)} events"
            yield f"{point}: {counts}"
        elif times != sorted(rows.tolist()):
            yield f"{point}: the times of the packets are not those of the events"


def _rows(trial: Trial, point: str) -> Any:
    """Return the times of the events that a capture at a point shows, ns."""
    rows = trial.packets
    kind, event = np.asarray(rows["point"]), np.asarray(rows["event"])
    if point in ("sender", "receiver"):
        # A damaged packet reaches its host, and a capture there shows it.
        here = (kind == ("sender", "receiver").index(point)) & (event <= 1)
    else:
        names = [link["name"] for link in trial.plan["links"]]
        here = (kind == 2) & (np.asarray(rows["where"]) == names.index(point)) & (event == 1)
    return np.asarray(rows["time_ns"])[here]
