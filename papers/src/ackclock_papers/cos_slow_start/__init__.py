"""P1: Ru & Liu 2007, a cosine in place of slow start's doubling."""

from pathlib import Path

from ackclock.studies.outside import Outside
from ackclock.studies.study import Figure, TableOf
from ackclock_papers.builders import experiment, recording, study
from ackclock_papers.cos_slow_start import curves, figures, recovery, short, theorem
from ackclock_papers.cos_slow_start.claims import CLAIMS
from ackclock_papers.cos_slow_start.items import ITEMS
from ackclock_papers.cos_slow_start.known import KNOWN
from ackclock_papers.cos_slow_start.questions import QUESTIONS
from ackclock_papers.cos_slow_start.readings import CHOICES, READINGS

_FEWER_RATES = {"rate": ["10 Mbit/s", "100 Mbit/s"]}

EXPERIMENTS = (
    experiment("lost-packets", replications=5, axes={"connections": [1, 5, 20, 60]}),
    experiment("headers", replications=4, axes={"connections": [1, 5, 20]}),
    experiment("fractions", replications=4, axes={"connections": [1, 20, 60]}),
    experiment("red-queue", replications=6),
    experiment("first-half", replications=6),
    experiment("second-half", replications=6),
    experiment("short-flows", replications=5),
    experiment("web", replications=5),
    experiment("synchronisation", replications=6),
    experiment("sigma", replications=4, axes={"connections": [1, 5]}),
    experiment("recoveries", replications=4, axes={"connections": [1, 5, 20]}),
    experiment("today-transport", replications=4, axes={"connections": [1, 5, 20]}),
    experiment(
        "wrong-ssthresh", replications=4, axes={**_FEWER_RATES, "ssthresh": [0.25, 1, 2, 8]}
    ),
    experiment("acks", replications=4, axes=_FEWER_RATES),
    experiment("today", replications=4, axes=_FEWER_RATES),
)

_NS2 = (
    "ns-2 with COS as a plug-in of its Agent/TCP/Reno, which without the rule is Agent/TCP/Reno to "
    "the packet. Its handshake is a SYN alone, whose ACK opens the window as that of data does, "
    "and its windows have fractions of packets."
)
OUTSIDE = (
    Outside("ns-2.35", "lost-packets", "ns2.json", "tests/theory/ns2/record.py", _NS2),
    Outside("ns-2.35", "headers", "ns2-headers.json", "tests/theory/ns2/record.py", _NS2),
)

_SIZES = {
    "bits": {
        "flows.transport.mss": "125 bytes",
        "flows.app.size": "125kB",
        "flows.ssthresh": "162 packets",
    },
    "bytes": {
        "flows.transport.mss": "1000 bytes",
        "flows.app.size": "1MB",
        "flows.ssthresh": "20 packets",
    },
}

RECORDINGS = (
    recording("growth", curves.VARIANTS),
    recording(
        "red-curve",
        {
            f"{cc}, {n}, {units}": {"flows.cc": cc, "flows.count": n, **sizes}
            for units, sizes in _SIZES.items()
            for n in (1, 5)
            for cc in ("reno", "cos+reno")
        },
    ),
    recording("today-curve", {"doubling, told": {}, "COS, told": {"flows.file.cc": "cos+cubic"}}),
    recording("recovery", recovery.VARIANTS, quick=("7.2 Mbit/s", "72 Mbit/s")),
)

_ALONE = "At the link's rate, without a slow start, a file takes 0.8 s. 95 % intervals over seeds."
_UNITS = "Left: a kilobit per packet and a megabit per file; right: kilobytes and a megabyte."
_MEANS = "Means with 95 % intervals over seeds."
_VERDICTS = "Paired by seed; the intervals are those of the verdict, one for each setting."

