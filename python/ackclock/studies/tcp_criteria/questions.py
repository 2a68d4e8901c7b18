"""What Phạm & Lê leave open."""

from __future__ import annotations

from ackclock.studies.claim import Question
from ackclock.studies.criteria import Effect
from ackclock.studies.rules import All
from ackclock.studies.tcp_criteria.stability import LAWLESS, without_model

__all__ = ["QUESTIONS"]

OTHERS = ("8 x reno", "multcp(n=8)", "vegas", "scalable", "highspeed", "cubic", "bbr")


def _on(paths: dict[str, str], response: str, axis: str, base: str, names: tuple[str, ...], better: str = "less") -> All:
    """An effect of each control, path by path."""
    return All(
        tuple(
            (f"{path}, {name}", Effect(experiment, response, axis, name, base, better=better))
            for path, experiment in paths.items()
            for name in names
        )
    )


_REPEATED = {"2.4 Gbit/s": "repeated-real", "50 Mbit/s": "repeated"}
_WEB = {"2.4 Gbit/s": "web-real", "50 Mbit/s": "web", "50 Mbit/s, users": "web-users"}

QUESTIONS = (
    Question(
        "P4-Q1",
        "Which controls finish more of the repeated transfers than classic TCP?",
        _on(_REPEATED, "files", "cc", "reno", OTHERS, "more"),
        reading="Eight connections carry an eighth of a file each, and the file is finished when its last part is.",
        figures=("P4-B1",),
    ),
    Question(
        "P4-Q2",
        "And which make packets wait longer for it?",
        _on(_REPEATED, "queue_delay", "cc", "reno", OTHERS),
        figures=("P4-B1-queue",),
    ),
    Question(
        "P4-Q3",
        "How does the throughput of web traffic change when eight transfers begin?",
        _on(_WEB, "web_goodput", "transfers", "none", ("reno", *OTHERS), "more"),
        paper="The score of its second bench.",
        figures=("P4-B2",),
    ),
    Question(
        "P4-Q4",
        "And the load time of pages, against eight transfers of classic TCP?",
        _on(_WEB, "page_load_time", "transfers", "reno", OTHERS),
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
    Question(
        "P4-Q8",
        "On which paths do the controls that no linearised model is of oscillate?",
        All(tuple((cc, without_model(cc)) for cc in LAWLESS)),
        reading="The same twenty flows, RED and paths as for the controls that have one.",
        figures=("P4-stability-table",),
    ),
)
