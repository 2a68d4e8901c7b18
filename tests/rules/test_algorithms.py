"""A window does in a row of the record what the rule of that row says."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ackclock as ac
from ackclock._core import list_cc

MSS = 1448
SPECS = [entry["name"] for entry in list_cc() if entry["role"] != "slow start"] + [
    f"{entry['name']}+reno" for entry in list_cc() if entry["role"] == "slow start"
]
PATHS: dict[str, dict[str, Any]] = {
    "losses": {"buffer": "30 packets", "loss": "1%", "duration": "6s"},
    "overshoot": {"buffer": "100 packets", "duration": "2s"},
    "marks": {"buffer": "100 packets", "qdisc": {"kind": "codel", "ecn": True}, "duration": "2s"},
}

ECN = {"reno": "classic", "cubic": "accurate", "bbr": "classic", "dctcp": None, "prague": None}
"""Algorithms that are shown marks, with the ECN that they do not imply."""


@dataclass(frozen=True)
class Step:
    """A row, and the algorithm's window before it, bytes."""

    row: dict[str, Any]
    before: float

    @property
    def growth(self) -> float:
        return float(self.row["target_cwnd"] - self.before)

    @property
    def delivered(self) -> int:
        return int(self.row["acked_bytes"] + self.row["sacked_bytes"])

    def leaves(self, least: float, most: float) -> bool:
        """Whether ssthresh is such a share of the window, to the segment (RFC 5681 eq. 4)."""
        floor = 2 * MSS
        ssthresh = self.row["ssthresh"]
        low, high = (max(share * self.before, floor) for share in (least, most))
        return ssthresh is not None and low - MSS <= ssthresh <= high + MSS

    def grows(self, most: float) -> bool:
        """Whether the window grows by this at most, or by the segment that was due."""
        return 0 <= self.growth <= most + MSS


Claim = Callable[[Step], bool]
# The first expression that is found in a statement is its claim.
CLAIMS: dict[str, Claim] = {
    "ssthresh stays": lambda step: step.row["ssthresh"] == step.row["ssthresh_before"],
    "slow start goes on": lambda step: step.growth >= 0,
    # Before the ACK's own step the window is the one of the reduction.
    "recovery ends with the window": lambda step: step.before == step.row["ssthresh"],
    "the goal of the slowdown": lambda step: step.growth <= 0,
    "halves the window, but not below": lambda step: step.leaves(0.5, 1.0),
    "halves (the|a) window|halves the window as": lambda step: step.leaves(0.5, 0.5),
    "takes a fifth": lambda step: step.leaves(0.8, 0.8),
    "leaves beta_cubic": lambda step: step.leaves(0.7, 0.7),
    "leaves 80 %": lambda step: step.leaves(0.8, 0.8),
    "an eighth to a half": lambda step: step.leaves(0.5, 0.875),
    "RTT_min / RTT_max": lambda step: step.leaves(0.5, 0.8),
    "window stays|: it stays|this one goes on|waits for its next|changes nothing": (
        lambda step: step.growth == 0
    ),
    "no growth|does not grow": lambda step: step.growth == 0,
    "two segments per segment acknowledged": lambda step: step.grows(2 * step.delivered),
    "bytes acknowledged / CSS": lambda step: step.grows(step.delivered / 4),
    "by the bytes acknowledged": lambda step: step.grows(step.delivered),
    "half of Reno's growth|Reno's growth|standard TCP's growth": lambda step: step.grows(0),
    "(one|a) segments? more per": lambda step: step.grows(0),
    "shrinks$|falls by v|is given up|delay window yields|backoff, drawn": (
        lambda step: step.growth <= 0
    ),
    "one segment less": lambda step: -2 * MSS <= step.growth < 0,
}


def _claim(rule: str) -> str | None:
    statement = re.sub(r" \((?:RFC|draft|Linux|[A-Z]\w+).*\)$", "", rule)
    return next((words for words in CLAIMS if re.search(words, statement)), None)


def _steps() -> dict[str, list[Step]]:
    """Rows with a claim, by the words of the claim."""
    steps: dict[str, list[Step]] = {words: [] for words in CLAIMS}
    for spec in SPECS:
        for path, options in PATHS.items():
            if path == "marks" and spec not in ECN:
                continue
            before = None
            ecn = ECN.get(spec) if path == "marks" else None
            for row in _rows(spec, options | ({"transport": {"ecn": ecn}} if ecn else {})):
                if before is not None and row["rule"] and (words := _claim(row["rule"])):
                    steps[words].append(Step(row | {"spec": spec}, before))
                before = row["target_cwnd"]
    return steps


def _rows(spec: str, options: dict[str, Any]) -> list[dict[str, Any]]:
    scenario = ac.dumbbell(
        rate="10Mbit/s",
        rtt="60ms",
        flows=[ac.flow(spec, name="one")],
        warmup="0s",
        record={"samples": "off", "decisions": "all"},
        **options,
    )
    columns = ["told", "rule", "acked_bytes", "sacked_bytes", "cwnd", "target_cwnd"]
    columns += ["ssthresh", "ssthresh_before", "time"]
    return ac.run(scenario).decisions.select(columns).to_dicts()


def test_the_window_does_what_the_rule_says() -> None:
    # One test, because each process would make the runs again.
    for words, steps in _steps().items():
        assert steps, f"no row has a rule with {words!r}"
        wrong = [step.row for step in steps if not CLAIMS[words](step)]
        assert not wrong, (len(wrong), Counter(row["spec"] for row in wrong), wrong[0])
