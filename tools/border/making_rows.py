"""Source of `rows`, from the definitions of columns in the core."""

from __future__ import annotations

from source import Key, exported, typed_dict

from ackclock import _core

__all__ = ["rows_source"]

_HEAD = '''"""Rows and tables of a run, as the core gives them. Made by ``python tools/border``."""

from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

'''

_CLASSES = {
    "flows": ("FlowRow", "Counters of a flow since the warm-up."),
    "links": ("LinkRow", "Counters of one direction of a link since the warm-up."),
    "streams": ("StreamRow", "Counters of a UDP stream since the warm-up."),
    "sessions": ("SessionRow", "Figures of a session, without its transfers."),
    "transfers": ("Transfers", "Transfers of sessions. Not a number: no value."),
    "frames": ("Frames", "Frames that UDP streams sent. Not a number: no value."),
    "datagrams": ("Datagrams", "Datagrams that UDP streams sent. Not a number: no value."),
    "flow_samples": ("FlowSamples", "Time series of flows. Not a number: no value."),
    "link_samples": ("LinkSamples", "Time series of links. Not a number: no value."),
    "internals": ("Internals", "Time series of the algorithms' own variables."),
    "packets": ("Packets", "Packet events."),
    "decisions": ("Decisions", "Decisions of senders. Not a number: no value."),
}
_NAMES = {
    "internals": "Names of the variables.",
    "decisions": "Rules, each with its source in parentheses.",
}
_CODES = {
    "flow": "Index of the flow; streams are numbered after the flows.",
    "link": "Index of the link.",
    "stream": "Index of the UDP stream.",
    "session": "Index of the session.",
    "place": "Index of the flow, or of the link where `point` is 2.",
    "internal": "Index into `names`; 65535: none.",
}


def rows_source() -> str:
    """The text of rows.py."""
    tables = _core.columns()
    parts = [exported(_CLASSES[table][0] for table in tables)]
    for table, columns in tables.items():
        keys = [Key(column["name"], column["type"], _meaning(column)) for column in columns]
        if any(column["kind"] == "internal" for column in columns):
            keys.append(Key("names", "list[str]", _NAMES[table]))
        parts.append(typed_dict(*_CLASSES[table], keys))
    return _HEAD + "\n\n".join(parts)


def _meaning(column: _core.ColumnDefinition) -> str:
    text = _CODES.get(column["kind"], column["meaning"])
    if column["kind"] == "code":
        text = "Code: " + ", ".join(f"{at} {name}" for at, name in enumerate(column["names"])) + "."
    elif column["unit"] not in {"", "1"}:
        text = f"{text} Unit: {column['unit']}."
    return text.replace("null", "None")
