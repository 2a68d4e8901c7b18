"""Results of studies whose runs are made up."""

from collections.abc import Callable

from ackclock.studies.results import Results
from ackclock.sweeps.result import SweepResult
from sweep_designs import design, made_up

Figure = Callable[[str, int, int], float | None]


def results(
    figure: Figure,
    *,
    seeds: int = 8,
    buffers: tuple[int, ...] = (5, 10, 20),
    ccs: tuple[str, ...] = ("reno", "cubic"),
    quick: bool = False,
) -> Results:
    """One experiment "e" over cc and buffer: "goodput" is figure(cc, buffer, replication)."""
    of = design(
        axes=(
            {
                "name": "buffer",
                "network.bottleneck.limit": [f"{buffer} packets" for buffer in buffers],
                "labels": list(buffers),
            },
            {"flows.cc": list(ccs)},
        ),
        responses=("goodput",),
        replications=seeds,
    )

    def value(setting: int, replication: int) -> float | None:
        buffer, cc = of.settings[setting].labels
        return figure(str(cc), int(buffer), replication)

    return Results({"e": SweepResult.of(of, made_up(of, value))}, quick=quick)


def noise(replication: int, scale: float = 1.0) -> float:
    """Spread without a trend, the same for each seed."""
    return scale * ((replication * 7919 % 13) - 6) / 6
