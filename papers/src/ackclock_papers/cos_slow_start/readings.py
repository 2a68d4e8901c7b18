"""Readings of the settings that the paper leaves open."""

from ackclock.studies.reading import Reading
from ackclock_papers.builders import choices

_FEW = [1, 2, 5, 10, 20]
_ALL = [*_FEW, 40, 60, 80, 100]
_UNITS = "units of packets and files"
_RANGE = "range of the number of connections"
_WINDOW = "initial window"
_BUFFER = "packets that the buffer of 20 counts"

READINGS = (
    Reading(
        "bits",
        "“1Kb” packets and a file of “1Mb” are a kilobit and a megabit: 125 and 125,000 bytes, and "
        "an ssthresh of 162 packets; 1 to 100 connections, from a window of one packet.",
        "Everywhere else the paper writes b for bits: links of Mb/s, and “32 Kb/s to 40 b/s” of "
        "1986. The path's bandwidth-delay product, 1.5 Mb/s times 108 ms, is then 162 of its "
        "packets.",
        {"units": "bits", "connections": _ALL, "initial_window": 1, "setup": "as ns-2 has it"},
        topic=_UNITS,
    ),
    Reading(
        "bytes",
        "“1Kb” packets and a file of “1Mb” are a kilobyte and a megabyte: 1000 and 1,000,000 "
        "bytes, and an ssthresh of 20 packets.",
        "ns-2's packetSize_ counts bytes and is 1000 as it comes; a kilobit would be an unusual "
        "packet.",
        {"units": "bytes"},
        topic=_UNITS,
    ),
    Reading(
        "bits, to 20",
        "As “bits”, with 1 to 20 connections.",
        "The axis of Figure 6 is the number of connections, and its range is not printed: with 100 "
        "connections each has less than two packets of path and buffer together.",
        {"connections": _FEW},
        topic=_RANGE,
    ),
    Reading(
        "bytes, to 20",
        "As “bytes”, with 1 to 20 connections.",
        "As “bits, to 20”; with 20 connections each has two packets of path and buffer together.",
        {"units": "bytes", "connections": _FEW},
        topic=_RANGE,
    ),
    Reading(
        "bits, from 4",
        "As “bits”, from an initial window of four packets.",
        "The paper names the larger initial window of RFC 3390 and draws its curve from one "
        "packet.",
        {"initial_window": 4, "setup": "window of 4"},
        topic=_WINDOW,
    ),
    Reading(
        "bytes, from 4",
        "As “bytes”, from an initial window of four packets.",
        "As “bits, from 4”.",
        {"units": "bytes", "initial_window": 4, "setup": "window of 4"},
        topic=_WINDOW,
    ),
    Reading(
        "bits, 20 wait",
        "As “bits”, with room for 20 packets beside the one that is being sent.",
        "“Router buffer 20 packets” may count waiting packets only. The paper ran ns-2, whose "
        "DropTail with a limit of 20 lets 19 wait: its drop-tail.cc counts the one that is being "
        "sent.",
        {"setup": "20 wait"},
        topic=_BUFFER,
    ),
    Reading(
        "bytes, 20 wait",
        "As “bytes”, with room for 20 packets beside the one that is being sent.",
        "As “bits, 20 wait”.",
        {"units": "bytes", "setup": "20 wait"},
        topic=_BUFFER,
    ),
)

CHOICES = choices("""
    headers | 40 bytes beside a packet's data, as ns-2 has them; P1-Q10 counts them in ssthresh.
    ssthresh “close to the bandwidth of the path” | the path's bandwidth-delay product in packets of
      data.
    an infinite initial ssthresh | COS is undefined; ackclock's doubles until the first loss. No
      experiment of the paper's needs it.
    router buffer of 20 packets | behind DropTail 19 that wait and the one that is being sent, as in
      ns-2; behind RED 20 that wait, as in ns-2.
    RED's parameters | none are given: ns-2.28's as they come, and those of before 2001, both at
      every setting. A buffer is 20 packets.
    TCP Reno | duplicate ACKs, fast recovery until the first new ACK, no SACK, an ACK per packet
      (profile classic).
    starts | uniform over one second: the paper does not say.
""")