FIGURES = (
    Figure(
        "P1-F6",
        "Lost packets over the number of connections",
        f"{_UNITS} {_MEANS} Grey: ns-2.",
        figures.lost,
        ("lost-packets",),
        printed="Figure 6: two rising curves over the number of connections, COS below Reno "
        "throughout, and the gap widens.",
    ),
    Figure(
        "P1-F6-20",
        "The same with up to 20 connections",
        f"{_UNITS} {_MEANS} Grey: ns-2.",
        figures.lost_few,
        ("lost-packets",),
        printed="Figure 6; how many connections its axis has is left open here.",
    ),
    Figure(
        "P1-F6-change",
        "Change of lost packets against Reno",
        f"{_VERDICTS} Above zero COS loses more. Grey: the same of ns-2's runs.",
        figures.lost_change,
        ("lost-packets",),
        printed="Figure 6: below zero throughout.",
    ),
    Figure(
        "P1-F7-curve",
        "The queue behind RED over time",
        "One run each, its first seed, ns-2.28's parameters of RED. The buffer holds 20 packets. "
        "Grey: the time of P1-F7's means.",
        figures.red_curve,
        ("red-curve",),
        printed="Figure 7: the instantaneous queue during slow start, smaller with COS.",
    ),
    Figure(
        "P1-F7",
        "The queue behind RED during slow start, and its losses",
        f"{_MEANS} Above: a kilobit per packet; below: a kilobyte. ns-2.28's parameters of RED.",
        figures.red,
        ("red-queue",),
        printed="Figure 7: smaller with COS.",
    ),
    Figure(
        "P1-T",
        "Transfer time of a file",
        f"{_UNITS} Mean over the connections; 95 % intervals over seeds.",
        figures.transfer_time,
        ("lost-packets",),
        printed="The effective transfer time, sending and transmission: no worse with COS.",
    ),
    Figure(
        "P1-T-change",
        "Change of the mean transfer time against Reno",
        f"{_VERDICTS} Above zero COS takes longer. Grey: the same of ns-2's runs.",
        figures.time_change,
        ("lost-packets",),
    ),
    Figure(
        "P1-T-timeouts",
        "Timeouts",
        f"{_UNITS} All connections together; 95 % intervals over seeds.",
        figures.timeouts,
        ("lost-packets",),
    ),
    Figure(
        "P1-U",
        "Utilisation over the number of connections",
        f"{_UNITS} {_MEANS}",
        figures.utilisation,
        ("lost-packets",),
    ),
    Figure(
        "P1-halves",
        "The two halves of slow start",
        f"{_MEANS} Above: a kilobit per packet; below: a kilobyte. Left: the first half, x ≤ L/2; "
        "others: the second, behind a queue without limit.",
        figures.halves,
        ("first-half", "second-half"),
    ),
    Figure(
        "P1-S1",
        "Round trips of a short transfer",
        "Lines: formula. Marks: runs. Dotted: what COS sends in the first half. The handshake is "
        "not counted.",
        short.draw_round_trips,
        ("growth",),
    ),
    Figure(
        "P1-S2",
        "Change of the time of short transfers and web pages against Reno",
        f"{_VERDICTS} Below zero COS is faster.",
        figures.short_change,
        ("short-flows", "web"),
    ),
    Figure(
        "P1-G",
        "Synchronisation, and jitter of load and delay",
        f"{_MEANS} Above: a kilobit per packet; below: a kilobyte.",
        figures.jitter,
        ("synchronisation",),
    ),
    Figure(
        "P1-sigma",
        "Lost packets and transfer time over the exit rule sigma",
        f"{_MEANS} Shares of Reno's figures with doubling. Lines: connections. Solid: a kilobit "
        "per packet; dashed: a kilobyte.",
        figures.sigma,
        ("sigma",),
        printed="Sigma is 2 “by experiment”; Figure 2 marks it at the curve's end.",
    ),
    Figure(
        "P1-F2",
        "Windows of both slow starts, ssthresh 64",
        "Lines: formulas. Marks: a run, round trip by round trip. Grey: sigma, 2 packets below "
        "ssthresh.",
        curves.draw_windows,
        ("growth",),
        printed="Figure 2: both windows over the round trips, with sigma at the end of COS's.",
    ),
    Figure(
        "P1-F3",
        "Windows w_a and w_b, and the straight line w_c, ssthresh 64",
        "Filled: where COS is below the line, and where it is above: equal areas. Marks: a run.",
        curves.draw_line,
        ("growth",),
        printed="Figure 3: w_a, w_b and w_c over the round trips; w_c has the area of w_a.",
    ),
    Figure(
        "P1-F4",
        "Growth rates of both slow starts, ssthresh 64",
        "Lines: derivatives. Marks: what a round trip of a run added, at its middle.",
        curves.draw_growth,
        ("growth",),
        printed="Figure 4: w_a' rises to the middle and falls to 0 at the end, w_b' rises "
        "throughout.",
    ),
    Figure(
        "P1-H",
        "The proof: H(x), and efficiency over the second derivative, ssthresh 64",
        "Left: lead of the line (H) and of COS over doubling; it is never negative. Right: curves "
        "with a constant second derivative between the same ends.",
        theorem.draw_proof,
    ),
    Figure(
        "P1-eta",
        "Efficiency of both slow starts",
        "Lines: formula, summed over rounds 1 to N; bands: from rounds 0 to N − 1 up to there. "
        "Marks: runs; COS's end at ssthresh, where its formula has a packet more.",
        curves.draw_efficiency,
        ("growth",),
    ),
    Figure(
        "P1-Q1",
        "Lost packets on today's transport",
        f"{_UNITS} {_MEANS}",
        figures.lost_today,
        ("today-transport",),
    ),
    Figure(
        "P1-Q9",
        "Change of lost packets by COS, with four loss recoveries",
        f"{_VERDICTS} {_UNITS}",
        figures.recoveries,
        ("recoveries",),
    ),
    Figure(
        "P1-Q10",
        "Change of lost packets and transfer time with headers counted",
        "Paired by seed; the intervals are those of the answer. Above zero COS has more. Grey: "
        "ns-2.",
        figures.headers,
        ("headers",),
    ),
    Figure(
        "P1-Q11",
        "Change of lost packets with windows as ns-2 has them, and without a handshake, in bits",
        "Paired by seed; the intervals of verdict and answer. Fractions: of packets, in the "
        "windows. No handshake: connections are open before the first of them sends. Grey: ns-2.",
        figures.fractions,
        ("fractions", "lost-packets"),
    ),
    Figure(
        "P1-wrong-losses",
        "Lost packets with a wrong ssthresh",
        "95 % intervals over seeds.",
        figures.wrong_losses,
        ("wrong-ssthresh",),
    ),
    Figure(
        "P1-wrong-time",
        "Transfer time with a wrong ssthresh",
        _ALONE,
        figures.wrong_time,
        ("wrong-ssthresh",),
    ),
    Figure(
        "P1-acks",
        "Transfer time with delayed ACKs, from initial windows of 1 and 10 packets",
        f"ssthresh is right: 1 BDP. {_ALONE}",
        figures.acks,
        ("acks",),
    ),
    Figure(
        "P1-today-losses",
        "Lost packets of seven slow starts with CUBIC",
        "“Told”: ssthresh is the path's bandwidth-delay product. 95 % intervals over seeds.",
        figures.today_losses,
        ("today",),
    ),
    Figure(
        "P1-today-time",
        "Transfer time of seven slow starts with CUBIC",
        _ALONE,
        figures.today_time,
        ("today",),
    ),
    Figure(
        "P1-today-curve",
        "Windows at 10 Mbit/s and a buffer of a quarter of a BDP",
        "One run each, its first seed. ×: the first loss.",
        figures.today_curve,
        ("today-curve",),
    ),
)

