"""What Wang, Lan & Li leave open."""

from __future__ import annotations

from ackclock.studies.claim import Question
from ackclock.studies.criteria import Effect
from ackclock.studies.rules import All
from ackclock.studies.small_buffers import laws
from ackclock.studies.small_buffers.points import Points
from ackclock.studies.small_buffers.readings import WHICH

__all__ = ["QUESTIONS"]

_OTHERS = ("DropTail", "CoDel", "PIE", "FQ-CoDel")

QUESTIONS = (
    Question(
        "P3-Q1",
        "What does RED do for the paper's figures that DropTail does not?",
        All(
            tuple(
                (response, Effect("buffers", response, "queue", "RED", "DropTail", better=better))
                for response, better in (
                    ("throughput of TCP", "more"),
                    ("loss of TCP", "less"),
                    ("loss of the film", "less"),
                    ("jitter of the film", "less"),
                )
            )
        ),
        reading="RED with ns-2's automatic thresholds, whatever the buffer.",
        why="The link of 18 senders and a film is not full, and its queue lasts no longer than a burst: RED's average stays below "
        "its lower threshold, and all that is lost is lost to a full buffer.",
        figures=("P3-F4", "P3-F5", "P3-F5-film"),
    ),
    Question(
        "P3-Q2",
        "What does it cost the film to leave frame by frame, in bursts?",
        All(
            (
                ("loss, percentage points", Points("buffers", "loss of the film", "film", "in bursts", "spread")),
                (
                    "decodable frames, percentage points",
                    Points("buffers", "decodable frames", "film", "in bursts", "spread", better="more"),
                ),
                ("delay", Effect("buffers", "delay of the film", "film", "in bursts", "spread")),
                ("jitter", Effect("buffers", "jitter of the film", "film", "in bursts", "spread")),
            )
        ),
        reading="Spread: 1.2 Mbit/s of film through an access link of 1.5 Mbit/s. In bursts: 1.5 Mbit/s of film through one of 100 Mbit/s.",
        why="Spread by its access link the film waits there; in bursts it waits at the link that it shares, as far as the buffer "
        "goes (see P3-F5a).",
        figures=("P3-F2", "P3-F3", "P3-F5-film"),
    ),
    Question(
        "P3-Q3",
        "What becomes of the film beside many TCP connections?",
        All(
            tuple(
                (f"{count} connections, {name}", Points("queues", response, "connections", count, 18, {"queue": "RED"}, better))
                for count in (36, 144)
                for name, response, better in (
                    ("loss of the film, percentage points", "loss of the film", "less"),
                    ("decodable frames, percentage points", "decodable frames", "more"),
                )
            )
        ),
        reading="18 connections of 1 Mbit/s leave a fifth of 24.4 Mbit/s free; twice as many fill it. 30 packets, RED.",
        why="36 connections fill the link, and its buffer drops what comes, the film's packets too.",
        figures=("P3-queues-loss", "P3-queues-frames"),
    ),
    Question(
        "P3-Q4",
        "Does the share of lost packets say how much of the film is left?",
        laws.FRAMES,
        reading="A frame can be decoded if all its packets, and those of all frames that it needs, came within 400 ms of their sending.",
        why="A lost packet takes its frame with it, and that the frames that need it: a lost I frame those of up to two seconds.",
        figures=("P3-frames",),
    ),
    Question(
        "P3-Q5",
        "Do CoDel, PIE, FQ-CoDel or DropTail do better by the film than RED?",
        All(
            tuple(
                (
                    f"{other}, percentage points of decodable frames",
                    Points("queues", "decodable frames", "queue", other, "RED", better="more"),
                )
                for other in _OTHERS
            )
        ),
        reading="All with a limit of 30 packets in all, and their own defaults.",
        why="All but FQ-CoDel drop whatever comes to a full or a long queue, and so do alike. FQ-CoDel grants the film its fair "
        "share, 0.66 Mbit/s beside 36 connections and 0.17 beside 144, half and a seventh of what it needs; where 30 packets "
        "are full it drops from the longest queue, and the film, which sends the most of all, loses the most (P3-queues-loss).",
        figures=("P3-queues-frames",),
    ),
    Question(
        "P3-Q6",
        "What does priority give the film, and what does it take from TCP?",
        All(
            (
                ("decodable frames, percentage points", Points("queues", "decodable frames", "queue", "priority", "RED", better="more")),
                ("delay", Effect("queues", "delay of the film", "queue", "priority", "RED")),
                ("TCP", Effect("queues", "throughput of TCP", "queue", "priority", "DropTail", better="more")),
            )
        ),
        reading="The film has the first band, TCP the second; either holds 30 packets, without RED. TCP is compared with DropTail, which "
        "is what it has behind the film.",
        why="The film needs 1.2 of 24.4 Mbit/s: before all others it loses nothing, and TCP has as good as all that DropTail leaves it.",
        figures=("P3-queues-frames", "P3-queues-tcp"),
    ),
    Question(
        "P3-Q7",
        "How large must a buffer be for 99 % utilisation, beside what the three rules say?",
        laws.SMALLEST,
        reading="Long Reno connections, 50 Mbit/s, round-trip times of 60 to 140 ms: a bandwidth-delay product of 417 packets. The size is "
        "interpolated between those that were run, over its logarithm.",
        why="One connection needs less than RTT·C since 99 % is not all. Up to 30 connections the need hardly falls, beyond it "
        "falls faster than 1/√N (see P3-R2).",
        figures=("P3-rules", "P3-rules-utilisation"),
    ),
    Question(
        "P3-Q8",
        "Does pacing change how large it must be?",
        All(
            tuple(
                (
                    f"{buffer} packets",
                    Effect("rules", "utilisation", "sending", "paced", "by ACKs", {"buffer": buffer}, better="more"),
                )
                for buffer in (16, 64, 256)
            )
        ),
        reading="Spaced over the round-trip time at cwnd/SRTT, in place of at once when an ACK comes.",
        why="Spaced packets do not overflow a small buffer in bursts: with 16 packets the link is used up to 2.3 times as much. "
        "With 64 and 256 there is room for bursts, and pacing costs up to 7.8 %. That paced connections lose in step, as others "
        "have found (Aggarwal, Savage & Anderson 2000), would explain that; it was not measured here.",
        figures=("P3-rules",),
    ),
    Question(
        "P3-Q9",
        "Which reading of its setting gives which of the paper's figures?",
        WHICH,
        reading="52 Mbit/s as printed, or 24.4 Mbit/s, where the load is 80 %; the link's 50 ms as printed, or a mean round-trip time of "
        "80 ms; the film spread by its access link, or in bursts.",
        figures=("P3-readings", "P3-printed"),
    ),
)
