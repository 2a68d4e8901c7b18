"""Readings of the settings that the paper leaves open."""

from ackclock.studies.reading import Reading

AXIS = "as read"
"""Of buffers.toml."""
LITERAL = "as printed"
STATED = "stated load"
WINDOW = f"{STATED} + window of 32"
NO_WINDOW = f"{STATED} + no window"
SHORTER = f"{STATED} + 80 ms"
SAWTOOTH = "sawtooth"
STEADY = f"{SAWTOOTH} after 20 s"


def _at(name: str, topic: str, text: str, why: str, *, of: str = "", **responses: str) -> Reading:
    """Return a reading that is a setting of buffers.toml: the one of its name, or `of`."""
    return Reading(name, text, why, {AXIS: of or name}, responses, topic)


READINGS = (
    Reading(
        LITERAL,
        "A link of 52 Mbit/s and 50 ms behind RED. 18 access links of 1 Mbit/s and one of 1.5 "
        "Mbit/s through which a film of 1.2 Mbit/s fits, with DropTail queues of 50 packets. A "
        "largest window of 20 packets and an ACK per packet. Network delay is the mean over the "
        "data packets of all senders, jitter the amplitude of the film's packet delay variation, "
        "loss that of all of TCP's packets, at any link. All of the run counts.",
        "The paper's printed settings; where it prints nothing, ns-2's defaults: “the other links "
        "use DropTail”, which holds 50 packets there, window_ is 20, and TCPSink acknowledges each "
        "packet. Figure 2 has “network delay”, not the film's, and figure 3 an oscillation with an "
        "amplitude. The film's rate is printed as that of its access link; 1.2 Mbit/s, four fifths "
        "of it, is the study's choice, and the readings of the film have 1.5.",
        {AXIS: LITERAL},
        {},
        "all",
    ),
    _at(
        "80 % load",
        "load",
        "The link has 24.4 Mbit/s in place of 52.",
        "18 senders of 1 Mbit/s and a film of 1.5 Mbit/s are 37.5 % of 52 Mbit/s; they are the "
        "stated 80 % of 24.4 Mbit/s.",
    ),
    _at(
        "bursts",
        "film",
        "The film itself has 1.5 Mbit/s with its headers, and leaves frame by frame over 100 "
        "Mbit/s.",
        "ns-2's Traffic/Trace hands a frame to UDP at once, which cuts it into packets that leave "
        "together; 1.5 Mbit/s then is the film's rate, with which the paper's load is counted.",
    ),
    _at(
        "full film",
        "film",
        "The film has 1.5 Mbit/s with its headers, and so has its access link.",
        "The paper names one rate for the video, which may be both.",
    ),
    _at(
        "unlimited queues",
        "access queues",
        "The access queues have no limit.",
        "The paper looks at losses at one link, and gives no size for other queues.",
    ),
    _at(
        "delayed ACKs",
        "ACKs",
        "Receivers acknowledge every second packet, or after 100 ms (ns-2's DelAck).",
        "Most receivers of 2008 did; the paper does not say which sink it takes.",
    ),
    _at(
        "window of 32",
        "largest window",
        "The largest window is 32 packets.",
        "32 packets of 1,500 bytes are 48 kB, about what a receiver without window scaling "
        "offered.",
    ),
    _at(
        "no window",
        "largest window",
        "There is no largest window.",
        "A simulation of long TCP connections often lifts ns-2's limit, so that cwnd alone "
        "decides.",
    ),
    _at(
        "80 ms",
        "round-trip time",
        "The link has 14.5 ms in place of 50 ms, which makes a mean round-trip time of 80 ms.",
        "The paper says “effective RTT 80 ms”; a link of 50 ms alone makes 100 ms of it.",
    ),
    _at(
        "after 20 s",
        "what counts",
        "The first 20 s, with TCP's slow start, do not count.",
        "The paper does not say how long its runs are; in a long one the start has no weight.",
    ),
    Reading(
        "the film's delay",
        "Network delay is that of the film's packets.",
        "The paper is about real-time video, and compares the delay with the limit that video can "
        "bear.",
        responses={"network delay": "delay of the film"},
        topic="delay",
    ),
    Reading(
        "RFC 3550",
        "Jitter is the estimate of RFC 3550, the largest of a run.",
        "It is what receivers of real-time video report.",
        responses={"jitter": "jitter by RFC 3550"},
        topic="jitter",
    ),
    Reading(
        "the network's jitter",
        "Jitter is how far the network's delay changes from one second to the next.",
        "Figure 3 may be made from the averages of figure 2.",
        responses={"jitter": "jitter of the network"},
        topic="jitter",
    ),
    Reading(
        "losses at the target",
        "TCP's losses are those at the target link alone.",
        "The paper's metrics are those of a router, which sees no losses elsewhere.",
        responses={"loss of TCP": "loss of TCP at the target link"},
        topic="loss",
    ),
    _at(
        "full film's delay",
        "bundle: film, delay",
        "As “full film”, and network delay is that of the film's packets.",
        "A film as fast as its access link keeps that link's queue long, which a delay of hundreds "
        "of milliseconds needs.",
        of="full film",
        **{"network delay": "delay of the film"},
    ),
    _at(
        STATED,
        "bundle: load, film",
        "As “80 % load” and “bursts” at once.",
        "With both the load is the stated one, and losses at the link are possible at all.",
    ),
    _at(
        SHORTER,
        "bundle: load, film, round-trip time",
        f"As “{STATED}” and “80 ms” at once.",
        "Load and round-trip time are then both as the text states them, and the link is not as "
        "printed.",
    ),
    _at(
        WINDOW,
        "bundle: load, film, largest window",
        f"As “{STATED}” and “window of 32” at once.",
        "A window of 32 packets takes 384 ms on an access link of 1 Mbit/s, near the delays that "
        "the paper prints.",
    ),
    _at(
        NO_WINDOW,
        "bundle: load, film, largest window",
        f"As “{STATED}” and “no window” at once.",
        "TCP then fills the access queues and loses there too, so that losses need not end with a "
        "larger buffer.",
    ),
    _at(
        SAWTOOTH,
        "bundle: load, film, largest window, ACKs",
        f"As “{STATED}”, “no window” and “delayed ACKs” at once.",
        "Both are what hosts of 2008 did; windows then grow half as fast, and each loss costs TCP "
        "more, as a large fall needs.",
    ),
    _at(
        STEADY,
        "bundle: load, film, largest window, ACKs, what counts",
        f"As “{SAWTOOTH}”, without the first 20 s.",
        "Access queues of 50 packets end slow start with many losses, which a long run would "
        "hardly show.",
    ),
)
