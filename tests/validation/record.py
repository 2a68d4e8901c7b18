"""Shows the kernel's congestion controls beside the simulator's, or records them again.

python tests/validation/record.py [--kernel NAME]

With a NAME of `ackclock kernel list` that kernel runs them in virtual time, some minutes, and what
the tests compare with is written.
"""

import argparse
import json
import sys
from pathlib import Path

import ackclock as ac
from ackclock.engine.linux import run_on_linux
from ackclock.engine.linux.virtual.kernels import virtual

sys.path.insert(0, str(Path(__file__).parents[1]))

from validation.controls import CONTROLS, RECORD, figures, first_difference, recorded, scenario


def record(kernel_name: str) -> None:
    kernel = virtual(kernel_name)
    controls = {name: figures(run_on_linux(scenario(name), virtual=kernel)) for name in CONTROLS}
    text = json.dumps({"kernel": kernel.kernel.release, "controls": controls})
    RECORD.write_text(text.replace('}, "', '},\n"') + "\n", encoding="utf-8")


def show() -> None:
    print("| control | goodput, Mbit/s | drops | marks | queue, ms | first difference, s |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, kernel in recorded().items():
        ours = figures(ac.run(scenario(name)))
        first = first_difference(kernel, ours)
        cells = [
            f"{kernel['goodput'] / 1e6:.3f}, {ours['goodput'] / 1e6:.3f}",
            f"{kernel['drops']}, {ours['drops']}",
            f"{kernel['marks']}, {ours['marks']}",
            f"{kernel['queue_delay'] * 1e3:.2f}, {ours['queue_delay'] * 1e3:.2f}",
            "none" if first is None else f"{first:.1f}",
        ]
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernel", metavar="NAME")
    arguments = parser.parse_args()
    if arguments.kernel:
        record(arguments.kernel)
    show()
