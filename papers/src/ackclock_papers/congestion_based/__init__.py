"""Cardwell, Cheng, Gunn, Hassas Yeganeh & Jacobson 2017: BBR itself."""

from pathlib import Path

from ackclock.studies.outside import Outside
from ackclock.studies.reading import Reading
from ackclock.studies.study import Figure
from ackclock_papers.builders import choices, experiment, paragraphs, recording, study
from ackclock_papers.congestion_based import figures, rules
from ackclock_papers.congestion_based.claims import CLAIMS, QUESTIONS
from ackclock_papers.congestion_based.items import ITEMS

EXPERIMENTS = (
    experiment("loss", replications=2, axes={"loss": [0.00001, 0.001, 0.05, 0.15, 0.3]}),
    experiment("settled", replications=2),
    experiment("startup", replications=3),
    experiment("sharing", replications=3),
)

RECORDINGS = (
    recording("first-seconds", rules.FIRST),
    recording("startup-rates", rules.RATES),
    recording("steady"),
    recording("steps"),
    recording("sharing-curve"),
)

_ROOM = "how large the buffer is"

READINGS = (
    Reading(
        "1 BDP",
        "The buffer holds a bandwidth-delay product; flows that share start two seconds apart.",
        "The size that the article calls usual when memory was expensive, and the one at which "
        "loss-based control is at its best.",
        {"buffer": "1 BDP", "starts": "2 s apart"},
        topic=_ROOM,
    ),
    Reading(
        "10 BDP",
        "The buffer holds ten bandwidth-delay products.",
        "Most of the article is about large buffers.",
        {"buffer": "10 BDP"},
        topic=_ROOM,
    ),
    Reading(
        "0.1 BDP",
        "The buffer holds a tenth of a bandwidth-delay product.",
        "Google's B4 has shallow buffers, for which Figure 10 argues.",
        {"buffer": "0.1 BDP"},
        topic=_ROOM,
    ),
    Reading(
        "together",
        "Flows that share start within a tenth of a second.",
        "The text of Figure 8 does not say when they start.",
        {"starts": "together"},
        topic="when flows start",
    ),
)

_MEANS = "Means with 95 % intervals over seeds."

FIGURES = (
    Figure(
        "CB-F10",
        "Goodput over random loss, for three buffers",
        f"{_MEANS} 100 Mbit/s, 100 ms, 60 s. Crosses: what the text prints. Diamonds: means on "
        "Linux 6.18.",
        figures.over_loss,
        ("loss",),
        "Figure 10: CUBIC has a tenth at 0.1 % and nothing above 1 %; BBR is at the limit up to 5 "
        "%, close up to 15 %, and falls beyond.",
    ),
    Figure(
        "CB-F4",
        "Seven tenths of a second of a settled flow",
        "One run, 10 Mbit/s and 40 ms. Wide grey: BBR's bandwidth; thin: samples of the delivery "
        "rate.",
        figures.steady,
        ("steady",),
        "Figure 4: triangles of RTT, of what is in flight and of the delivery rate as the gain "
        "cycles, under a flat maximum.",
    ),
    Figure(
        "CB-F5",
        "The bottleneck doubles, and falls back",
        "One run. Wide grey: BBR's bandwidth; thin: samples of the delivery rate.",
        figures.steps,
        ("steps",),
        "Figure 5: 10 Mbps and 40 ms, 20 Mbps after 20 s, 10 Mbps again after 20 s more.",
    ),
    Figure(
        "CB-F6",
        "The first second, and the first eight",
        "One run each, 10 Mbit/s, 40 ms, a buffer of 8 BDP. Grey: BBR changes its state.",
        figures.first_seconds,
        ("first-seconds",),
        "Figures 6 and 7: both start alike; BBR drains its queue, CUBIC fills the buffer and "
        "cycles between 70 % and 100 % of it.",
    ),
    Figure(
        "CB-F7",
        "The queue in the first eight seconds",
        "The runs of CB-F6. Dotted: 70 % and 100 % of the buffer.",
        figures.waiting,
        ("first-seconds",),
        "Figure 7, as a queue: 70 % to 100 % of the buffer with CUBIC, almost nothing with BBR.",
    ),
    Figure(
        "CB-queue",
        "Queue and utilisation of a settled flow over the buffer",
        _MEANS,
        figures.queues,
        ("settled",),
        "Figure 7: CUBIC between 70 % and 100 % of the buffer; BBR essentially without a queue.",
    ),
    Figure(
        "CB-startup",
        "Round trips until the bandwidth is known",
        "One run each at 10 Mbit/s, 100 Mbit/s and 1 Gbit/s, 40 ms.",
        figures.finding,
        ("startup-rates",),
        "In the text: log2 BDP.",
    ),
    Figure(
        "CB-F8",
        "Five flows, two seconds apart",
        "One run, 100 Mbit/s and 10 ms, a buffer of a BDP. Dotted: the fair share.",
        figures.sharing,
        ("sharing-curve",),
        "Figure 8: throughputs converge to the fair share; dips where all are in ProbeRTT.",
    ),
    Figure(
        "CB-F8-jain",
        "Fairness of five flows",
        f"{_MEANS} Grey: 0.95.",
        figures.fairness,
        ("sharing",),
    ),
)

