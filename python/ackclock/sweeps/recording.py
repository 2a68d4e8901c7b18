"""What the runs of a sweep record: what its responses need, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ackclock.scenario import Scenario
    from ackclock.sweeps.responses import Response

__all__ = ["recorded_for_all"]


def recorded_for_all(responses: Iterable[Response], scenario: Scenario) -> dict[str, Any]:
    """The table `record` for these responses, as the scenario has it or by default."""
    needs = {need for response in responses for need in response.needs}
    record: dict[str, Any] = {"samples": "off"}
    if "samples" in needs:
        record["samples"] = "auto" if scenario.record.samples == "off" else scenario.record.samples
    if "packets" in needs:
        record["packets"] = scenario.record.packets or [scenario.plan()["links"][0]["name"]]
    return record
