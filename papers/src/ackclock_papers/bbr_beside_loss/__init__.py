"""Ware, Mukerjee, Seshan & Sherry 2019: what BBR leaves to loss-based flows."""

from pathlib import Path

from ackclock.studies.outside import Outside
from ackclock.studies.reading import Reading
from ackclock.studies.study import Figure
from ackclock_papers.bbr_beside_loss import figures, rules
from ackclock_papers.bbr_beside_loss.claims import CLAIMS, QUESTIONS
from ackclock_papers.bbr_beside_loss.items import ITEMS
from ackclock_papers.builders import experiment, paragraphs, recording, study

EXPERIMENTS = (
    experiment("over-queue", replications=2, axes={"bbr_flows": [1, 16], "queue": [1, 2, 8, 64]}),
    experiment("faster", replications=2, axes={"bbr_flows": [1], "queue": [2, 16]}),
    experiment("peers", replications=2, axes={"others": [1, 2, 16]}),
    experiment("versions", replications=2),
)

RECORDINGS = (recording("curve", rules.CURVES), recording("alone", rules.ALONE))

_WHO = "whose flows are beside it"
_WHEN = "when flows start"

READINGS = (
    Reading(
        "CUBIC, together",
        "The loss-based flows are CUBIC's, and all start within a tenth of a second.",
        "The authors' article speaks of CUBIC, and the model has all flows begin at the same time.",
        {"peer": "cubic", "starts": "together"},
        topic=_WHO,
    ),
    Reading(
        "Reno, together",
        "The loss-based flows are Reno's.",
        "The claims are of loss-based algorithms, and the figures have Reno beside CUBIC.",
        {"peer": "reno"},
        topic=_WHO,
    ),
    Reading(
        "BBR first",
        "The CUBIC flows come 30 s after the BBR flow.",
        "Only the model says that all begin at once; a flow that has been alone knows the path's "
        "round-trip time.",
        {"starts": "BBR first"},
        topic=_WHEN,
    ),
    Reading(
        "BBR last",
        "The BBR flow comes 30 s after the CUBIC flows.",
        "A flow that finds a full queue takes its delay for the path's.",
        {"starts": "BBR last"},
        topic=_WHEN,
    ),
)

_MEANS = "Means with 95 % intervals over seeds."
_F8 = f"{_MEANS} Crosses: the model, equations 9 to 11."
_F8_PRINTED = (
    "Figure 8: model and runs lie close together; the share falls with the queue, from all of it "
    "at 1 BDP."
)

FIGURES = (
    Figure(
        "BL-F1",
        "Goodput of one BBR flow and one loss-based flow",
        "One run each, 10 Mbit/s, 40 ms, 32 BDP; goodput over four seconds.",
        figures.over_time,
        ("curve",),
        "The authors' first figure: each probe takes a little more from CUBIC, until BBR stops at "
        "its in-flight cap.",
    ),
    Figure(
        "BL-window",
        "Window and data in flight of the BBR flow",
        "The runs of BL-F1, and the same flow alone.",
        figures.window,
        ("curve",),
        "The authors' first explanation: under competition the data in flight equals the window.",
    ),
    Figure(
        "BL-F3",
        "The simple model",
        "Cross: the printed p = 1/2.",
        figures.simple_model,
        (),
        "Figure 3 of the authors' article: the line and the parabola meet at half of the queue.",
    ),
    Figure(
        "BL-peers",
        "Share of one BBR flow over the number of loss-based flows",
        f"{_MEANS} Crosses: the model at 32 BDP. Diamonds: means on Linux 6.18, all together. Grey "
        "lines: half, and the fair share.",
        figures.peers,
        ("peers",),
        "Figure 1c, as quoted: beside sixteen flows, just under half. The figure itself was not "
        "read.",
    ),
    Figure(
        "BL-F8a",
        "Share beside one CUBIC flow, 10 Mbit/s and 40 ms",
        _F8,
        figures.over_queue("over-queue", "cubic"),
        ("over-queue",),
        _F8_PRINTED,
    ),
    Figure(
        "BL-F8b",
        "Share beside one CUBIC flow, 50 Mbit/s and 30 ms",
        _F8,
        figures.over_queue("faster", None),
        ("faster",),
        _F8_PRINTED,
    ),
    Figure(
        "BL-F8c",
        "Share beside one Reno flow, 10 Mbit/s and 40 ms",
        _F8,
        figures.over_queue("over-queue", "reno"),
        ("over-queue",),
        _F8_PRINTED,
    ),
    Figure(
        "BL-F6",
        "What N BBR flows alone take for the path",
        "One run each, 15 Mbit/s, 40 ms and a queue of 64 BDP, after 40 s.",
        figures.estimates,
        ("alone",),
        "Figure 6: flat up to twelve flows, then 4 N packets' time, 205 ms with 64 flows.",
    ),
    Figure(
        "BL-F7",
        "Time in PROBE_RTT",
        "One run each beside one CUBIC flow, from 100 s to 400 s; 10 Mbit/s and 40 ms.",
        figures.probing,
        ("curve",),
        "Figure 7: it grows in proportion to the queue, to 28 % of the time at 64 BDP.",
    ),
    Figure(
        "BL-versions",
        "BBR versions 1 and 3 beside CUBIC",
        f"{_MEANS} A queue of 32 BDP.",
        figures.versions,
        ("versions",),
    ),
)

