"""Flow queueing with PIE."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from ackclock.scenario.qdisc.fair import FlowQueues
from ackclock.scenario.qdisc.pie import PieControlled, burst_note, control_words
from ackclock.scenario.quantities import size_bytes
from ackclock.tc_words import TcQdisc, limit_in_packets

if TYPE_CHECKING:
    from ackclock.border.plan import FqPieQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue
    from ackclock.tc_words import TcQueue

__all__ = ["FqPie"]


class FqPie(FlowQueues, PieControlled):
    """A queue per flow, served in turn, each under PIE (tc-fq_pie)."""

    default_limit: ClassVar[str] = "10240 packets"

    kind: Literal["fq_pie"]
    """Name of the discipline."""

    def plan(self, queue: Queue) -> FqPieQdiscPlan:
        """See `Discipline.plan`."""
        return {
            "kind": "fq_pie",
            "limit": queue.limit(),
            "control": self.control(queue),
            "flows": self.flows,
            "quantum_bytes": size_bytes(self.quantum),
            "memory_limit_bytes": self.memory_bytes(queue),
        }

    @staticmethod
    def tc(plan: FqPieQdiscPlan, queue: TcQueue) -> TcQdisc:
        """See `Discipline.tc`; tc-fq_pie(8)."""
        limit, notes = limit_in_packets(plan["limit"], queue.packet)
        control = plan["control"]
        probability = round(100 * control["ecn_prob"])
        if probability != 100 * control["ecn_prob"]:
            notes += (
                (
                    f"tc takes whole percents of ecn_prob: {probability}, and the scenario has "
                    f"{100 * control['ecn_prob']:g}."
                ),
            )
        return TcQdisc(
            (
                *("fq_pie", "limit", str(limit), "flows", str(plan["flows"])),
                *("quantum", str(plan["quantum_bytes"])),
                *("memory_limit", str(plan["memory_limit_bytes"])),
                *("ecn_prob", str(probability)),
                *control_words(control),
            ),
            (*notes, *burst_note(control)),
        )
