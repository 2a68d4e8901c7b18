"""Questions that Phạm & Lê leave open."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ackclock.plot_data.sweep.scale import words
from ackclock.studies.claim import Verdict
from ackclock.studies.criteria import Effect
from ackclock.studies.rules import All
from ackclock_papers.builders import question
from ackclock_papers.tcp_criteria.robust import above
from ackclock_papers.tcp_criteria.stability import LAWLESS, without_model

if TYPE_CHECKING:
    from ackclock.studies.results import Results

OTHERS = ("8 x reno", "multcp(n=8)", "vegas", "scalable", "highspeed", "cubic", "bbr")


@dataclass(frozen=True)
class Each(All):
    """`All` of one effect of many controls, with one declaration and one list of omissions."""

    said: str = ""

    def describe(self) -> str:
        """Say how the question is answered."""
        return (
            f"{self.said}, paired by seed; clearly different where the interval leaves out zero, "
            "each of 1 − 5 %/k confidence for the k settings of a line"
        )

    def judge(self, results: Results) -> Verdict:
        """Judge the parts that have runs."""
        gone = [
            name for name, part in self.parts if isinstance(part, Effect) and part.left_out(results)
        ]
        if not gone:
            return super().judge(results)
        sentence = f"Quick runs leave out: {'; '.join(gone)}."
        rest = tuple((name, part) for name, part in self.parts if name not in gone)
        if not rest:
            return Verdict("cannot be judged", sentence, {"left_out": gone})
        verdict = All(rest).judge(results)
        return replace(
            verdict,
            sentence=f"{verdict.sentence} {sentence}",
            figures={**verdict.figures, "left_out": gone},
        )


def _on(
    paths: dict[str, str],
    response: str,
    axis: str,
    base: str,
    names: tuple[str, ...],
    better: str = "less",
) -> Each:
    """An effect of each control, path by path."""
    return Each(
        tuple(
            (
                f"{path}, {name}" if path else name,
                Effect(experiment, response, axis, name, base, better=better),
            )
            for path, experiment in paths.items()
            for name in names
        ),
        f"{words(response)} of each against {base}",
    )


_REPEATED = {"2.4 Gbit/s": "repeated-real", "50 Mbit/s": "repeated"}
_WEB = {"2.4 Gbit/s": "web-real", "50 Mbit/s": "web", "50 Mbit/s, users": "web-users"}

QUESTIONS = (
    question(
        "P4-Q1",
        "Which controls finish more of the repeated transfers than classic TCP?",
        _on(_REPEATED, "files", "cc", "reno", OTHERS, "more"),
        reading="Eight connections carry an eighth of a file each, and the file is finished when "
        "its last part is.",
        figures=("P4-B1",),
    ),
    question(
        "P4-Q2",
        "Which controls make packets wait longer in the repeated transfers than classic TCP?",
        _on(_REPEATED, "queue_delay", "cc", "reno", OTHERS),
        figures=("P4-B1-queue",),
    ),
    question(
        "P4-Q3",
        "How does the throughput of web traffic change when eight transfers begin?",
        _on(_WEB, "web_goodput", "transfers", "none", ("reno", *OTHERS), "more"),
        paper="The score of the paper's second bench.",
        figures=("P4-B2",),
    ),
    question(
        "P4-Q4",
        "How does the load time of pages change, against eight transfers of classic TCP?",
        _on(_WEB, "page_load_time", "transfers", "reno", OTHERS),
        figures=("P4-B2-pages",),
    ),
    question(
        "P4-Q5",
        "How much of its share does a classic flow keep beside one of each control?",
        _on({"": "beside"}, "reno_goodput", "beside", "reno", OTHERS, "more"),
        figures=("P4-beside",),
    ),
    question(
        "P4-Q6",
        "Whose rate varies less than classic TCP's under the same losses by chance?",
        _on({"": "response"}, "rate_variation", "cc", "reno", OTHERS),
        figures=("P4-variation",),
    ),
    question(
        "P4-Q7",
        "After a second flow has joined, whose flows share more equally than classic TCP's in the "
        "minute that follows?",
        _on({"": "convergence"}, "equality", "cc", "reno", OTHERS, "more"),
        reading="T½ and T2 are of all flows together; whether they come to share is another "
        "question.",
        figures=("P4-convergence", "P4-convergence-time"),
    ),
    question(
        "P4-Q8",
        "On which paths do the controls without a linearised model oscillate?",
        {cc: without_model(cc) for cc in LAWLESS},
        reading="Twenty flows, RED and the paths as for the controls with a model.",
        figures=("P4-stability-table",),
    ),
    question(
        "P4-Q9",
        "Where Vinnicombe's condition is not fulfilled, do flows oscillate?",
        above,
        reading="The condition is sufficient. Settings of P4-S1 and P4-S2 on the other side of the "
        "line.",
        why="Below a rate at which nothing is lost a longer buffer answers to more than the "
        "present rate, so that the condition is stricter than needed.",
        figures=("P4-S",),
    ),
)
