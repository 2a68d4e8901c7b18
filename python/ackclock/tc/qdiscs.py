"""Every discipline of a plan in tc's words.

Names, units and defaults are those of the manual pages tc-pfifo(8), tc-codel(8), tc-fq_codel(8),
tc-pie(8), tc-fq_pie(8), tc-red(8), tc-prio(8), tc-drr(8), tc-tbf(8), tc-cake(8) and tc-dualpi2(8).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.tc.discipline import Discipline, Packet, limit_in_packets, limit_of
from ackclock.tc.red import red
from ackclock.tc.shaper import bucket
from ackclock.tc.units import number, rate, time

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ackclock.border.plan import (
        CobaltQdiscPlan,
        CodelControl,
        CodelQdiscPlan,
        DrrQdiscPlan,
        Dualpi2QdiscPlan,
        FifoQdiscPlan,
        FqCodelQdiscPlan,
        FqPieQdiscPlan,
        PieControlPlan,
        PieQdiscPlan,
        PrioQdiscPlan,
        QdiscPlan,
        RedQdiscPlan,
        StepQdiscPlan,
        TbfQdiscPlan,
    )

__all__ = ["discipline_of", "shaper"]

_GAIN_STEPS = 16
_NEVER = "1000s"
"""A target that no queue reaches; tc's times end at 4294 s."""
_FIXED_ECN_PROB = 0.1
_FIXED_MAX_BURST_PS = 150 * 10**9
_FIXED_P_INC, _FIXED_P_DEC = 1 / 256, 1 / 4096
_TARGETS_PER_INTERVAL = 20
_DRR_CLASSES = 16
_PRIORITIES = 16


def discipline_of(plan: QdiscPlan, packet: Packet, rate_bps: int | None) -> Discipline:
    """A discipline of a plan in tc's words.

    Parameters
    ----------
    plan
        The discipline, in the engine's form.
    packet
        Packets of the link.
    rate_bps
        Rate at which the queue drains, bit/s; None on an unlimited link.
    """
    return _KINDS[plan["kind"]](plan, packet, rate_bps)


def _flag(name: str, value: bool, no: str = "no") -> str:
    return name if value else f"{no}{name}"


def _fifo(plan: FifoQdiscPlan, packet: Packet, rate_bps: int | None) -> Discipline:  # noqa: ARG001
    words, notes = limit_of(
        {key: plan.get(key) for key in ("limit_packets", "limit_bytes")},  # type: ignore[arg-type]
        packet,
    )
    return Discipline(words, notes)


def _control(control: CodelControl) -> tuple[str, ...]:
    words = ("target", time(control["target_ps"]), "interval", time(control["interval_ps"]))
    threshold = control.get("ce_threshold_ps")
    marks = () if threshold is None else ("ce_threshold", time(threshold))
    return (*words, _flag("ecn", control["ecn"]), *marks)


def _codel(plan: CodelQdiscPlan, packet: Packet, rate_bps: int | None) -> Discipline:  # noqa: ARG001
    limit, notes = limit_in_packets(plan["limit"], packet)
    return Discipline(("codel", "limit", str(limit), *_control(plan["control"])), notes)


def _fq_codel(
    plan: FqCodelQdiscPlan,
    packet: Packet,
    rate_bps: int | None,  # noqa: ARG001
) -> Discipline:
    limit, notes = limit_in_packets(plan["limit"], packet)
    return Discipline(
        (
            *("fq_codel", "limit", str(limit), "flows", str(plan["flows"])),
            *("quantum", str(plan["quantum_bytes"])),
            *("memory_limit", str(plan["memory_limit_bytes"])),
            *("drop_batch", str(plan["drop_batch"])),
            *_control(plan["control"]),
        ),
        notes,
    )


def _pie_control(control: PieControlPlan) -> tuple[str, ...]:
    """PIE's controller: tc's alpha and beta are whole sixteenths of 1/s (tc-pie(8))."""
    return (
        *("target", time(control["target_ps"]), "tupdate", time(control["tupdate_ps"])),
        *("alpha", str(round(control["alpha"] * _GAIN_STEPS))),
        *("beta", str(round(control["beta"] * _GAIN_STEPS))),
        _flag("ecn", control["ecn"]),
        _flag("bytemode", control["bytemode"]),
        _flag("dq_rate_estimator", control["dq_rate_estimator"], "no_"),
    )


def _burst_note(control: PieControlPlan) -> tuple[str, ...]:
    if control["max_burst_ps"] == _FIXED_MAX_BURST_PS:
        return ()
    return (
        (
            f"tc has no burst allowance to set: Linux fixes it at 150ms, and the scenario has "
            f"{time(control['max_burst_ps'])}."
        ),
    )


