"""Captures of TCP that other programs wrote: connections, one of them laid out, its path."""

from ackclock.tools.pcap.capture import Capture, CaptureError
from ackclock.tools.pcap.reading import read_pcap

__all__ = ["Capture", "CaptureError", "read_pcap"]
