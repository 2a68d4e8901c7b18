"""Links with one setting each, and the parameters that a kernel must read back for them.

Expected figures are computed by hand from the setting and the manual pages, not by the code under
test. Times are in the units of `tc -j`: microseconds for most disciplines, seconds for netem.
"""

from __future__ import annotations

from typing import Any

__all__ = ["CASES", "RATE", "Case", "scenario_table"]

RATE = "20Mbit/s"

Case = tuple[dict[str, Any], list[tuple[str, dict[str, Any]]]]
"""Keys of the bottleneck, and kinds with options in the order of the commands."""

# 20 ms one way at 20 Mbit/s are 781 packets of 64 bytes.
_NETEM: dict[str, Any] = {"delay": {"delay": 0.02, "jitter": 0, "correlation": 0}}
# 20 Mbit/s are 2 500 000 bytes/s; the bucket holds 1 ms of them.
_TBF: dict[str, Any] = {"rate": 2_500_000, "burst": 2500}

CASES: dict[str, Case] = {
    "fifo in packets": (
        {"limit": "100 packets"},
        [("netem", _NETEM), ("tbf", _TBF), ("pfifo", {"limit": 101})],
    ),
    # A bfifo is tbf's own queue: 100 kB and a packet are 101 500 bytes, of which a bucket passes at
    # once: (101500 - 2500) bytes at the rate are 39 600 us.
    "fifo in bytes": ({"delay": "0s", "limit": "100kB"}, [("tbf", {**_TBF, "lat": 39_600})]),
    "codel": (
        {"qdisc": "codel"},
        [
            ("netem", _NETEM),
            ("tbf", _TBF),
            ("codel", {"limit": 1000, "target": 5_000, "interval": 100_000}),
        ],
    ),
    "codel with marks": (
        {
            "qdisc": {
                "kind": "codel",
                "target": "2.5ms",
                "interval": "50ms",
                "ecn": True,
                "ce_threshold": "1ms",
            },
            "limit": "300 packets",
        },
        [
            ("netem", _NETEM),
            ("tbf", _TBF),
            (
                "codel",
                {
                    "limit": 300,
                    "target": 2_500,
                    "interval": 50_000,
                    "ecn": True,
                    "ce_threshold": 1_000,
                },
            ),
        ],
    ),
    "fq_codel": (
        {
            "qdisc": {
                "kind": "fq_codel",
                "flows": 512,
                "quantum": "300 bytes",
                "memory_limit": "8MiB",
                "drop_batch": 32,
                "ecn": False,
            }
        },
        [
            ("netem", _NETEM),
            ("tbf", _TBF),
            (
                "fq_codel",
                {
                    "limit": 10_240,
                    "flows": 512,
                    "quantum": 300,
                    "target": 5_000,
                    "interval": 100_000,
                    "memory_limit": 8_388_608,
                    "drop_batch": 32,
                },
            ),
        ],
    ),
    "pie": (
        {"qdisc": {"kind": "pie", "target": "20ms", "tupdate": "20ms", "alpha": 4, "beta": 25}},
        [
            ("netem", _NETEM),
            ("tbf", _TBF),
            ("pie", {"limit": 1000, "target": 20_000, "tupdate": 20_000, "alpha": 4, "beta": 25}),
        ],
    ),
    "fq_pie": (
        {
            "qdisc": {
                "kind": "fq_pie",
                "flows": 256,
                "quantum": "600 bytes",
                "tupdate": "20ms",
                "ecn": True,
            }
        },
        [
            ("netem", _NETEM),
            ("tbf", _TBF),
            (
                "fq_pie",
                {
                    "limit": 10_240,
                    "flows": 256,
                    "target": 15_000,
                    "tupdate": 20_000,
                    "alpha": 2,
                    "beta": 20,
                    "quantum": 600,
                    "memory_limit": 33_554_432,
                    "ecn": True,
                    "ecn_prob": 10,
                },
            ),
        ],
    ),
    # 20 and 60 packets of 1500 bytes; 200 packets are 300 000 bytes.
    "red": (
        {
            "qdisc": {
                "kind": "red",
                "min_threshold": "20 packets",
                "max_threshold": "60 packets",
                "max_p": 0.02,
                "weight": 0.002,
                "ecn": True,
            },
            "limit": "200 packets",
        },
        [
            ("netem", _NETEM),
            ("tbf", _TBF),
            (
                "red",
                {
                    "limit": 300_000,
                    "min": 30_000,
                    "max": 90_000,
                    "ewma": 9,
                    "probability": 0.02,
                    "ecn": True,
                    "harddrop": True,
                },
            ),
        ],
    ),
    # 65 packets of 1500 bytes take 39 ms at 20 Mbit/s.
    "step": (
        {"qdisc": {"kind": "step", "threshold": "65 packets"}, "limit": "500 packets"},
        [
            ("netem", _NETEM),
            ("tbf", _TBF),
            (
                "codel",
                {
                    "limit": 500,
                    "target": 1_000_000_000,
                    "interval": 1_000_000_000,
                    "ce_threshold": 39_000,
                },
            ),
        ],
    ),
    "cobalt": (
        {"qdisc": "cobalt"},
        [
            ("netem", _NETEM),
            ("tbf", _TBF),
            (
                "cake",
                {
                    "bandwidth": "unlimited",
                    "diffserv": "besteffort",
                    "flowmode": "flowblind",
                    "rtt": 100_000,
                    "memlimit": 1_500_000,
                },
            ),
        ],
    ),
    "prio": (
        {"qdisc": {"kind": "prio", "children": ["fifo", "codel", "fifo"]}, "limit": "80 packets"},
        [
            ("netem", _NETEM),
            ("tbf", _TBF),
            ("prio", {"bands": 3, "priomap": [1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]}),
            ("pfifo", {"limit": 81}),
            ("codel", {"limit": 80}),
            ("pfifo", {"limit": 81}),
        ],
    ),
    "drr by priority": (
        {
            "qdisc": {"kind": "drr", "by": "priority", "quanta": {"6": "3000 bytes"}},
            "limit": "80 packets",
        },
        [("netem", _NETEM), ("tbf", _TBF), ("drr", {}), *([("pfifo", {"limit": 80})] * 16)],
    ),
    # Latency 50 ms at 8 Mbit/s are 50 000 bytes, with the bucket 56 000, and a packet that waits.
    "tbf in tbf": (
        {
            "delay": "0s",
            "qdisc": {"kind": "tbf", "rate": "8Mbit/s", "burst": "6000 bytes", "latency": "50ms"},
        },
        [("tbf", _TBF), ("tbf", {"rate": 1_000_000, "burst": 6000, "lat": 51_500})],
    ),
    "loss": (
        {"limit": "100 packets", "loss": {"kind": "bernoulli", "p": 0.01}},
        [
            ("netem", {**_NETEM, "loss-random": {"loss": 0.01, "correlation": 0}}),
            ("tbf", _TBF),
            ("pfifo", {"limit": 101}),
        ],
    ),
    "loss in bursts": (
        {
            "limit": "100 packets",
            "loss": {"kind": "gilbert-elliott", "p": 0.01, "r": 0.3, "loss_bad": 0.8},
        },
        [
            ("netem", {**_NETEM, "loss-gemodel": {"p": 0.01, "r": 0.3, "1-h": 0.8, "1-k": 0}}),
            ("tbf", _TBF),
            ("pfifo", {"limit": 101}),
        ],
    ),
    # Jitter of uniform(0 ms, 4 ms) is 2 ms either side of 22 ms.
    "jitter": (
        {"limit": "100 packets", "jitter": "uniform(0ms, 4ms)"},
        [
            ("netem", {"delay": {"delay": 0.022, "jitter": 0.002, "correlation": 0}}),
            ("tbf", _TBF),
            ("pfifo", {"limit": 101}),
        ],
    ),
    "normal jitter": (
        {"limit": "100 packets", "jitter": "normal(8ms, 2ms)"},
        [
            ("netem", {"delay": {"delay": 0.028, "jitter": 0.002, "correlation": 0}}),
            ("tbf", _TBF),
            ("pfifo", {"limit": 101}),
        ],
    ),
    "reordering": (
        {"limit": "100 packets", "reorder": {"p": 0.25, "gap": 5, "correlation": 0.5}},
        [
            ("netem", {**_NETEM, "reorder": {"reorder": 0.25, "correlation": 0.5}, "gap": 5}),
            ("tbf", _TBF),
            ("pfifo", {"limit": 101}),
        ],
    ),
    "duplicates and damage": (
        {"limit": "100 packets", "duplicate": 0.02, "corrupt": 0.001},
        [
            (
                "netem",
                {
                    **_NETEM,
                    "duplicate": {"duplicate": 0.02, "correlation": 0},
                    "corrupt": {"corrupt": 0.001, "correlation": 0},
                },
            ),
            ("tbf", _TBF),
            ("pfifo", {"limit": 101}),
        ],
    ),
    "slots": (
        {"limit": "100 packets", "slot": {"min_delay": "5ms", "max_delay": "20ms", "packets": 3}},
        [
            ("netem", {**_NETEM, "slot": {"min-delay": 0.005, "max-delay": 0.02, "packets": 3}}),
            ("tbf", _TBF),
            ("pfifo", {"limit": 101}),
        ],
    ),
    "a policer": (
        {"limit": "100 packets", "policer": {"rate": "5Mbit/s", "burst": "50kB"}},
        [("netem", _NETEM), ("tbf", _TBF), ("pfifo", {"limit": 101}), ("clsact", {})],
    ),
    "no delay": (
        {"delay": "0s", "limit": "100 packets"},
        [("tbf", _TBF), ("pfifo", {"limit": 101})],
    ),
}


def scenario_table(keys: dict[str, Any]) -> dict[str, Any]:
    """A dumbbell with some keys of its bottleneck, and a flow."""
    return {
        "name": "tc",
        "duration": "10s",
        "network": {"kind": "dumbbell", "bottleneck": {"rate": RATE, "delay": "20ms", **keys}},
        "flows": [{"cc": "cubic"}],
    }