TABLES = (
    TableOf(
        "P1-eta-table",
        "Efficiency η",
        "Rounds 1 to N; the run's last window is ssthresh, where COS's formula has one more.",
        curves.efficiency_table,
        ("growth",),
    ),
    TableOf(
        "P1-AIMD-table",
        "Recovery from one loss",
        "Computed, and measured in congestion avoidance.",
        recovery.table,
        ("recovery",),
    ),
)

BIBTEX = """@misc{ru2007cos,
  author = {Ru, W. and Liu, X.},
  title = {{COS-Slow-Start}: a new strategy of {TCP} slow start},
  year = {2007}
}"""

STUDY = study(
    [EXPERIMENTS, RECORDINGS, CLAIMS, QUESTIONS, FIGURES, TABLES, READINGS, ITEMS, OUTSIDE],
    name="cos-slow-start",
    title="P1 · COS-Slow-Start",
    paper="Ru & Liu, “COS-Slow-Start: a new strategy of TCP slow start”, 2007; simulated there "
    "with ns-2.28.",
    summary="The window rises to ssthresh on a cosine in place of doubling: in as many round "
    "trips, but gently where the path is nearly full.",
    folder=Path(__file__).parent,
    known=KNOWN,
    choices=CHOICES,
    bibtex=BIBTEX,
)
