"""Holds the simulator against the kernel's recorded runs; `make validate` calls it.

It runs all scenarios, writes the page in full and its figures to out/full/, and keeps the figures
that have bars in validation/outcome.csv. From these it writes the page of docs/. `--kept` does that
alone, without a run; `--full` writes the page in full alone.
"""

import sys
from pathlib import Path

from ackclock.validation.cases import folder
from ackclock.validation.choosing import choose
from ackclock.validation.comparing import compare
from ackclock.validation.figures import LOSSES
from ackclock.validation.judging import Comparison
from ackclock.validation.keeping import FILE, as_csv, of_csv
from ackclock.validation.notes import notes
from ackclock.validation.page import count, short
from ackclock.validation.pictures import deviations, write_svg
from ackclock.validation.text import share
from ackclock.validation.writing import stale_notes, write

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
FULL = ROOT / "out/full"
SOURCE = folder() or ROOT / "validation"
PICTURE = "pictures/validation.svg"
SEEDS = 8


def kept() -> list[Comparison]:
    """The figures of the last run."""
    return of_csv((SOURCE / FILE).read_text(encoding="utf-8"))


def page() -> str:
    """The page of docs/."""
    preface = (SOURCE / "about.md").read_text(encoding="utf-8")
    full = "All figures of each scenario, and pictures over time: [the page in full](full.md)."
    return short(kept(), notes(SOURCE), preface, PICTURE, full)


def run() -> list[Comparison]:
    """Run all scenarios and write the page in full."""
    comparisons = compare(
        choose((), live=False, record=False), live=False, record=False, repetitions=0, seeds=SEEDS
    )
    FULL.mkdir(parents=True, exist_ok=True)
    write(comparisons, FULL)
    return comparisons


def main(options: list[str]) -> None:
    """Run and write what the options say."""
    if "--kept" not in options:
        comparisons = run()
        sys.stdout.write(f"{FULL / 'validation.md'}: written\n")
        if "--full" in options:
            return
        (SOURCE / FILE).write_text(as_csv(comparisons), encoding="utf-8")
        for note in stale_notes(comparisons):
            sys.stdout.write(
                f"validation/notes.toml: nothing of '{note.measure}' is missed in "
                f"'{note.scenario}' any more\n"
            )
    known = kept()
    write_svg(deviations(known), HERE / PICTURE)
    (HERE / "validation.md").write_text(page(), encoding="utf-8")
    for title, measures in (("all", ()), ("losses and retransmissions", LOSSES)):
        held, bars = count(known, measures)
        sys.stdout.write(f"bars of {title}: {share(held, bars)} hold\n")


if __name__ == "__main__":
    main(sys.argv[1:])
