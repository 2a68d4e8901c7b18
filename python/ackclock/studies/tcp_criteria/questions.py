"""What Phạm & Lê leave open."""

from __future__ import annotations

from ackclock.studies.claim import Question
from ackclock.studies.criteria import Effect
from ackclock.studies.rules import All
from ackclock.studies.tcp_criteria.bench import ScoreEffect

__all__ = ["QUESTIONS"]

OTHERS = ("8 x reno", "multcp(n=8)", "vegas", "scalable", "highspeed", "cubic", "bbr")

QUESTIONS = (
    Question(
        "P4-Q1",
        "Which controls finish more of the repeated transfers than classic TCP?",
        All(tuple((cc, ScoreEffect("repeated", "files", "cc", cc, "reno", better="more")) for cc in OTHERS)),
        reading="Eight connections to a file count as one transfer.",
        figures=("P4-B1",),
    ),
    Question(
        "P4-Q2",
        "And which make packets wait longer for it?",
        All(tuple((cc, Effect("repeated", "queue_delay", "cc", cc, "reno")) for cc in OTHERS)),
        figures=("P4-B1-queue",),
    ),
    Question(
        "P4-Q3",
        "How does the throughput of web traffic change when eight transfers begin?",
        All(tuple((cc, Effect("web", "web_goodput", "transfers", cc, "none", better="more")) for cc in ("reno", *OTHERS))),
        paper="The score of its second bench.",
        figures=("P4-B2",),
    ),
    Question(
        "P4-Q4",
        "And the load time of pages, against eight transfers of classic TCP?",
        All(tuple((cc, Effect("web", "page_load_time", "transfers", cc, "reno")) for cc in OTHERS)),
        figures=("P4-B2-pages",),
    ),
    Question(
        "P4-Q5",
        "What is left of a classic flow's share beside one of each control?",
        All(tuple((cc, Effect("beside", "reno_goodput", "beside", cc, "reno", better="more")) for cc in OTHERS)),
        figures=("P4-beside",),
    ),
    Question(
        "P4-Q6",
        "Whose rate varies less than classic TCP's under the same losses by chance?",
        All(tuple((cc, Effect("response", "rate_variation", "cc", cc, "reno")) for cc in OTHERS)),
        figures=("P4-variation",),
    ),
    Question(
        "P4-Q7",
        "After a second flow has joined, whose flows share more equally than classic TCP's in the minute that follows?",
        All(tuple((cc, Effect("convergence", "equality", "cc", cc, "reno", better="more")) for cc in OTHERS)),
        reading="T½ and T2 are of all flows together; whether they come to share is another question.",
        figures=("P4-convergence", "P4-convergence-time"),
    ),
)
