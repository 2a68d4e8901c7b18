"""Claims of Wang, Lan & Li, sentence by sentence."""

from ackclock.studies.criteria import Change, Level, RatioOf, greater, less, no_more, same, within
from ackclock_papers.builders import claim
from ackclock_papers.small_buffers import laws
from ackclock_papers.small_buffers.points import Below, levels_off

_FROM_20 = [20, 30, 50]


def _more(response: str, buffer: int, than: int) -> Change:
    return greater("buffers", response, "buffer", buffer, than)


_FEW = (
    "ns-2 was run with few seeds. Where the verdicts differ, the intervals of one simulator leave "
    "open what those of the other decide; they never contradict each other."
)
_FIRST, _LATER = "lowest throughput of TCP in the first 50 s", "lowest throughput of TCP after 50 s"

CLAIMS = (
    claim(
        "P3-F2a",
        "The network's delay is about 100 ms with a buffer of 5 packets, 400 ms with 10, 300 ms "
        "with 20 and more.",
        paper="Figure 2: about 100 ms at 5 packets, 400 ms at 10, 300 ms at 20, 30 and 50.",
        reading="Mean over the run; “about”: within a quarter.",
        criterion={
            f"{buffer} packets": within(
                "buffers", "network delay", 1e-3 * delay, tolerance=0.25, at={"buffer": buffer}
            )
            for buffer, delay in ((5, 100), (10, 400), (20, 300), (30, 300), (50, 300))
        },
        why="A full queue of 50 packets is 25 ms at 24.4 Mbit/s and 12 ms at 52 Mbit/s, so the "
        "buffer's own link adds little. The wait is in the senders' own access queues: a whole "
        "window waits there, 12 ms for each packet, and the largest window decides how long. A "
        "small buffer shortens the wait, since its drops halve windows (P3-F2, P3-F2-buffer).",
        figures=("P3-F2", "P3-F2-buffer", "P3-delays"),
    ),
    claim(
        "P3-F2b",
        "The delay depends on the buffer, and is longest with 10 packets: longer than with 5, and "
        "than with 20.",
        paper="Figure 2: 100, 400 and 300 ms.",
        criterion={
            "10 against 5 packets": _more("network delay", 10, 5),
            "10 against 20 packets": _more("network delay", 10, 20),
        },
        why="A larger buffer drops less, and the other packets fill the access queues: where the "
        "buffer matters, the delay grows with it throughout, and 10 packets are no exception "
        "(P3-F2-buffer).",
        figures=("P3-F2-buffer", "P3-F2"),
        differs=f"{_FEW} As few seeds of ackclock leave that open, too.",
    ),
    claim(
        "P3-F2c",
        "The delay is no longer than real-time video can bear, 400 ms.",
        paper="Figure 2, with a limit of 400 ms for real-time video; 10 packets are just at it.",
        reading="Mean over the run, with each buffer.",
        criterion=Level("buffers", "network delay", highest=0.4),
        why="As P3-F2a: the access queues decide. The part of a window that is not on its way "
        "waits there, so a largest window of 20 or 32 packets bounds the delay, and without one it "
        "goes up to the time that 50 packets take.",
        figures=("P3-F2", "P3-F2-buffer"),
    ),
    claim(
        "P3-F3a",
        "The film's jitter grows with the buffer.",
        paper="Figure 3: about ±5 ms at 5 packets up to ±10 ms at 50.",
        reading="Amplitude: a bound that 99 % of the changes of delay from one packet to the next "
        "do not exceed.",
        criterion=_more("jitter", 50, 5),
        why="In bursts the packets of a frame meet at the shared link, and the more of them its "
        "buffer holds, the more their delays differ. Spread by an access link as fast as the film "
        "they do not meet there: that link puts the packets of a frame 6.6 ms apart, at any buffer "
        "(P3-F3).",
        figures=("P3-F3", "P3-F3-buffer"),
    ),
    claim(
        "P3-F3b",
        "The jitter is about ±5 ms with 5 packets and ±10 ms with 50.",
        paper="Figure 3: about ±5 ms and ±10 ms.",
        reading="Amplitude as in P3-F3a; “about”: within a half.",
        criterion={
            "5 packets": within("buffers", "jitter", 5e-3, tolerance=0.5, at={"buffer": 5}),
            "50 packets": within("buffers", "jitter", 10e-3, tolerance=0.5, at={"buffer": 50}),
        },
        why="As P3-F3a. 5 packets take 2.5 ms at 24.4 Mbit/s, so that a queue of 5 cannot make ±5 "
        "ms of jitter; and the printed numbers are far below the spread that an access link of 1.5 "
        "Mbit/s gives a frame.",
        figures=("P3-F3", "P3-F3-buffer"),
    ),
    claim(
        "P3-F4a",
        "TCP carries 12 Mbit/s with 5 packets, and 17.98 Mbit/s with 30 and 50.",
        paper="Figure 4: 12 Mbit/s at 5 packets, 17.98 Mbit/s at 30 and 50.",
        reading="Wire bytes of all TCP connections at their receivers; 12 within a tenth, 17.98 "
        "within 2 %, for slow start is in it.",
        criterion={
            "5 packets": within(
                "buffers", "throughput of TCP", 12e6, tolerance=0.1, at={"buffer": 5}
            ),
            "30 and 50 packets": within(
                "buffers", "throughput of TCP", 17.98e6, tolerance=0.02, at={"buffer": [30, 50]}
            ),
        },
        why="The access links let 18 Mbit/s through, and TCP has it where nothing is lost. With 5 "
        "packets it loses throughput only to a film in bursts, most at 24.4 Mbit/s: after a loss "
        "an access link is partly idle until the window has grown back, the longer the slower "
        "windows grow. Delayed ACKs halve that growth.",
        figures=("P3-F4", "P3-F4-buffer", "P3-throughputs"),
    ),
    claim(
        "P3-F4b",
        "With 5 packets TCP loses a large part of its throughput, with 10 and 20 a small one.",
        paper="Figure 4: 12 of 17.98 Mbit/s at 5 packets; small dips at 10 and 20.",
        reading="Against 30 packets: a large part is a fifth at least, a small one is more than "
        "nothing and less than a tenth.",
        criterion={
            "5 packets": less("buffers", "throughput of TCP", "buffer", 5, 30, by=0.2),
            "10 packets, less": less("buffers", "throughput of TCP", "buffer", 10, 30),
            "20 packets, less": less("buffers", "throughput of TCP", "buffer", 20, 30),
            "10 packets, by less than a tenth": same(
                "buffers", "throughput of TCP", "buffer", 10, 30, margin=0.1
            ),
            "20 packets, by less than a tenth": same(
                "buffers", "throughput of TCP", "buffer", 20, 30, margin=0.1
            ),
        },
        why="As P3-F4a: a film in bursts takes the more from TCP, the smaller the buffer and the "
        "fuller the link. A film that is spread fills no buffer that the others would need.",
        figures=("P3-F4-buffer", "P3-F4"),
    ),
    claim(
        "P3-F4c",
        "With 5 packets the throughput dips deeply within the first 50 s and recovers, with 10 and "
        "20 it dips a little.",
        paper="Figure 4: a deep dip within the first 50 s at 5 packets, a small one at 10 and 20.",
        reading="The lowest five seconds between 5 s and 50 s over the lowest after 50 s: a deep "
        "dip is one to at most 80 %, a small one to 80 to 99 %, and with 30 and 50 packets there "
        "is none.",
        criterion={
            "5 packets": RatioOf("buffers", _FIRST, _LATER, highest=0.8, at={"buffer": 5}),
            "10 and 20 packets": RatioOf(
                "buffers", _FIRST, _LATER, lowest=0.8, highest=0.99, at={"buffer": [10, 20]}
            ),
            "30 and 50 packets, none": RatioOf(
                "buffers", _FIRST, _LATER, lowest=0.99, at={"buffer": [30, 50]}
            ),
        },
        why="The film's bursts come all the time, and so do the losses of a small buffer: they "
        "have no first 50 s (P3-F4). One dip at the beginning is the end of slow start in access "
        "queues of 50 packets, if no largest window keeps slow start from filling them; it is "
        "equal with every buffer.",
        figures=("P3-F4",),
        differs=_FEW,
    ),
    claim(
        "P3-F5a",
        "From 20 packets on a larger buffer saves TCP no more losses; below it does.",
        paper="Figure 5: the loss of TCP falls up to 20 packets and levels off there.",
        reading="Level: within a tenth of the loss at 20 packets.",
        criterion={
            "20 against 5 packets, percentage points": Below(
                "buffers", "loss of TCP", "buffer", 20, 5
            ),
            "20 against 10 packets, percentage points": Below(
                "buffers", "loss of TCP", "buffer", 20, 10
            ),
            "30 against 20 packets": levels_off(
                "buffers", "loss of TCP", "buffer", 30, 20, margin=0.1
            ),
            "50 against 20 packets": levels_off(
                "buffers", "loss of TCP", "buffer", 50, 20, margin=0.1
            ),
        },
        why="At the link losses go on falling to none: a frame of up to 38 packets that comes at "
        "100 Mbit/s fills 20 places, and 50 hold it. Losses level off where TCP has another place "
        "to lose: an access queue of 50 packets, which a window without a limit fills once in each "
        "of its cycles.",
        figures=("P3-F5", "P3-losses"),
        differs=_FEW,
    ),
    claim(
        "P3-F5b",
        "The level is about 0.028 % of TCP's packets.",
        paper="Figure 5: about 0.028 % from 20 packets on.",
        reading="“About”: within a half.",
        criterion=within(
            "buffers", "loss of TCP", 0.028e-2, tolerance=0.5, at={"buffer": _FROM_20}
        ),
        why="As P3-F5a: it is the level of the access queues. Reno with delayed ACKs that loses a "
        "packet each time that its window reaches w sends about 3/4 w² packets in between, and an "
        "access link with 50 packets of queue lets w be about 60 to 68.",
        figures=("P3-F5", "P3-losses"),
    ),
    claim(
        "P3-F5c",
        "From 20 packets on almost nothing of the film is lost.",
        paper="Figure 5: almost no loss of UDP from 20 packets on.",
        reading="“Almost nothing”: at most one packet of ten thousand.",
        criterion=Level("buffers", "loss of the film", highest=1e-4, at={"buffer": _FROM_20}),
        why="As P3-F5a: a burst loses the part for which the buffer has no place. An access link "
        "as fast as the film loses packets itself, and no buffer elsewhere helps against it.",
        figures=("P3-F5", "P3-film"),
    ),
    claim(
        "P3-S1",
        "The film is 12 % of the bytes on the target link.",
        paper="The text on the simulation: the video is 12 % of the bytes.",
        reading="Bytes that the link delivers, with each buffer; within a tenth of 12 %.",
        criterion=RatioOf(
            "buffers",
            "throughput of the film",
            "throughput of the link",
            lowest=0.108,
            highest=0.132,
        ),
        why="1.5 Mbit/s are 12 % of 12.5 Mbit/s, and 7.7 % of the 19.5 Mbit/s that all senders can "
        "bring. The film has a larger share only where TCP carries less, and there it loses "
        "packets itself.",
        figures=("P3-loads",),
    ),
    claim(
        "P3-S2",
        "The target link is used for at most 80 % of the time.",
        paper="The text on the simulation: a load of 80 %.",
        reading="Share of time that the link transmits, with each buffer.",
        criterion=Level("buffers", "utilisation of the link", highest=0.8),
        why="The access links let 19.5 Mbit/s through: 37.5 % of 52 Mbit/s and 79.9 % of 24.4 "
        "Mbit/s.",
        figures=("P3-loads",),
        differs=f"{_FEW} As few seeds of ackclock leave that open, too.",
    ),
    claim(
        "P3-RED",
        "RED at the target link keeps connections from losing in step.",
        paper="The text on the simulation: RED at the target link, to avoid synchronised drops.",
        reading="In step: they lose within the same 200 ms, about a round-trip time, or their "
        "windows move alike. Against DropTail; ns-2's automatic thresholds; 24.4 Mbit/s and a film "
        "in bursts; 18 connections, and 36 that fill the link.",
        criterion={
            "fewer lose at once": less(
                "red", "connections that lose within 200 ms", "queue", "RED", "DropTail"
            ),
            "windows move less alike": Below(
                "red", "correlation of the windows", "queue", "RED", "DropTail"
            ),
        },
        why="RED drops early only where its average passes 5 packets at 24.4 Mbit/s. 18 senders "
        "and a film leave a fifth of the link free, so its queue lasts no longer than a burst, and "
        "the full buffer decides for both. A buffer of 5 packets is full before an average of 5 is "
        "reached, with any number of senders.",
        figures=("P3-RED-F",),
    ),
    claim(
        "P3-C",
        "30 packets are the best compromise.",
        paper="The conclusion: throughput as with 50 packets, and delay and loss that the video "
        "bears.",
        reading="The smallest of the five with which TCP carries as much as with 50, but for 1 %, "
        "the film loses at most one packet of ten thousand, and the delay is at most 400 ms; and "
        "50 packets cost jitter.",
        criterion={
            "50 packets bring TCP less than 1 %": no_more(
                "buffers", "throughput of TCP", "buffer", 50, 30, margin=0.01
            ),
            "30 packets lose almost nothing of the film": Level(
                "buffers", "loss of the film", highest=1e-4, at={"buffer": 30}
            ),
            "the delay with 30 packets": Level(
                "buffers", "network delay", highest=0.4, at={"buffer": 30}
            ),
            "20 packets cost TCP 1 % or more": less(
                "buffers", "throughput of TCP", "buffer", 20, 50, by=0.01
            ),
            "50 packets cost jitter": _more("jitter", 50, 30),
        },
        why="No one size is best under all readings: a film that is spread needs no more than 10 "
        "packets, one in bursts as many as its largest frames leave waiting, which is above 30 at "
        "24.4 Mbit/s.",
        figures=("P3-F4-buffer", "P3-F5", "P3-film", "P3-F3-buffer"),
    ),
    claim(
        "P3-R1",
        "1, 4 and 8 long connections in step keep a link of 40 Mbit/s busy with a buffer of RTT·C, "
        "and no smaller one does.",
        paper="The rule of thumb, cited for 1, 4 and 8 synchronised long flows at 40 Mbit/s "
        "(Villamizar & Song).",
        reading="A round-trip time of 80 ms for all; busy: 99 % of the time; smaller: half of it; "
        "in step: more than half of the connections lose in an epoch of losses.",
        criterion={
            "RTT·C": Level("thumb", "utilisation", lowest=laws.WANTED, at={"share": 1}),
            "half of it": Level("thumb", "utilisation", highest=laws.WANTED, at={"share": 0.5}),
            "in step": Level(
                "thumb",
                "connections that lose at once",
                lowest=0.5,
                at={"share": 1, "connections": [4, 8]},
            ),
        },
        why="Connections of one round-trip time that lose together fall together: half of two "
        "bandwidth-delay products is one, which the path holds without a queue. With half of the "
        "buffer their sum falls below what the path holds.",
        figures=("P3-thumb",),
    ),
    claim(
        "P3-R2",
        "Many connections keep a link busy with a buffer of RTT·C/√N.",
        paper="Small buffers, cited from Appenzeller et al.",
        reading="50 Mbit/s, 60 to 140 ms. Many: ten and more. Busy: 99 % of the time.",
        criterion=laws.below("RTT·C/√N", 10),
        why="The rule counts how far the sum of many windows falls, as if packets came evenly. "
        "Packets sent when ACKs come arrive in bursts, which a small buffer does not hold "
        "(P3-rules-utilisation). From 300 connections on a bandwidth-delay product is less than "
        "the two packets that a halved window has at least: a loss leaves the link enough, and the "
        "buffer has only bursts to bear.",
        figures=("P3-rules", "P3-rules-utilisation"),
    ),
    claim(
        "P3-R3",
        "Buffers of tens of packets suffice, at any number of connections.",
        paper="Tiny buffers, O(log W), cited from Enachescu et al.: tens of packets.",
        reading="The rule's own formula for windows that would fill 90 % of the link, ten "
        "connections and more that send when ACKs come, though it was made for paced ones.",
        criterion=laws.below("O(log W)", 10),
        why="As P3-R2: the rule is one for paced packets and a link that is not full. The rule "
        "holds only where the least windows of many connections fill the link.",
        figures=("P3-rules",),
    ),
)
