"""Algorithms of P2, by their names in its experiments."""

PATCHED = "bbr(drain_to_target=true, early_probe_exit=true)"

ALONE = ("gains", "shrink", "carry-over", "short cycle")
"""The paper's four improvements, each alone on top of plain BBR."""

BASES = ("patched", "bbr")
"""Readings of the paper's “BBR”: with both published patches, or as Linux has it. Both are judged
where it matters.
"""

READ_OTHERWISE = (
    "lowlat, at once",
    "lowlat, in 30",
    "lowlat, any ACK",
    "lowlat, variance in s",
    "lowlat, deviation",
    "lowlat, reset",
    "lowlat, all ours",
)
"""The improved BBR under the further readings: a label for each in every experiment that has
`lowlat`.
"""

CURVES = {
    "bbr": {"flows.cc": "bbr"},
    "patched": {"flows.cc": PATCHED},
    "lowlat": {"flows.cc": "bbr-lowlat"},
    "lowlat, in 30": {"flows.cc": "bbr-lowlat(give_back=30)"},
}
"""Variants of the short recordings, with their changed keys."""

LONG_CURVES = {
    "bbr": {"flows.cc": "bbr"},
    "400 ms alone": {"flows.cc": "bbr(max_stable_duration=400)"},
    "lowlat": {"flows.cc": "bbr-lowlat"},
}
"""Recorded variants of bbr on a long path."""

RISE_CURVES = {**LONG_CURVES, "lowlat, in 30": {"flows.cc": "bbr-lowlat(give_back=30)"}}
"""Recorded variants of bbr where the link's rate rises."""

TITLES = {
    "bbr": "bbr",
    "patched": "bbr with both patches",
    "lowlat": "bbr-lowlat",
    "lowlat, in 30": "bbr-lowlat, given back",
    "400 ms alone": "bbr with MaxStableDuration",
}
"""Names of the algorithms in figures."""
