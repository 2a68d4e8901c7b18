"""Questions that Ru & Liu leave open."""

from ackclock.studies.criteria import Effect
from ackclock_papers.builders import question

_COS = ("cc", "cos+reno", "reno")

QUESTIONS = (
    question(
        "P1-Q1",
        "Does COS-Slow-Start lose fewer packets on today's transport?",
        Effect("today-transport", "lost_packets", *_COS),
        reading="The same network; SACK, RACK, tail loss probes, an initial window of 10 packets, "
        "delayed ACKs.",
        figures=("P1-Q1",),
    ),
    question(
        "P1-Q2",
        "Does COS-Slow-Start's exit rule change the losses?",
        {
            "without the rule (sigma = 0)": Effect(
                "sigma", "lost_packets", "sigma", "0", "doubling"
            ),
            "with it (sigma = 2)": Effect("sigma", "lost_packets", "sigma", "2", "doubling"),
            "timeouts, without it": Effect("sigma", "timeouts", "sigma", "0", "doubling"),
            "timeouts, with it": Effect("sigma", "timeouts", "sigma", "2", "doubling"),
        },
        figures=("P1-sigma",),
    ),
    question(
        "P1-Q3",
        "Does COS-Slow-Start help with delayed ACKs?",
        {
            "ACKs counted": Effect(
                "acks", "transfer_time", *_COS, {"acks": "delayed, ACKs counted"}
            ),
            "bytes counted": Effect(
                "acks", "transfer_time", *_COS, {"acks": "delayed, bytes counted"}
            ),
            "each packet acknowledged": Effect(
                "acks", "transfer_time", *_COS, {"acks": "each packet"}
            ),
            "losses": Effect("acks", "lost_packets", *_COS),
        },
        reading="One ACK for two packets. Doubling then grows by half per round trip if it counts "
        "ACKs (ns-2's Reno), and doubles if it counts bytes (RFC 3465). COS's curve goes by round "
        "trips and does not depend on that.",
        figures=("P1-acks",),
    ),
    question(
        "P1-Q4",
        "Does COS-Slow-Start help from an initial window of ten packets?",
        {
            f"from {window}": Effect(
                "acks", "transfer_time", *_COS, {"window": window, "acks": "each packet"}
            )
            for window in (1, 10)
        },
        reading="COS enters its curve where the curve has ten packets.",
        figures=("P1-acks",),
    ),
    question(
        "P1-Q5",
        "What if ssthresh is wrong, by 0.25 to 8 of the path's bandwidth-delay product?",
        {
            "too small, time": Effect(
                "wrong-ssthresh", "transfer_time", *_COS, {"ssthresh": [0.25, 0.5]}
            ),
            "right, time": Effect("wrong-ssthresh", "transfer_time", *_COS, {"ssthresh": 1}),
            "too large, time": Effect(
                "wrong-ssthresh", "transfer_time", *_COS, {"ssthresh": [2, 4, 8]}
            ),
            "too large, losses": Effect(
                "wrong-ssthresh", "lost_packets", *_COS, {"ssthresh": [2, 4, 8]}
            ),
        },
        reading="A file of 16 BDP, a buffer of half a BDP, the paper's transport; 10 Mbit/s to 1 "
        "Gbit/s.",
        figures=("P1-wrong-losses", "P1-wrong-time"),
    ),
    question(
        "P1-Q6",
        "Does COS-Slow-Start help with CUBIC on today's transport, where both know ssthresh?",
        {
            name: Effect("today", response, "slow_start", "COS, told", "doubling, told")
            for name, response in (("losses", "lost_packets"), ("time", "transfer_time"))
        },
        reading="“Told”: ssthresh is set to the path's bandwidth-delay product, as the paper "
        "assumes.",
        why="At 10 Mbit/s a quarter of a bandwidth-delay product is a buffer of ten packets. COS "
        "wants more than doubling in the second round trip and overflows it there, by little; "
        "doubling does so a round trip later, by much. Fewer losses, but the cut meets the smaller "
        "window, and it takes longer to fill the path again (P1-today-curve).",
        figures=("P1-today-losses", "P1-today-time", "P1-today-curve"),
    ),
    question(
        "P1-Q7",
        "Is COS-Slow-Start better than slow starts that find their exit by themselves: HyStart, "
        "HyStart++, limited slow start, SEARCH?",
        {
            f"{other}, {name}": Effect("today", response, "slow_start", "COS, told", other)
            for other in ("HyStart", "HyStart++", "limited", "SEARCH")
            for name, response in (("losses", "lost_packets"), ("time", "transfer_time"))
        },
        reading="Only COS is told ssthresh; P1-Q6 and “doubling, told” show what it gains by this.",
        why="Behind a quarter of a bandwidth-delay product HyStart, HyStart++ and SEARCH lose what "
        "doubling loses (P1-today-losses): the buffer overflows before they see enough. Limited "
        "slow start adds at most 50 packets per round trip beyond a window of 100: the faster the "
        "link, the longer it takes (P1-today-time).",
        figures=("P1-today-losses", "P1-today-time"),
    ),
    question(
        "P1-Q8",
        "How many packets are lost behind RED while the queue of P1-F7 builds up?",
        Effect("red-queue", "lost_packets", *_COS),
        reading="In the time of P1-F7a.",
        figures=("P1-F7",),
    ),
    question(
        "P1-Q9",
        "Does COS-Slow-Start lose fewer packets with Tahoe, NewReno and SACK in place of Reno?",
        {
            f"{name}, {what}": Effect("recoveries", response, "cc", f"cos+{base}", base)
            for name, base in (
                ("Tahoe", "tahoe"),
                ("Reno", "reno"),
                ("NewReno", "newreno"),
                ("SACK", "sack"),
            )
            for what, response in (("losses", "lost_packets"), ("time", "transfer_time"))
        },
        reading="The paper names them and combines COS with Reno alone.",
        figures=("P1-Q9",),
    ),
    question(
        "P1-Q10",
        "Does the outcome change if ssthresh is the bandwidth-delay product in packets with "
        "headers?",
        {
            "losses": Effect("headers", "lost_packets", *_COS),
            "time": Effect("headers", "transfer_time", *_COS),
        },
        reading="Packets of 1 Kbit of data have 40 bytes of headers besides: 123 packets fill the "
        "path, not 162.",
        figures=("P1-Q10",),
    ),
    question(
        "P1-Q11",
        "Does the outcome change if windows have fractions of packets, as in ns-2, and connections "
        "no handshake?",
        {
            "fractions": Effect("fractions", "lost_packets", *_COS, {"handshake": "with the file"}),
            "and no handshake": Effect("fractions", "lost_packets", *_COS, {"handshake": "before"}),
        },
        reading="In bits. ackclock's windows count whole packets, as Linux's do: a packet of "
        "growth for cwnd packets acknowledged. Without a handshake: all connections are open "
        "before the first of them sends.",
        why="With many connections windows are one to three packets, and a fraction decides when "
        "the next one may leave.",
        figures=("P1-Q11",),
    ),
    question(
        "P1-Q12",
        "How many packets do short transfers lose with COS-Slow-Start?",
        Effect("short-flows", "lost_packets", *_COS),
        reading="The transfers of P1-S2.",
        why="The first ACK brings COS to w(1), some packets at once, and each of the next ones two "
        "or three: in bits more than doubling's pairs, into a buffer of 20 packets.",
        figures=("P1-S2",),
    ),
)