KNOWN = paragraphs("""
    The criteria were written from the sentences read before any sweep of this study was run; the
    paper gives no margins.

    ackclock's documentation of bbr had shares beside CUBIC at 10 Mbit/s and 40 ms: 0.88, 0.62,
    0.49, 0.46 and 0.28 at 1, 2, 4, 8 and 32 BDP, against the model's 0.97, 0.78, 0.63, 0.55 and
    0.44; and the study bbr-latency compares the model with its own runs.

    One recorded run of the first figure had been looked at, for the names of its variables.

    After a first quick run the recorded runs were made 400 s long and looked at from 100 s on, as
    the sweeps are, where they had been 130 s and looked at from 30 s on: BL-F7 went from in part to
    holds, BL-window stayed in part. Runs on the kernel were made after that, and explanations
    written after the first full run. Then the seeds of over-queue became 5 in place of 3 and those
    of peers 6 in place of 4, as BL-F8c and BL-1 were open.
""")

OUTSIDE = (
    Outside(
        "Linux 6.18",
        "peers",
        "linux.json",
        "tests/studies/linux/record.py",
        "This project's `ackclock linux`: sockets of a real kernel, whose packets cross the "
        "simulator's link in real time; 400 s each, one BBR flow beside 1 and 16 of CUBIC, all "
        "starting together. The machine had other work to do meanwhile.",
    ),
)

STUDY = study(
    [EXPERIMENTS, RECORDINGS, CLAIMS, QUESTIONS, FIGURES, READINGS, ITEMS, OUTSIDE],
    name="bbr-beside-loss",
    title="BBR beside loss-based flows",
    paper="Ware, Mukerjee, Seshan & Sherry, “Modeling BBR's Interactions with Loss-Based "
    "Congestion Control”, IMC 2019; measured there in a testbed. The paper's own text could not be "
    "had: see what was read.",
    summary="Beside loss-based flows BBR is limited by its window of two estimated bandwidth-delay "
    "products, and has a share that does not depend on their number.",
    folder=Path(__file__).parent,
    known=KNOWN,
    choices=(
        (
            "what was read",
            (
                "Ranysha Ware's article in the blog of Carnegie Mellon's computer science PhD "
                "programme (2024), and the beginnings of her articles at APNIC and RIPE Labs "
                "(2020). Equations 1 to 11 and the settings of Figures 5 to 8 come from the code "
                "of a later comparison of models. The settings of Figures 1 to 3 and 8 come from a "
                "replication, and single sentences of the paper from quotations. Figures have the "
                "paper's numbers, as these sources give them."
            ),
        ),
        ("BBR", "version 1 as Linux 6 has it; the paper's kernel is older."),
        ("queue", "in bandwidth-delay products of 40 ms or 30 ms, in packets, drop-tail."),
        (
            "length of a run",
            "400 s from which 100 s of convergence are left out; 200 and 60 s on the faster path.",
        ),
        ("rates", "the paper's own: 10 Mbit/s, 15 Mbit/s, 50 Mbit/s."),
        ("error", "|model / measured − 1|."),
    ),
    bibtex="""@inproceedings{ware2019modeling,
  author    = {Ranysha Ware and Matthew K. Mukerjee and Srinivasan Seshan and Justine Sherry},
  title     = {Modeling {BBR}'s Interactions with Loss-Based Congestion Control},
  booktitle = {Proceedings of the Internet Measurement Conference (IMC '19)},
  pages     = {137--143},
  year      = {2019},
  doi       = {10.1145/3355369.3355604}
}""",
)
