"""The lessons of the playground: each number that they state, held to the lesson's own runs."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from ackclock.scenario import Scenario, load
from ackclock.studies.outside import Outside, read_outside
from ackclock.studies.study import Recording, Study, TableOf
from ackclock_papers.lessons import stated
from ackclock_papers.lessons.number import claims_of, placed
from ackclock_papers.lessons.tables import table
from ackclock_papers.lessons.text import FOLDER, read

LESSONS = tuple(read(name) for name in stated.NUMBERS)

_PLACED = {lesson.name: placed(lesson, stated.NUMBERS[lesson.name]) for lesson in LESSONS}
NUMBERS = {name: tuple(number for _, number in pairs) for name, pairs in _PLACED.items()}
"""All numbers by the lesson's name, in its order."""

_JUDGES = {
    "linux.json": (
        "The kernel's own TCP runs the lesson's file, as `ackclock linux` does. The links and "
        "queues between its sockets are the simulator's, so it judges senders and receivers alone."
    ),
    "ns3.json": (
        "TCP, queues and link are those of ns-3; the call sends at the times of the simulator's "
        "call."
    ),
    "ns2.json": (
        "AIMD, Linux's own code of Vegas in Agent/TCP/Linux, and COS-Slow-Start as a plug-in of "
        "this project."
    ),
}


def _outside(file: str, text: str) -> tuple[Outside, ...]:
    """Return the runs of one simulator, lesson by lesson."""
    runs = read_outside(FOLDER / file)
    return tuple(
        Outside(runs.simulator, lesson, file, "tests/web/outside/record.py", text)
        for lesson in dict.fromkeys(str(row["run"]) for row in runs.rows)
    )


STUDY = Study(
    name="lessons",
    title="The lessons of the playground",
    paper="Eight lessons in the browser, from slow start to COS-Slow-Start; each names its RFCs "
    "and papers.",
    summary="A lesson states what its run shows, and what each of its three things to try changes.",
    folder=FOLDER,
    experiments=(),
    recordings=tuple(
        Recording(
            lesson.name,
            f"{lesson.name}.toml",
            {
                "base": {},
                **{f"try {at}": thing["set"] for at, thing in enumerate(lesson.tries, 1)},
                **stated.VARIANTS.get(lesson.name, {}),
            },
        )
        for lesson in LESSONS
    ),
    claims=tuple(claim for lesson in LESSONS for claim in claims_of(lesson, _PLACED[lesson.name])),
    known=(
        (
            "The lessons were written from these very runs: this study says whether they still "
            "hold, and which of their numbers a TCP of other authors gives as well."
        ),
    ),
    tables=tuple(
        TableOf(
            f"L{lesson.number}",
            f"Lesson {lesson.number}, “{lesson.title}”: its numbers elsewhere",
            "With hosts' times: six more runs, with other seeds and hosts that take 10 to 40 us "
            "over each packet. A number agrees if the two ranges meet, the other one widened by "
            "the bar, in the number's unit.",
            partial(table, NUMBERS[lesson.name]),
            (lesson.name,),
        )
        for lesson in LESSONS
    ),
    outside=tuple(runs for file, text in _JUDGES.items() for runs in _outside(file, text)),
)


def scenario(lesson: str, variant: str, changes: Mapping[str, Any] | None = None) -> Scenario:
    """Return the scenario of a lesson's variant, with more dotted keys changed."""
    (recording,) = (entry for entry in STUDY.recordings if entry.name == lesson)
    given = load(FOLDER / recording.file)
    for these in (recording.variants[variant], changes):
        given = given.replace(these) if these else given
    return given
