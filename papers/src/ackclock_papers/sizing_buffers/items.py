"""Items of the paper, and where they are run."""

from ackclock_papers.builders import items

ITEMS = items(
    """
    system | section 1.2 | The rule of thumb B = RTT × C. | theory:rule_of_thumb SB-F4a SB-F5
    system | section 3.2 | The rule B = RTT × C / √n. | theory:small_buffer SB-F11a SB-F15a
    system | section 5.1 | TCP Reno behind one drop-tail queue. | cc:reno qdisc:fifo
    formula | section 2 | B ≥ 2 Tp C for one flow. | theory:rule_of_thumb theory:reno_utilisation
        SB-F4a
    formula | equations 1 to 3 | Windows of synchronised flows sum up to a single one. | SB-S31
        SB-F11c
    formula | equations 4 and 5 | The queue is the sum of the windows less a constant. | SB-F9
    formula | section 3.2 | The deviation of that sum. | SB-F8b
    formula | equation 6 | A lower bound on the utilisation. | SB-eq6 SB-F15-model SB-eq6-table
    formula | section 4 | Mean queue of short flows, E[Q]. | SB-F10a
    formula | section 4, appendix C | Tail of that queue by effective bandwidth. | SB-F12
    formula | section 5.1.1 | Loss rate 0.76 / w². | SB-S511
    formula | equation 7 | R = W / RTT. | theory:path_window
    formula | equations 8 to 10 | The square-root sawtooth and its period. | SB-eq9 SB-F4b
    formula | equations 11 to 14 | Derivation of the tail, to the third order. | | the second order
        is what the paper uses
    figure | Figure 1 | Window and queue of one flow from its start. | SB-F4
    figure | Figure 2 | The topology. | one router
    figure | Figure 3 | Schematic evolution of the queue. | SB-F4
    figure | Figure 4 | One flow, a buffer of RTT × C. | SB-F4
    figure | Figure 5 | One flow, less. | SB-F4
    figure | Figure 6 | One flow, more. | SB-F4
    figure | Figure 7 | Two flows fall into step. | in-step | its paths are not printed; in-step
        counts from 10 flows on
    figure | Figure 8 | Distribution of the sum of the windows. | SB-F8 SB-F8a
    figure | Figure 9 | That sum and the queue over time. | SB-F9
    figure | Figure 10 | Mean queue over the length of short flows. | SB-F10 SB-F10c
    figure | Figure 11 | Smallest buffer over the number of flows. | SB-F11
    figure | Figure 12 | Buffer for 12.5 % more completion time. | SB-F12 | at the model's buffer,
        not by a search for the smallest
    figure | Figure 13 | Buffer for a mix of flows. | SB-F13 | at RTT × C / √n, not by a search for
        the smallest
    figure | Figure 14 | Completion times in that mix. | SB-F14
    table | Figure 15 | Model, ns-2 and router. | SB-F15-table SB-F15
    figure | Figure 16 | Queue of short flows on the router. | | the load and the lengths are not
        printed
    table | section 3.2 | Utilisation for n = 10,000. | SB-eq6-table
    experiment | section 5.1.4 | Pareto flows: 99 % with 165 packets. | | the distribution of their
        lengths is not printed
    experiment | section 5.2 | A Cisco GSR 12410 with Harpoon traffic. | SB-F15c | its column is
        compared with runs
    claim | abstract | 99 % of a backbone's buffer can go. | SB-abstract
    claim | section 2 | One flow needs RTT × C. | SB-F4a SB-F5 SB-F6
    claim | section 3.2 | Few flows are in step, many are not. | SB-S31
    claim | section 4 | Short flows need a buffer at any rate of the line. | SB-F10b SB-F12
    claim | section 5.1.1 | 250 flows and more: RTT × C / √n for 98 %, twice that for 99.9 %. |
        SB-F11a SB-F11b
    claim | section 5.1.1 | Small buffers reduce fairness, minimally. | | the paper gives no number
        for it
    claim | section 5.1.3 | In a mix, long flows decide the buffer, and short ones are faster. |
        SB-F13 SB-F14
    claim | section 5.2.1 | Model, simulation and router agree. | SB-F15b SB-F15c SB-F15d
        SB-F15-model
    claim | section 5.3 | RED changes little for many flows. | | said in passing, without a number;
        P3's study has RED beside tail drop
    claim | section 6 | Villamizar & Song's setup needs RTT × C. | one | for one flow; the setups of
        4 and 8 are not repeated
    """
)
