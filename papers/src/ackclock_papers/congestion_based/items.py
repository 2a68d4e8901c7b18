"""Items of the article, and where they are run."""

from ackclock_papers.builders import items

_GOOGLE = "measured in Google's network, which no run here can repeat"

ITEMS = items(
    f"""
    system | section “Matching the packet flow” | BBR. | cc:bbr
    system | throughout | CUBIC, with which BBR is compared. | cc:cubic
    formula | section “Characterizing the bottleneck” | RTT = RTprop + noise; windowed minimum and
        maximum. | cc:bbr CB-F4
    formula | section “Google B4 WAN” | Loss below the inverse square of the BDP. | CB-mathis
        theory:square_root_window
    formula | section “Google B4 WAN” | Limit: rate times the delivered share. | CB-F10c
    formula | section on startup | Gain 2 / ln 2, log2 BDP round trips, 2 BDP of excess. |
        CB-startup CB-excess
    formula | appendix | Gains 5/4, 3/4, 1, ... | cc:bbr theory:bbr_loss_cliff CB-F10e
    figure | Figure 1 | Delivery rate and RTT over what is in flight. | theory:knee
        theory:operating_point
    figure | Figures 2 and 3 | Pseudo-code: on an ACK, on a send. | cc:bbr
    figure | Figure 4 | 700 ms of a flow. | CB-F4
    figure | Figure 5 | The bandwidth doubles, and falls back. | CB-F5
    figure | Figure 6 | The first second. | CB-F6
    figure | Figure 7 | RTT in the first eight seconds. | CB-F6 CB-F7
    figure | Figure 8 | Several flows. | CB-F8 CB-F8-jain
    figure | Figure 9 | B4: throughput against CUBIC's. | | {_GOOGLE}
    figure | Figure 10 | Goodput over random loss. | CB-F10
    figure | Figure 11 | YouTube: median RTTs. | | {_GOOGLE}
    figure | Figure 12 | Delay of an emulated SGSN. | | its rate, buffer and numbers are not in the
        text that was read
    claim | section “Steady-state behavior” | One BDP in flight most of the time. | CB-F4
    claim | Figure 5 | Exponentially fast to a new bandwidth. | CB-F5
    claim | section on startup | The bandwidth in log2 BDP round trips, 2 BDP of queue. | CB-startup
        CB-excess
    claim | Figure 6 | BBR drains its queue, CUBIC does not. | CB-drain
    claim | Figure 7 | CUBIC between 70 % and 100 % of the buffer, BBR without a queue. | CB-F7a
        CB-F7b
    claim | Figure 8 | A fair share. | CB-F8
    claim | section “Behavior of multiple BBR flows” | ProbeRTT synchronises flows. | CB-F8 | shown
        by the dips of the figure; not judged by itself
    claim | Figure 9 | 2 to 25 times CUBIC's throughput on B4. | | {_GOOGLE}
    claim | section “Google B4 WAN” | 335 Mbit/s, 133 times. | CB-buffer
    claim | section “Google B4 WAN” | One loss per 30 million packets. | CB-mathis
    claim | Figure 10 | CUBIC a tenth at 0.1 %, stalled above 1 %. | CB-F10a CB-F10b
    claim | Figure 10 | BBR at the limit up to 5 %, close up to 15 %, then falls. | CB-F10c CB-F10d
        CB-F10e
    claim | Figure 11 | 53 % lower median RTT, 80 % in the developing world. | | {_GOOGLE}
    claim | appendix | 98 % in ProbeBW. | CB-states
    claim | appendix | Token-bucket policers cost BBR. | CB-Q2 cc:bbr | the search for them is run
        at random loss, not at a policer
    """
)
