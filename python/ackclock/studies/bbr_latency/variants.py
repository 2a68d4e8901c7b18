"""The algorithms that P2 is about, by the names that its experiments give them."""

from __future__ import annotations

PATCHED = "bbr(drain_to_target=true, early_probe_exit=true)"

ALONE = ("gains", "shrink", "carry-over", "short cycle")
"""The paper's four improvements, each alone on top of plain BBR."""

BASES = ("patched", "bbr")
"""What the paper calls BBR: with both published patches, or as Linux has it. Both are judged where it matters."""

CURVES = {"bbr": {"flows.cc": "bbr"}, "patched": {"flows.cc": PATCHED}, "lowlat": {"flows.cc": "bbr-lowlat"}}
"""What is recorded."""
