"""Items of the paper, as far as it could be read, and where they are run."""

from ackclock_papers.builders import items

ITEMS = items(
    """
    system | throughout | BBR version 1. | cc:bbr
    system | throughout | CUBIC and Reno behind one drop-tail queue. | cc:cubic cc:reno qdisc:fifo
    formula | equation 1 | In-flight cap: 2 RTT_est Btlbw_est. | BL-eq5 BL-F3
    formula | equation 2 | Btlbw_est = (1 − p) c. | BL-eq5 BL-F3
    formula | equation 3 | RTT_est = p q / c. | BL-eq5 BL-F3
    formula | equations 4 and 5 | 2 p (1 − p) q = (1 − p) q: p = 1/2. | BL-eq5 BL-2
    formula | equation 6 | RTT_est of N BBR flows alone. | BL-F6 theory:bbr_min_rtt_estimate
    formula | equations 7 and 8 | RTT_est with loss-based flows, and the cap from it. |
        theory:bbr_min_rtt_estimate BL-F8a
    formula | equation 9 | p = 1/2 − 1/(2 X) − 4 N / q. | theory:bbr_share_against_loss BL-F8a
        BL-F8c
    formula | equation 10 | The share less the time in PROBE_RTT. | theory:bbr_share_against_loss
        BL-F8a
    formula | equation 11 | The time in PROBE_RTT. | theory:bbr_probe_rtt_share BL-F7
    figure | Figure 1 | Goodput beside CUBIC and Reno over the queue, and beside sixteen flows. |
        BL-F8a BL-F8c BL-peers | 1a was not read; queues below 1 BDP are in the study bbr-latency
    figure | Figure 2 | Convergence time and goodput over the queue. | BL-F8a | the convergence
        time's definition was not read
    figure | Figure 3 | Queue of BBR and its peer over four minutes. | BL-F1 BL-window | rates and
        windows, at 32 BDP
    figure | Figure 4 | Not read. | | none of the sources that were read says what it shows
    figure | the authors' article, figure 3 | The simple model's line and parabola. | BL-F3
    figure | Figure 5 | Half of the queue, over time. | BL-window
    figure | Figure 6 | RTT_est and the cap over the number of BBR flows alone. | BL-F6
    figure | Figure 7 | Time in PROBE_RTT over the queue. | BL-F7
    figure | Figure 8 | Model and runs over the queue, for 1 to 32 BBR flows. | BL-F8a BL-F8b BL-F8c
    claim | the authors' article | The share does not depend on the number of loss-based flows. |
        BL-1
    claim | the authors' article | Up to half of the link for one flow. | BL-2
    claim | page 2, as quoted | Sixteen connections share just over half. | BL-F1c
    claim | the authors' article | Unfair to two and more. | BL-unfair
    claim | the authors' article | Window-limited under competition. | BL-window
    claim | the authors' article | BBR fills buffers when it competes. | BL-fill
    claim | the authors' article | Median error 5 % beside CUBIC, 8 % beside Reno. | BL-F8a BL-F8c
    """
)