def _pie(plan: PieQdiscPlan, packet: Packet, rate_bps: int | None) -> Discipline:  # noqa: ARG001
    limit, notes = limit_in_packets(plan["limit"], packet)
    control = plan["control"]
    if control["ecn"] and control["ecn_prob"] != _FIXED_ECN_PROB:
        notes += (
            (
                "tc-pie marks up to a drop probability of 10 %, and the scenario up to "
                f"{100 * control['ecn_prob']:g} %."
            ),
        )
    return Discipline(
        ("pie", "limit", str(limit), *_pie_control(control)), (*notes, *_burst_note(control))
    )


def _fq_pie(plan: FqPieQdiscPlan, packet: Packet, rate_bps: int | None) -> Discipline:  # noqa: ARG001
    limit, notes = limit_in_packets(plan["limit"], packet)
    control = plan["control"]
    probability = round(100 * control["ecn_prob"])
    if probability != 100 * control["ecn_prob"]:
        notes += (
            (
                f"tc takes whole percents of ecn_prob: {probability}, and the scenario has "
                f"{100 * control['ecn_prob']:g}."
            ),
        )
    return Discipline(
        (
            *("fq_pie", "limit", str(limit), "flows", str(plan["flows"])),
            *("quantum", str(plan["quantum_bytes"])),
            *("memory_limit", str(plan["memory_limit_bytes"])),
            *("ecn_prob", str(probability)),
            *_pie_control(control),
        ),
        (*notes, *_burst_note(control)),
    )


def _cobalt(plan: CobaltQdiscPlan, packet: Packet, rate_bps: int | None) -> Discipline:  # noqa: ARG001
    """COBALT alone is not in tc: CAKE with one tin and one queue is nearest (tc-cake(8))."""
    packets, size = plan["limit"].get("limit_packets"), plan["limit"].get("limit_bytes")
    notes = ["tc has COBALT in cake only: besteffort and flowblind leave it one tin and one queue."]
    memory: tuple[str, ...] = ()
    if packets is not None or size is not None:
        amount = size if size is not None else (packets or 0) * packet.mtu
        memory = ("memlimit", str(amount))
        notes.append(
            f"cake's memlimit counts the kernel's buffers, which are larger than the {amount} "
            "bytes of packets that the scenario allows."
        )
    if plan["target_ps"] * _TARGETS_PER_INTERVAL != plan["interval_ps"]:
        notes.append(
            "cake sets its target to a twentieth of rtt, and the scenario has "
            f"{time(plan['target_ps'])}."
        )
    if not plan["ecn"]:
        notes.append("cake always marks ECN-capable packets, and the scenario drops them.")
    if (plan["p_inc"], plan["p_dec"]) != (_FIXED_P_INC, _FIXED_P_DEC):
        notes.append("tc cannot set BLUE's steps, p_inc and p_dec.")
    return Discipline(
        (
            *("cake", "unlimited", "besteffort", "flowblind", "no-split-gso", "raw"),
            *("rtt", time(plan["interval_ps"]), *memory),
        ),
        tuple(notes),
    )


def _step(plan: StepQdiscPlan, packet: Packet, rate_bps: int | None) -> Discipline:
    """Marks above a threshold: codel's ce_threshold, with a target that never drops.

    tc-codel(8): "sets a threshold above which all packets are marked with ECN Congestion
    Experienced".
    """
    limit, notes = limit_in_packets(plan["limit"], packet)
    packets, size = plan["threshold"].get("limit_packets"), plan["threshold"].get("limit_bytes")
    length = size if size is not None else (packets or 0) * packet.mtu
    wait = round(length * 8 * 10**12 / rate_bps) if rate_bps else 0
    return Discipline(
        (
            *("codel", "limit", str(limit), "target", _NEVER, "interval", _NEVER, "noecn"),
            *("ce_threshold", time(wait)),
        ),
        (
            *notes,
            (
                f"tc has no marking by length: codel marks packets that waited {time(wait)}, "
                f"the time in which {length} bytes leave; its target is too long to drop."
            ),
        ),
    )


def _dualpi2(plan: Dualpi2QdiscPlan, packet: Packet, rate_bps: int | None) -> Discipline:  # noqa: ARG001
    limit, notes = limit_in_packets(plan["limit"], packet)
    step = plan["step"]
    threshold = time(step["ps"]) if step["kind"] == "time" else f"{step['count']}packets"
    return Discipline(
        (
            *("dualpi2", "limit", str(limit)),
            *("target", time(plan["target_ps"]), "tupdate", time(plan["tupdate_ps"])),
            *("alpha", number(plan["alpha"]), "beta", number(plan["beta"])),
            *("step_thresh", threshold, "min_qlen_step", str(plan.get("min_qlen_step", 0))),
            *("coupling_factor", number(plan["coupling_factor"])),
            "drop_on_overload" if plan["drop_on_overload"] else "overflow",
            "drop_enqueue" if plan["drop_enqueue"] else "drop_dequeue",
            *("classic_protection", str(plan["classic_protection"])),
            *(("any_ect",) if plan["any_ect"] else ()),
        ),
        (*notes, "dualpi2 needs a kernel and a tc that have it: Linux 6.17 or later."),
    )


