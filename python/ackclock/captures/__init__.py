"""Captures of TCP that other programs wrote: connections, one of them laid out, its path."""

from ackclock.captures.capture import Capture
from ackclock.captures.errors import CaptureError
from ackclock.captures.reading import read_pcap

__all__ = ["Capture", "CaptureError", "read_pcap"]
