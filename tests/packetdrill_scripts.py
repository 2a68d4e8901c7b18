"""Packetdrill scripts of our own, for tests of the runner."""

from pathlib import Path

HANDSHAKE = """
    0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3
   +0 setsockopt(3, SOL_SOCKET, SO_REUSEADDR, [1], 4) = 0
   +0 bind(3, ..., ...) = 0
   +0 listen(3, 1) = 0
   +0 < S 0:0(0) win 65535 <mss 1000,sackOK,nop,nop,nop,wscale 7>
   +0 > S. 0:0(0) ack 1 <...>
  +.1 < . 1:1(0) ack 1 win 1000
   +0 accept(3, ..., ...) = 4
"""

SENDS = (
    HANDSHAKE
    + """
   +0 write(4, ..., 5000) = 5000
   +0 > P. 1:5001(5000) ack 1
   +0 %{ assert tcpi_snd_cwnd == 10, tcpi_snd_cwnd }%
  +.1 < . 1:1(0) ack 5001 win 1000
"""
)
"""The host sends five segments within its initial window."""

RECEIVES = (
    HANDSHAKE
    + """
   +0 < P. 1:1001(1000) ack 1 win 1000
   +0 > . 1:1(0) ack 1001
   +0 read(4, ..., 2000) = 1000
   +0 < . 2001:3001(1000) ack 1 win 1000
   +0 > . 1:1(0) ack 1001 <nop,nop,sack 2001:3001>
"""
)
"""The host receives two segments, the second above a hole."""


def suite(folder: Path, **scripts: str) -> Path:
    """Write a suite with one topic, and a script for each keyword."""
    topic = folder / "suite" / "topic"
    topic.mkdir(parents=True)
    for name, text in scripts.items():
        (topic / f"{name}.pkt").write_text(text)
    return topic.parent


CLAIM = """// A claim.
// ackclock: profile=linux
// ackclock: mss=1000
+0 socket(..., SOCK_STREAM, IPPROTO_TCP) = 3
+0 connect(3, ..., ...) = -1 EINPROGRESS (Operation now in progress)
+0 > S 0:0(0) <mss 1460,sackOK,TS val 1000 ecr 0,nop,wscale 11>
+.1 < S. 0:0(0) ack 1 win 65535 <mss 1012,sackOK,TS val 1100 ecr 1000,nop,wscale 14>
+0 > . 1:1(0) ack 1
+0 write(3, ..., 1000000) = 1000000
+0 > P. 1:10001(10000) ack 1
+.1 < . 1:1(0) ack 1001 win 65535
+0 > P. 10001:12001(2000) ack 1
+0 %{ assert tcpi_snd_cwnd == 11 }%
"""
"""A transcript: a header says the host, and the claims are exact."""
