"""Everything that the paper has, with the place where it is run, or the reason why it is not."""

from ackclock_papers.builders import items

ITEMS = items(
    """
    system | section on BBR | BBR version 1: STARTUP, DRAIN, PROBE_BW, PROBE_RTT. | cc:bbr
        docs:algorithms/bbr.md P2-F3
    system | section on BBR | Gains of 5/4, 3/4 and six times 1 in PROBE_BW; a window of two
        products. | cc:bbr one
    system | section on BBR | PROBE_RTT: four packets for 200 ms when the smallest RTT is 10 s old.
        | cc:bbr P2-F4 P2-bound
    system | section on BBR | The bandwidth filter: a maximum over ten round trips. | cc:bbr
        P2-F6-runs P2-F12
    system | section on BBR's improvements | Drain to target (Google, 2018). | P2-drain P2-patches
        cc:bbr
    system | section on BBR's improvements, reference 17 | Early exit from the probe. | P2-early
        P2-patches cc:bbr
    system | section on BBR's improvements, reference 17 | PROBE_RTT is left faster. | cc:bbr | The
        paper does not say how. BBR leaves it when data comes again after a pause, as Linux does;
        probe_rtt_duration shortens it.
    system | improved BBR, 1 | cwnd_gain 1 and gains of 6/5 and 4/5. | cc:bbr-lowlat P2-Q2 P2-acks
    system | improved BBR, 2 | The cumulative shrink: queueing delay times bandwidth over cwnd_pace,
        each round trip. | cc:bbr-lowlat docs:algorithms/bbr-lowlat.md P2-Q2 P2-lower
    system | improved BBR, 2 | Giving the shrink back: its lines are lost in print. | P2-Q14
        P2-giving P2-F9b P2-F9d P2-F10 P2-F11a
    system | improved BBR, 2 | Stable: variance of the RTT over its mean at most 0.3 (reference 27).
        | cc:bbr-lowlat P2-F9b
    system | improved BBR, 2 | Nothing is adjusted on leaving DRAIN and in PROBE_RTT. |
        cc:bbr-lowlat P2-F9b
    system | improved BBR, 3 | The filter's value is carried over PROBE_RTT. | cc:bbr-lowlat P2-F12c
        P2-Q4
    system | improved BBR, 4 | MaxStableDuration, 400 ms. | cc:bbr-lowlat P2-F13a P2-F13b P2-Q11
    system | related work | BBR version 2. | cc:bbr3 | The paper names it as the modern field and
        runs nothing with it. BBR's successor runs: P2-Q7, Q8 and Q10 have it.
    system | related work | Copa. | cc:copa P2-Q10 P2-Q8
    system | related work | PCC. | cc:pcc-vivace cc:pcc-allegro | The paper names it as the modern
        field and runs nothing with it. Two of its kind run.
    system | related work | Remy. | | The paper names it as the modern field and runs nothing with
        it. Remy's tables come from a search that is not repeated here.
    formula | section on theory | Bandwidth-delay product, and the queueing delay as RTT less the
        smallest RTT. | P2-F1a cc:bbr-lowlat
    formula | section on theory | N flows that probe in turn: m = g / (g + N − 1). | P2-F6a P2-F6c
        P2-F6-runs theory:bbr_filter_share
    formula | section on theory | Two flows: rates of 0.4444 and 0.5556, filters of 1.111 in sum. |
        P2-F6a theory:bbr_two_flow_map
    formula | section on theory | 200 ms / RTT + 1 ≤ 10: RTTs of 22.2 ms and more. | P2-bound
        theory:bbr_probe_rtt_rounds
    formula | improved BBR, 2 | send_cwnd = BDP − cumulative_shrink. | cc:bbr-lowlat
        docs:algorithms/bbr-lowlat.md
    figure | Figure 1 | Operating points A and B. | P2-F1 P2-F1a P2-F1b P2-F1c
    figure | Figure 3 | RTT of one flow with both patches. | P2-F3
    figure | Figure 4 | Why the smallest RTT creeps up. | P2-F4 P2-Q1
    figure | Figure 6 | Rates and filters of two flows, from any start. | P2-F6 P2-F6a P2-F6b
    figure | Figure 7 | Collapse at 8 ms, and the filter with it. | P2-F12 P2-F7 P2-F7b
    figure | Figure 9 | RTT of two flows. | P2-F9-curve P2-F9 P2-F9a P2-F9b
    figure | Figure 10 | One of two flows leaves at 27 s. | P2-F10-curve P2-F10 P2-F10c
    figure | Figure 11 | Goodputs and RTT of five flows. | P2-F11-curve P2-F11 P2-F11a P2-F11b
        P2-F11c
    figure | Figure 12 | Collapse at 4 ms, and the improved BBR. | P2-F12 P2-F12a P2-F12b
    figure | Figure 13 | Upward probes at 240 ms. | P2-F13-curve P2-F13 P2-F13a P2-F13b
    experiment | Figures 3 and 4 | One flow, 10 Mbit/s, 60 ms. | one one-curve creep
    experiment | Figures 7 and 12 | One flow, RTT 8 and 4 ms. | short-path short-curve ns3
    experiment | Figure 9 | Two flows. | two two-curve
    experiment | Figure 10 | Two flows, one stops. | leave alone-again two-curve
    experiment | Figure 11 | Five flows. | five five-curve ns3-five
    experiment | Figure 13 | One flow, RTT 240 ms. | long-path long-curve
    claim | section on BBR | Loss of up to 20 % is tolerated. | P2-cliff
    claim | section on BBR | BBR works near A, loss-based algorithms near B. | P2-F1c
    claim | section on related work, reference 12 | Several flows queue 1 to 1.5 RTT. | P2-several
    claim | section on BBR's improvements | Drain to target: 40 % less queueing time or more. |
        P2-drain
    claim | section on BBR's improvements | Early exit: about a further 10 %. | P2-early
    claim | improved BBR, 1 | cwnd_gain 1 bears an ACK for every four packets. | P2-acks
    claim | improved BBR, 2 | Lower bound and pace: less delay, a less steady rate. | P2-lower P2-Q6
    claim | Figure 3 | The RTT swings between 60 and 80 ms. | P2-F3
    claim | Figure 4 | The smallest RTT creeps up. | P2-F4
    claim | Figure 6 | Two flows converge in about 34 probes. | P2-F6b
    claim | Figure 7 | BBR collapses at 8 ms. | P2-F7 P2-F7b P2-Q12
    claim | Figure 9 | 70 to 90 ms, and 72 ms. | P2-F9a P2-F9b
    claim | Figure 9 | Steadier RTT and goodput, fairer. | P2-F9c P2-F9d P2-F9e
    claim | Figure 10 | Freed bandwidth is taken at least as fast. | P2-F10
    claim | Figure 10 | Because the probing phase lasts longer. | P2-F10b
    claim | Figure 10 | Steadier before and after. | P2-F10c
    claim | Figure 11 | Fair after 3 s against 42 s, 13 times. | P2-F11a P2-F11b P2-F11e
    claim | Figure 11 | RTT near BBR's lower edge. | P2-F11c
    claim | Figure 11 | Steadier goodput and RTT. | P2-F11d
    claim | Figure 12 | BBR collapses at 4 ms, the improved BBR does not. | P2-F12a P2-F12b P2-F12c
    claim | Figure 13 | 43 probes against 24. | P2-F13a P2-F13b
    claim | Figure 13 | A rise of the rate is found and used earlier. | P2-F13c
    claim | conclusion | RTT fairness is left open. | P2-Q7
    claim | conclusion | Mixing with loss-based flows is left open. | P2-Q8 P2-Q9
    """
)
