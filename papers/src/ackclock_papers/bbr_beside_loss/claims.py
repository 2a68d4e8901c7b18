"""Claims and open questions of Ware, Mukerjee, Seshan & Sherry."""

from ackclock.studies.criteria import Effect, Level, same
from ackclock_papers.bbr_beside_loss import laws, rules
from ackclock_papers.builders import claim, question

_LINK = laws.PAYLOAD * laws.SLOW[0]
_BUFFER_S = 32 * laws.RTT

CLAIMS = (
    claim(
        "BL-1",
        "The share of one BBR flow does not depend on the number of loss-based flows beside it.",
        paper="The authors' finding: BBR's throughput does not depend on the number of competing "
        "loss-based flows; it is a fixed fraction of the link.",
        reading="The goodput beside 2 to 16 flows is within 10 % of that beside one, behind a "
        "queue of 32 BDP as in the authors' first figure.",
        criterion={
            f"{n} flows": same("peers", "goodput of BBR", "others", n, 1, margin=0.1)
            for n in (2, 4, 8, 16)
        },
        why="Behind so deep a queue eight round trips last as long as the ten seconds from one "
        "PROBE_RTT to the next. BBR thus probes for bandwidth about once in between, and the other "
        "flows take at once the rate that BBR gives up in PROBE_RTT (BL-F1). The model has BBR at "
        "its window's limit. Beside CUBIC it does not reach that limit (BL-window); beside Reno, "
        "which takes long to fill the queue again, it comes near. The share falls with the number "
        "of CUBIC flows only where all flows start at once (BL-peers).",
        figures=("BL-peers",),
    ),
    claim(
        "BL-2",
        "One BBR flow gets up to half of the link, and no more.",
        paper="Equation 5: p = 1/2 for one BBR flow in a deep queue, beside any number of flows.",
        reading="At most half of the goodput that the link carries.",
        criterion=Level("peers", "goodput of BBR", highest=_LINK / 2, unit="bit/s"),
        figures=("BL-peers", "BL-F3"),
    ),
    claim(
        "BL-F1c",
        "Beside sixteen flows BBR leaves just over half of the link to them.",
        paper="Page 2, as quoted, for the setting of Figure 1c: BBR leaves just over half to be "
        "shared by the sixteen other connections.",
        reading="The goodput of BBR is 40 to 50 % of what the link carries.",
        criterion=Level(
            "peers", "goodput of BBR", 0.4 * _LINK, 0.5 * _LINK, {"others": 16}, "bit/s"
        ),
        why="As BL-1.",
        figures=("BL-peers",),
    ),
    claim(
        "BL-unfair",
        "BBR has more than its fair share beside two flows and more.",
        paper="The simple model's consequence: unfair wherever one BBR flow meets two CUBIC flows "
        "or more.",
        criterion={
            f"{n} flows": Level(
                "peers", "goodput of BBR", lowest=_LINK / (n + 1), at={"others": n}, unit="bit/s"
            )
            for n in (2, 4, 8, 16)
        },
        differs="The kernel has run only 16 flows, where the claim holds in the simulator as well.",
        figures=("BL-peers",),
    ),
    claim(
        "BL-eq5",
        "The cap 2 q (p − p²) meets the rest of the queue at p = 1/2.",
        paper="Equations 1 to 5: the in-flight cap against what the BBR flow has in flight.",
        criterion=rules.half,
        figures=("BL-F3",),
    ),
    claim(
        "BL-window",
        "Under competition BBR is limited by its window, not by its rate.",
        paper="The authors' first explanation: supposed to be rate-based, BBR is window-limited "
        "when it competes.",
        reading="The median of the data in flight is at least 95 % of the window; alone it is half "
        "of it by design.",
        criterion=rules.window_limited,
        why="As for BL-1: the window, which follows from BBR's estimate of the round-trip time, is "
        "nearly full beside Reno, and less so beside CUBIC.",
        figures=("BL-F1", "BL-window"),
    ),
    claim(
        "BL-fill",
        "BBR takes part in filling the queue.",
        paper="The authors' first explanation: although it is to keep delay low, BBR fills the "
        "network's buffers when it competes.",
        reading="On average at least half of the queue of 32 BDP is full.",
        criterion=Level("peers", "queue_delay.mean", lowest=0.5 * _BUFFER_S),
        figures=("BL-F1",),
    ),
    claim(
        "BL-F6",
        "N BBR flows alone take 4 N packets for the path if these do not fit into it.",
        paper="Equation 6, Figure 6: RTT_est = max(l, (4 N − c l) / c + l) at 15 Mbit/s and 40 ms, "
        "for 2 to 64 flows.",
        reading="Within 10 %.",
        criterion=rules.ESTIMATES,
        figures=("BL-F6",),
    ),
    claim(
        "BL-F7",
        "The time in PROBE_RTT grows with the queue.",
        paper="Equation 11, Figure 7: (q/c + 0.2 + l) of every ten seconds, at 10 Mbit/s and 40 "
        "ms, for queues of 1 to 64 BDP.",
        reading="Within 15 %.",
        criterion=rules.probing,
        figures=("BL-F7",),
    ),
    claim(
        "BL-F8a",
        "The model predicts the share beside CUBIC with a median error of 5 %.",
        paper="Figures 8a and 8b, and the authors' article: 10 Mbit/s and 40 ms, 50 Mbit/s and 30 "
        "ms; 1 to 32 BBR flows; queues of 1 to 64 BDP; median error 5 %.",
        reading="The error is a share of what was measured. Settings are those of the figures.",
        criterion=rules.error("cubic", "CUBIC", 0.05),
        why="The largest errors are those of the deepest queue, where BBR is far from its cap "
        "(BL-1), and of one or two products, where the model leaves nothing, or next to nothing, "
        "to others: a bound, not a forecast.",
        figures=("BL-F8a", "BL-F8b"),
    ),
    claim(
        "BL-F8c",
        "The model predicts the share beside Reno with a median error of 8 %.",
        paper="Figure 8c, and the authors' article: 10 Mbit/s and 40 ms; 1 to 32 BBR flows; queues "
        "of 1 to 64 BDP; median error 8 %.",
        reading="As BL-F8a.",
        criterion=rules.error("reno", "Reno", 0.08),
        figures=("BL-F8c",),
    ),
)

QUESTIONS = (
    question(
        "BL-Q1",
        "Does the share shrink with the queue, as the model has it beyond two products?",
        Effect("over-queue", "goodput of BBR", "queue", 64, 2, {"peer": "cubic"}),
        paper="Equation 9: p grows with X.",
        figures=("BL-F8a",),
    ),
    question(
        "BL-Q2",
        "Do more BBR flows together have more?",
        Effect(
            "over-queue", "goodput of BBR", "bbr_flows", 16, 1, {"peer": "cubic"}, better="more"
        ),
        paper="Equation 9: p shrinks by 4 N / q.",
        figures=("BL-F8a",),
    ),
    question(
        "BL-Q3",
        "What share does BBRv3 have in place of BBRv1?",
        Effect("versions", "goodput of BBR", "version", "BBRv3", "BBRv1"),
        paper="The authors' article names it as future work.",
        figures=("BL-versions",),
    ),
)
