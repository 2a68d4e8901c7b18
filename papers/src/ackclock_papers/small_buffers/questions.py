"""Questions that Wang, Lan & Li leave open."""

from ackclock.studies.criteria import Effect
from ackclock_papers.builders import question
from ackclock_papers.small_buffers import film, laws
from ackclock_papers.small_buffers.points import Points
from ackclock_papers.small_buffers.readings import AXIS, STATED

_OTHERS = ("DropTail", "CoDel", "PIE", "FQ-CoDel")

QUESTIONS = (
    question(
        "P3-Q1",
        "What other effects has RED, compared with DropTail?",
        {
            "throughput": Effect(
                "red", "throughput of TCP", "queue", "RED", "DropTail", better="more"
            ),
            "TCP's loss, percentage points": Points(
                "red", "loss of TCP", "queue", "RED", "DropTail"
            ),
            "the film's loss, percentage points": Points(
                "red", "loss of the film", "queue", "RED", "DropTail"
            ),
            "jitter": Effect("red", "jitter", "queue", "RED", "DropTail"),
        },
        reading="24.4 Mbit/s, the film in bursts, 18 connections or 36, which fill the link; "
        "ns-2's automatic thresholds.",
        why="As P3-RED: where the link is not full, RED's average stays below its lower threshold, "
        "and both drop the packets that come to a full buffer. Where it is full, RED keeps places "
        "free for bursts.",
        figures=("P3-RED-F",),
    ),
    question(
        "P3-Q2",
        "What does it cost the film to leave frame by frame, in bursts?",
        {
            "loss, percentage points": Points(
                "buffers", "loss of the film", AXIS, STATED, "80 % load"
            ),
            "decodable frames, percentage points": Points(
                "buffers", "decodable frames", AXIS, STATED, "80 % load", better="more"
            ),
            "delay": Effect("buffers", "delay of the film", AXIS, STATED, "80 % load"),
            "jitter by RFC 3550": Effect(
                "buffers", "jitter by RFC 3550", AXIS, STATED, "80 % load"
            ),
        },
        reading=f"“{STATED}”, 1.5 Mbit/s over 100 Mbit/s, against “80 % load”, 1.2 Mbit/s over 1.5 "
        "Mbit/s.",
        why="Spread by its access link the film waits there; in bursts it waits at the link that "
        "it shares, as far as the buffer goes (see P3-F5a).",
        figures=("P3-F2-buffer", "P3-F3-buffer", "P3-F5", "P3-film"),
    ),
    question(
        "P3-Q3",
        "How much of the film is lost beside many TCP connections?",
        {
            f"{count} connections, {name}": Points(
                "queues", response, "connections", count, 18, {"queue": "RED"}, better=better
            )
            for count in (36, 144)
            for name, response, better in (
                ("loss of the film, percentage points", "loss of the film", "less"),
                ("decodable frames, percentage points", "decodable frames", "more"),
            )
        },
        paper="Left open: many TCP connections on the link.",
        reading="18 connections of 1 Mbit/s leave a fifth of 24.4 Mbit/s free; twice as many fill "
        "it. 30 packets, RED, film spread.",
        why="36 connections fill the link, and its buffer drops packets, also those of the film.",
        figures=("P3-queues",),
    ),
    question(
        "P3-Q4",
        "Does the share of lost packets say how much of the film is left?",
        laws.FRAMES,
        paper="Only losses of packets are counted.",
        reading="A frame can be decoded if all its packets, and those of all frames that it needs, "
        "came within 400 ms of their sending.",
        why="A lost packet takes its frame with it, and a lost frame all frames that need it: a "
        "lost I frame those of up to two seconds.",
        figures=("P3-frames",),
    ),
    question(
        "P3-Q5",
        "Do CoDel, PIE, FQ-CoDel or DropTail do better by the film than RED?",
        {
            f"{other}, percentage points of decodable frames": Points(
                "queues", "decodable frames", "queue", other, "RED", better="more"
            )
            for other in _OTHERS
        },
        paper="Left open: quality of service.",
        reading="All with a limit of 30 packets in all, and their own defaults.",
        why="All but FQ-CoDel drop packets that come to a full or a long queue, so that they "
        "differ little. FQ-CoDel grants the film a fair share, which beside 36 connections is half "
        "of what it needs and beside 144 a seventh; where 30 packets are full it drops from the "
        "longest queue, and the film, which sends the most of all, loses the most (P3-queues).",
        figures=("P3-queues",),
    ),
    question(
        "P3-Q6",
        "How does priority change the film and TCP?",
        {
            "decodable frames, percentage points": Points(
                "queues", "decodable frames", "queue", "priority", "RED", better="more"
            ),
            "delay": Effect("queues", "delay of the film", "queue", "priority", "RED"),
            "TCP": Effect(
                "queues", "throughput of TCP", "queue", "priority", "DropTail", better="more"
            ),
        },
        paper="Left open: quality of service.",
        reading="The film has the first band, TCP the second; either holds 30 packets, without "
        "RED. TCP is compared with DropTail, its queue behind the film.",
        why="The film needs 1.2 of 24.4 Mbit/s: before all others it loses nothing, and TCP keeps "
        "almost all that DropTail leaves it.",
        figures=("P3-queues",),
    ),
    question(
        "P3-Q7",
        "How large must a buffer be for 99 % utilisation, compared with the three rules?",
        laws.SMALLEST,
        reading="Long Reno connections, 50 Mbit/s, round-trip times of 60 to 140 ms: a "
        "bandwidth-delay product of 417 packets. The size is interpolated between those that were "
        "run, over its logarithm.",
        why="One connection needs less than RTT·C since 99 % is not all. How packets are spaced "
        "decides for few and for some tens of connections, and the least windows of two packets "
        "decide for many (see P3-R2).",
        figures=("P3-rules", "P3-rules-utilisation"),
    ),
    question(
        "P3-Q8",
        "Does pacing change the size of that buffer?",
        {
            f"{buffer} packets": Effect(
                "rules",
                "utilisation",
                "sending",
                "paced",
                "by ACKs",
                {"buffer": buffer},
                better="more",
            )
            for buffer in (16, 64, 256)
        },
        reading="Spaced over the round-trip time at cwnd/SRTT, in place of at once when an ACK "
        "comes.",
        why="Spaced packets do not overflow a small buffer in bursts. Where there is room for "
        "bursts, pacing can cost: that paced connections lose in step, as others have found "
        "(Aggarwal, Savage & Anderson 2000), would explain that; it was not measured here.",
        figures=("P3-rules", "P3-rules-utilisation"),
    ),
    question(
        "P3-Q9",
        "Does the film keep its statistics as packets?",
        film.KEPT,
        paper="Left open: whether the video keeps its statistics once it is cut into packets and "
        "has passed the link.",
        reading="The standard deviation over the mean of its bytes by frame time (40 ms) and by "
        "second, received against sent.",
        why="An access link near the film's own rate spreads a large frame over the time of "
        "several, and one as fast as the film evens out seconds too; losses take most from the "
        "largest frames.",
        figures=("P3-statistics",),
    ),
    question(
        "P3-Q10",
        "Are all of the film's packets there in time?",
        film.in_time,
        paper="Figure 2 has averages, and the limit of 400 ms is one for each packet.",
        reading="The longest delay of a run, in the mean over seeds, against 400 ms.",
        why="In bursts the film waits only at the shared link. Spread, the frames of a scene with "
        "much motion wait for each other at the film's own access link, independent of other "
        "buffers.",
        figures=("P3-film",),
    ),
    question(
        "P3-Q11",
        "Do other jitters than the amplitude grow with the buffer too?",
        {
            name: Effect("buffers", response, "buffer", 50, 5, {AXIS: STATED})
            for name, response in (
                ("RFC 3550's estimate", "jitter by RFC 3550"),
                ("change of the network's delay by second", "jitter of the network"),
            )
        },
        paper="Figure 3: from about ±5 ms at 5 packets up to ±10 ms at 50.",
        reading=f"50 packets against 5, “{STATED}”, where packets wait at the link; P3-F3a is of "
        "the amplitude.",
        why="The variation of the film's packets is made at the link, and grows with its buffer. "
        "The network's delay is made by windows in the access queues, and changes when losses "
        "halve windows, which a larger buffer prevents.",
        figures=("P3-F3-buffer", "P3-jitters"),
    ),
)