def _prio(plan: PrioQdiscPlan, packet: Packet, rate_bps: int | None) -> Discipline:
    """Bands are the classes 1, 2, ... of the qdisc (tc-prio(8))."""
    children = [discipline_of(child, packet, rate_bps) for child in plan["children"]]
    return Discipline(
        (
            *("prio", "bands", str(len(children))),
            *("priomap", *(str(band) for band in plan["priomap"])),
        ),
        (
            (
                "The kernel takes a packet's band from its priority: SO_PRIORITY of the socket, or "
                "the filter or firewall rule that sets it on a router."
            ),
        ),
        tuple(enumerate(children, start=1)),
    )


def _drr(plan: DrrQdiscPlan, packet: Packet, rate_bps: int | None) -> Discipline:  # noqa: ARG001
    """Classes and the filter that fills them: drr drops a packet that it does not take."""
    words, notes = limit_of(plan["limit"], Packet(packet.mtu))
    child = Discipline(words)
    quanta = {one[0]: one[1] for one in plan.get("quanta") or []}
    if plan["by"] == "priority":
        count = _PRIORITIES
        chosen: tuple[str, ...] = ("flow", "map", "key", "priority", "baseclass", "%1")
    else:
        count = _DRR_CLASSES
        chosen = (
            *("flow", "hash", "keys", "src,dst,proto,proto-src,proto-dst"),
            *("divisor", str(count), "baseclass", "%1"),
        )
        notes += (
            (
                f"tc spreads flows over {count} classes by a hash; the scenario has a class "
                "for each direction of each flow."
            ),
        )
    notes += ("Each class has the whole limit here; in the scenario all classes share it.",)
    classes = tuple(
        (number + 1, ("drr", "quantum", str(quanta.get(number, plan["quantum_bytes"]))))
        for number in range(count)
    )
    return Discipline(
        ("drr",),
        notes,
        tuple((number, child) for number, _ in classes),
        classes,
        (("protocol", "all", "handle", "1", *chosen),),
    )


def _tbf(plan: TbfQdiscPlan, packet: Packet, rate_bps: int | None) -> Discipline:
    """A token bucket: tc wants limit or latency, which the discipline inside replaces.

    tc-tbf(8): "Without inner qdisc TBF queue acts as bfifo. If the inner qdisc is changed the
    limit/latency is not effective anymore."
    """
    slower = plan["rate_bps"] if rate_bps is None else min(plan["rate_bps"], rate_bps)
    inner = discipline_of(plan["qdisc"], Packet(packet.mtu, held=1), slower)
    peak = plan.get("peak")
    second = () if peak is None else ("peakrate", rate(peak["rate_bps"]), "mtu", _mtu(peak))
    shaped = shaper(plan["rate_bps"], plan["burst_bytes"], inner)
    return Discipline((*shaped.words, *second), shaped.notes, shaped.children)


def shaper(rate_bps: int, burst_bytes: int, inner: Discipline) -> Discipline:
    """A token bucket filter around a discipline; a bfifo is the filter's own queue.

    Parameters
    ----------
    rate_bps
        Rate of the tokens, bit/s.
    burst_bytes
        Size of the bucket, bytes.
    inner
        Discipline of the packets that wait for tokens.
    """
    if inner.kind not in ("pfifo", "bfifo"):
        return Discipline(bucket(rate_bps, burst_bytes), children=((1, inner),))
    words = bucket(rate_bps, burst_bytes, int(inner.words[2]))
    if inner.kind == "bfifo":
        return Discipline(words, inner.notes)
    return Discipline(words, children=((1, inner),))


def _mtu(peak: Mapping[str, Any]) -> str:
    return str(peak["mtu_bytes"])


_KINDS: dict[str, Callable[[Any, Packet, int | None], Discipline]] = {
    "fifo": _fifo,
    "codel": _codel,
    "fq_codel": _fq_codel,
    "pie": _pie,
    "fq_pie": _fq_pie,
    "red": lambda plan, packet, rate_bps: _red(plan, packet, rate_bps),
    "cobalt": _cobalt,
    "step": _step,
    "dualpi2": _dualpi2,
    "prio": _prio,
    "drr": _drr,
    "tbf": _tbf,
}


def _red(plan: RedQdiscPlan, packet: Packet, rate_bps: int | None) -> Discipline:
    words, notes = red(plan, packet.mtu, rate_bps)
    return Discipline(words, notes)
