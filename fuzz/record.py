"""A record of nothing: the table `record` of a plan whose counters alone are asked for."""

from __future__ import annotations

from typing import Any

__all__ = ["OFF"]

OFF: dict[str, Any] = {
    "samples": {"kind": "off"},
    "flows": None,
    "links": None,
    "datagrams": False,
    "packet_links": [],
    "packet_senders": [],
    "packet_receivers": [],
}
"""Shared: copy the table before a change."""
