"""What Wang, Lan & Li claim, sentence by sentence."""

from __future__ import annotations

from ackclock.studies.claim import Claim
from ackclock.studies.criteria import Change, Level, greater, less, no_more, same, within
from ackclock.studies.rules import All
from ackclock.studies.small_buffers import laws

__all__ = ["CLAIMS", "PAPER"]

PAPER = {"queue": "RED"}
_FROM_20 = (20, 30, 50)


def _more(response: str, buffer: int, than: int) -> Change:
    return greater("buffers", response, "buffer", buffer, than, at=PAPER)


CLAIMS = (
    Claim(
        "P3-F2a",
        "The film's packets take about 100 ms with a buffer of 5 packets, 400 ms with 10, 300 ms with 20 and more.",
        paper="Figure 2: about 100 ms at 5 packets, 400 ms at 10, 300 ms at 20, 30 and 50.",
        reading="Mean one-way delay over the run; “about”: within a quarter.",
        criterion=All(
            tuple(
                (f"{buffer} packets", within("buffers", "delay of the film", 1e-3 * delay, tolerance=0.25, at={**PAPER, "buffer": buffer}))
                for buffer, delay in ((5, 100), (10, 400), (20, 300), (30, 300), (50, 300))
            )
        ),
        why="A full queue of 50 packets is 25 ms at 24.4 Mbit/s, and the buffer moves the mean delay by less than 2 ms. What is "
        "waited for is the film's own access link: spread by it, the film takes 84 ms more in the mean than in bursts (P3-F2, "
        "P3-F2-curve), whatever the buffer.",
        figures=("P3-F2", "P3-F2-curve"),
    ),
    Claim(
        "P3-F2b",
        "The film's delay depends on the buffer: with 10 packets it is longer than with 5, and than with 20.",
        paper="Figure 2: 100, 400 and 300 ms.",
        criterion=All(
            (
                ("10 against 5 packets", _more("delay of the film", 10, 5)),
                ("10 against 20 packets", _more("delay of the film", 10, 20)),
            )
        ),
        why="A larger buffer keeps packets that a smaller one drops, and those wait longest. So the delay grows with the buffer "
        "throughout: from 5 to 50 packets by 1.7 ms in bursts at 24.4 Mbit/s, by less than 0.4 ms elsewhere. 10 packets "
        "are no exception.",
        figures=("P3-F2", "P3-F2-curve"),
    ),
    Claim(
        "P3-F2c",
        "The film's packets are not later than real-time video can bear, 400 ms, with buffers other than 10.",
        paper="Figure 2, with a limit of 400 ms for real-time video.",
        reading="The longest delay of a run, in the mean over seeds.",
        criterion=All(
            tuple(
                (f"{buffer} packets", Level("buffers", "longest delay of the film", highest=0.4, at={**PAPER, "buffer": buffer}))
                for buffer in (5, *_FROM_20)
            )
        ),
        why="As P3-F2a: the longest delay, 358 ms, is that of frames that wait for each other at a slow access link. The buffer "
        "adds 14 ms at most, in bursts at 24.4 Mbit/s. With 10 packets it is no different.",
        figures=("P3-F2-longest",),
    ),
    Claim(
        "P3-F3a",
        "The film's jitter grows with the buffer.",
        paper="Figure 3: about ±5 ms at 5 packets up to ±10 ms at 50.",
        reading="RFC 3550's estimate, the largest of a run.",
        criterion=_more("jitter of the film", 50, 5),
        why="In bursts the jitter is that of the queue, which grows with what a buffer holds. Spread, it is that of the access "
        "link, which puts the packets of a frame 6.6 ms apart: no buffer of the other link changes it.",
        figures=("P3-F3",),
    ),
    Claim(
        "P3-F3b",
        "The film's jitter is about 5 ms with 5 packets and 10 ms with 50.",
        paper="Figure 3: about ±5 ms and ±10 ms.",
        reading="As P3-F3a; “about”: within a half.",
        criterion=All(
            (
                ("5 packets", within("buffers", "jitter of the film", 5e-3, tolerance=0.5, at={**PAPER, "buffer": 5})),
                ("50 packets", within("buffers", "jitter of the film", 10e-3, tolerance=0.5, at={**PAPER, "buffer": 50})),
            )
        ),
        why="As P3-F3a: the access link of 1.5 Mbit/s alone makes 14.9 ms; without it the queue makes 0.6 to 1.5 ms. The paper's "
        "numbers lie between.",
        figures=("P3-F3",),
    ),
    Claim(
        "P3-F4a",
        "TCP carries 12 Mbit/s with 5 packets, and 17.98 Mbit/s with 30 and 50.",
        paper="Figure 4: 12 Mbit/s at 5 packets, 17.98 Mbit/s at 30 and 50.",
        reading="Wire bytes of all TCP connections at their receivers, over the whole run; 12 within a tenth, 17.98 within 2 %, for slow "
        "start is in it.",
        criterion=All(
            (
                ("5 packets", within("buffers", "throughput of TCP", 12e6, tolerance=0.1, at={**PAPER, "buffer": 5})),
                ("30 and 50 packets", within("buffers", "throughput of TCP", 17.98e6, tolerance=0.02, at={**PAPER, "buffer": [30, 50]})),
            )
        ),
        why="The access links let 18 Mbit/s through, and with 30 and 50 packets TCP has it. With 5 it loses throughput only to a "
        "film in bursts, most at 24.4 Mbit/s, where 0.60 % of its packets are lost: a loss halves a window of 20 to 10, and "
        "over 102 to 200 ms an access link of 1 Mbit/s holds 8 to 17. With a mean of 80 ms, where it holds 3 to 11, 16.9 Mbit/s "
        "are left in place of 14.0 (P3-printed).",
        figures=("P3-F4", "P3-F4-curve"),
    ),
    Claim(
        "P3-F4b",
        "With 5 packets TCP loses a large part of its throughput, with 10 and 20 a small one.",
        paper="Figure 4: 12 of 17.98 Mbit/s at 5 packets, with a deep dip in the first 50 s; small dips at 10 and 20.",
        reading="Against 30 packets: a large part is a fifth at least, a small one is more than nothing and less than a tenth.",
        criterion=All(
            (
                ("5 packets", less("buffers", "throughput of TCP", "buffer", 5, 30, by=0.2, at=PAPER)),
                ("10 packets, less", less("buffers", "throughput of TCP", "buffer", 10, 30, at=PAPER)),
                ("20 packets, less", less("buffers", "throughput of TCP", "buffer", 20, 30, at=PAPER)),
                ("10 packets, by less than a tenth", same("buffers", "throughput of TCP", "buffer", 10, 30, margin=0.1, at=PAPER)),
                ("20 packets, by less than a tenth", same("buffers", "throughput of TCP", "buffer", 20, 30, margin=0.1, at=PAPER)),
            )
        ),
        why="A film that is spread takes less than 0.1 % from TCP with any buffer; in bursts it takes the more, the smaller the "
        "buffer and the fuller the link (see P3-F4a). The paper's fall by a third is not reached; the largest here is a fifth, "
        "and it lasts for the whole run, without a dip of its own in the first 50 s (P3-F4-curve).",
        figures=("P3-F4", "P3-F4-curve"),
    ),
    Claim(
        "P3-F5a",
        "From 20 packets on a larger buffer saves TCP no more losses; below it does.",
        paper="Figure 5: the loss of TCP falls up to 20 packets and levels off there.",
        reading="Level: within a tenth of the loss at 20 packets.",
        criterion=All(
            (
                ("5 against 20 packets", _more("loss of TCP", 5, 20)),
                ("10 against 20 packets", _more("loss of TCP", 10, 20)),
                ("30 against 20 packets", same("buffers", "loss of TCP", "buffer", 30, 20, margin=0.1, at=PAPER)),
                ("50 against 20 packets", same("buffers", "loss of TCP", "buffer", 50, 20, margin=0.1, at=PAPER)),
            )
        ),
        why="Spread, no sender brings more than a packet in the time that one takes on its access link: from 10 packets on nothing "
        "is lost in any run. In bursts a frame of up to 39 packets comes at 100 Mbit/s, of which three quarters must wait at "
        "24.4 Mbit/s, and half at 52: what comes meanwhile is lost where they fill the buffer, TCP's packets too. Losses fall "
        "on from 20 packets, to none with 30 at 52 Mbit/s and with 50 at 24.4 Mbit/s.",
        figures=("P3-F5",),
    ),
    Claim(
        "P3-F5b",
        "The level is about 0.028 % of TCP's packets.",
        paper="Figure 5: about 0.028 % from 20 packets on.",
        reading="“About”: within a half.",
        criterion=within("buffers", "loss of TCP", 0.028e-2, tolerance=0.5, at={**PAPER, "buffer": list(_FROM_20)}),
        why="As P3-F5a: there is no level but none at all. 0.028 % is passed on the way there, between 20 packets (0.043 %) and 30 "
        "(0.0094 %) at 24.4 Mbit/s and a film in bursts.",
        figures=("P3-F5",),
    ),
    Claim(
        "P3-F5c",
        "From 20 packets on almost nothing of the film is lost.",
        paper="Figure 5: almost no loss of UDP from 20 packets on.",
        reading="“Almost nothing”: at most one packet of ten thousand.",
        criterion=Level("buffers", "loss of the film", highest=1e-4, at={**PAPER, "buffer": list(_FROM_20)}),
        why="As P3-F5a. In bursts at 24.4 Mbit/s 30 packets still lose 0.66 % of the film, which leaves 44 % of its frames (P3-F5-frames).",
        figures=("P3-F5-film", "P3-F5-frames"),
    ),
    Claim(
        "P3-C",
        "30 packets are the best compromise.",
        paper="The conclusion: throughput as with 50 packets, and delay and loss that the video bears.",
        reading="The best of the five: TCP's throughput is within 1 % of that with 50 packets, 20 packets cost more than that and lose "
        "more of the film, and 50 packets cost delay.",
        criterion=All(
            (
                ("50 packets bring TCP less than 1 %", no_more("buffers", "throughput of TCP", "buffer", 50, 30, margin=0.01, at=PAPER)),
                ("20 packets cost TCP more than 1 %", less("buffers", "throughput of TCP", "buffer", 20, 30, by=0.01, at=PAPER)),
                ("20 packets lose more of the film", _more("loss of the film", 20, 30)),
                ("50 packets make the queue longer", _more("queue_delay.p99", 50, 30)),
            )
        ),
        why="No one size is best for all readings: a film that is spread needs 10 packets, one in bursts 30 at 52 Mbit/s and 50 at "
        "24.4 Mbit/s. There 30 packets leave 44 % of its frames and 50 leave all (P3-F5-frames), and the queue is 9.8 ms in "
        "place of 8.8 (99th percentile).",
        figures=("P3-F4", "P3-F5-film", "P3-F5-frames", "P3-queue"),
    ),
    Claim(
        "P3-R1",
        "One connection keeps a link busy with a buffer of RTT·C.",
        paper="The rule of thumb, cited for 1, 4 and 8 connections in step at 40 Mbit/s.",
        reading="50 Mbit/s and 100 ms, 417 packets; busy: 99 % of the time.",
        criterion=Level("rules", "utilisation", lowest=laws.WANTED, at={"connections": 1, "buffer": 417, "sending": "by ACKs"}),
        why="Half of a window of two bandwidth-delay products is one, which the path holds without a queue. For 99 % 318 packets do "
        "(P3-Q7).",
        figures=("P3-rules", "P3-rules-utilisation"),
    ),
    Claim(
        "P3-R2",
        "Many connections keep it busy with a buffer of RTT·C/√N.",
        paper="Small buffers, cited from Appenzeller et al.",
        reading="Many: ten and more. Busy: 99 % of the time.",
        criterion=laws.below("RTT·C/√N", 10),
        why="The rule counts how far the sum of many windows falls, as if packets came evenly. Sent when ACKs come they do not: "
        "with 16 packets 3, 10 and 30 connections have 34, 39 and 60 % of the link, less than the 78 % of one alone, and paced "
        "80, 82 and 86 % (P3-rules-utilisation). From 300 on a bandwidth-delay product is less than the "
        "two packets that a halved window has at least: a loss leaves the link enough, and the buffer has only bursts to bear.",
        figures=("P3-rules",),
    ),
    Claim(
        "P3-R3",
        "Buffers of tens of packets suffice, whatever the number of connections.",
        paper="Tiny buffers, O(log W), cited from Enachescu et al.: tens of packets.",
        reading="The rule's own formula for windows that would fill 90 % of the link, ten connections and more that send when ACKs come, "
        "though it was made for paced ones.",
        criterion=laws.below("O(log W)", 10),
        why="As P3-R2: the rule is one for paced packets and a link that is not full. Of 300 connections and more, whose least "
        "windows fill the link, less than half of its buffer is needed; of 10 and 30 twice of it and more.",
        figures=("P3-rules",),
    ),
)