KNOWN = paragraphs("""
    The criteria were written from the article's sentences before any sweep of this study was run;
    the article gives no margins.

    ackclock's documentation of bbr had its goodput at 15 % to 25 % random loss, with and without
    the search for policers, and its tests hold the lengths of its states; its readers could foresee
    CB-F10d, CB-F10e and CB-states.

    One recorded run of the steps had been looked at, for the names of its variables: BBR knew the
    doubled bandwidth at the next quarter of a second that was printed.

    After a first full run the seeds of loss became 6 in place of 4, and those of sharing 16 in
    place of 8, as they left CB-F10a and CB-F8 open; explanations were written or changed then.

    Runs on the kernel were made when all of this stood.

    While the criterion was written, it was found that 30 million does not follow from the inverse
    square, but from CUBIC's law.
""")

_LINUX = (
    "Made with this project's `ackclock linux`: sockets of a real kernel, whose packets cross the "
    "simulator's links in real time. Settings that run side by side share the machine, but no link "
    "and no host. The machine had other work to do meanwhile."
)

_ON_LINUX = {
    "loss": (
        "60 s and a buffer of 1 BDP, three runs: CUBIC at 0.001 %, at 0.1 % and from 2 % on, side "
        "by side with BBR at 5 %; BBR at 1 %, 15 % and 30 %, side by side. The kernel's BBR always "
        "looks for policers."
    ),
    "settled": "All settings side by side, sampled every 10 ms; two runs.",
    "startup": "All settings side by side, sampled every 2 ms; three runs.",
    "sharing": ("Starts two seconds apart, buffers of 1 BDP and 10 BDP side by side; three runs."),
    "first-seconds": "BBR and CUBIC side by side, sampled every 2 ms; three runs.",
    "startup-rates": (
        "10 and 100 Mbit/s side by side, three runs; 1 Gbit/s is left out as too fast for packets "
        "that a busy machine carries in real time. The kernel does not tell BBR's bandwidth. It "
        "tells delivery rates, here every 2 ms, and the bandwidth is the largest of them."
    ),
    "steady": (
        "Three runs. The window tells the state: the kernel's BBR has four packets in PROBE_RTT "
        "alone."
    ),
    "steps": (
        "Three runs. The bandwidth counts as known from the first delivery rate on, sampled every "
        "2 ms, that is high enough."
    ),
}

OUTSIDE = tuple(
    Outside(
        "Linux 6.18",
        experiment,
        f"linux-{experiment}.json",
        "tests/studies/linux/record_congestion_based.py",
        f"{text} {_LINUX if experiment == 'loss' else 'Made as those beside `loss`.'}",
    )
    for experiment, text in _ON_LINUX.items()
)

STUDY = study(
    [EXPERIMENTS, RECORDINGS, CLAIMS, QUESTIONS, FIGURES, READINGS, ITEMS, OUTSIDE],
    name="congestion-based",
    title="BBR: congestion-based congestion control",
    paper="Cardwell, Cheng, Gunn, Hassas Yeganeh & Jacobson, “BBR: Congestion-Based Congestion "
    "Control”, Communications of the ACM 60(2), 2017 (first in ACM Queue 14(5), 2016); measured "
    "there with Linux.",
    summary="Send at the measured bandwidth, with no more data in flight than that times the "
    "smallest round-trip time: full throughput without a queue, even with random losses.",
    folder=Path(__file__).parent,
    known=KNOWN,
    choices=choices("""
        what was read | the article's text in Communications of the ACM, but for part of the column
          on mobile networks; figures by their captions and the text. Figure numbers are that
          version's: Figure 10 is Figure 8 of ACM Queue.
        BBR | version 1 as Linux 6 has it, with patches since 2016.
        random loss | each data packet by itself, ACKs none.
        goodput | of 60 s from the SYN on, startup included.
        receive window | so large that it never limits a flow.
        rates | the article's own: 10 and 100 Mbit/s.
    """),
    bibtex="""@article{cardwell2017bbr,
  author  = {Neal Cardwell and Yuchung Cheng and C. Stephen Gunn and Soheil Hassas Yeganeh and Van
  Jacobson}, title   = {{BBR}: Congestion-Based Congestion Control}, journal = {Communications of
  the ACM}, volume  = {60}, number  = {2}, pages   = {58--66}, year    = {2017}, doi     =
  {10.1145/3009824}
}""",
)
