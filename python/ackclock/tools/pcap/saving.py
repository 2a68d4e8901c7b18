"""Write what a capture shows into a folder."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ackclock.atomic_io import Kind, whole_folder, write_parquet
from ackclock.runtime.extras import is_installed
from ackclock.views import view

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.tools.pcap.capture import Capture

__all__ = ["CAPTURE", "save"]

_FRAMES = ("connections", "segments", "sacks", "rates")

CAPTURE = Kind(
    "a capture",
    "capture.json",
    lambda _: set(),
    possible=rf"capture\.(?:json|svg)|path\.toml|(?:{'|'.join(_FRAMES)})\.parquet",
    later=frozenset(),
)
"""A folder that `save` writes."""


def save(capture: Capture, folder: Path) -> None:
    """Write figures as JSON, tables as Parquet, the path as a scenario, and the picture as SVG.

    Without matplotlib there is no picture; without an estimate there is no scenario.
    """
    with whole_folder(folder, CAPTURE) as new:
        content = {
            "file": capture.file.name,
            "connection": capture.connection,
            "listing": capture.listing,
            "figures": capture.figures,
            "path": capture.estimated,
            "why_no_path": capture.why_no_path,
        }
        (new / "capture.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        for name in _FRAMES:
            write_parquet(new / f"{name}.parquet", getattr(capture, name))
        if capture.scenario_text is not None:
            (new / "path.toml").write_text(capture.scenario_text, encoding="utf-8")
        if is_installed("plots"):
            view("capture.figure")(capture).write(new / "capture.svg")
