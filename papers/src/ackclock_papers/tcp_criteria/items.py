"""Everything that the paper has, and where it is run."""

from ackclock_papers.builders import items

ITEMS = items(
    """
    system | section II | classic TCP: additive increase, multiplicative decrease | cc:reno cc:aimd
        P4-T1a P4-F1
    system | section III | TCP Vegas | cc:vegas P4-V1 P4-V2 P4-V3 P4-E2 P4-Q8
    system | section III | stabilised Vegas | cc:stabilised-vegas
        docs:algorithms/stabilised-vegas.md P4-stability P4-E2 P4-V-queues P4-V-beside | In the
        benches and response curves Vegas stands for both: the stabilised form differs near the
        equilibrium.
    system | section III | one connection over several TCP connections | number P4-N1 P4-N2 P4-B1
        P4-B2 P4-E2
    system | section III | MulTCP, N flows in one | cc:multcp P4-F1b P4-Q1 P4-Q4 P4-E2
    system | section III | Scalable TCP: cwnd += a per ACK, cwnd −= ⌈b cwnd⌉ per loss | cc:scalable
        P4-T2 P4-B1
    formula | section II | data in flight: min(cwnd, rwnd) | P4-R4
    formula | Table 1 | recovery time of classic TCP, W RTT / 2 with W = rate × RTT |
        theory:aimd_recovery_time theory:path_window metric:recovery_time P4-T1a P4-T1c
    formula | section III | recovery of Scalable TCP, log(1 − b)/log(1 + a) round trips |
        theory:scalable_recovery_rounds P4-T1b P4-T1c
    formula | section IV | T½ = RTT ln ½ / ln(1 − b) | theory:scalable_halving_time
        metric:halving_time P4-T2a P4-T2b P4-T2f
    formula | section IV | T2 = RTT ln 2 / ln(1 + a) | theory:scalable_doubling_time
        metric:doubling_time P4-T2a P4-T2c
    formula | Table 2 | rate variation, printed without a formula | theory:scalable_random_variation
        metric:rate_variation P4-T2a P4-T2d P4-T2e
    formula | Figure 1 | response curves, window over signalling rate | theory:aimd_random_window
        theory:scalable_window metric:window.mean P4-F1a P4-F1b
    formula | reference 8 | condition of stability for all round-trip times and topologies |
        theory:vinnicombe_gain theory:md1_k_elasticity P4-S1 P4-S2 P4-S3 P4-Q9
    figure | Figure 1 | classic and Scalable response curve | P4-F1
    table | Table 1 | recovery time of classic TCP at 200 ms | P4-T1 P4-T1-rtt
    table | Table 2 | T½, T2 and variation for four pairs of a and b | P4-T2-table P4-T2
    experiment | Table 2 | six Scalable servers, 2.4 Gbit/s, 120 ms | steps variation-queue
        variation-chance signals
    experiment | bench 1 | repeated transfers of 2 GB, score: those finished in less than T |
        repeated-real repeated P4-B1 P4-Q1 P4-Q2
    experiment | bench 2 | web traffic beside eight transfers of 2 GB, score: change of its
        throughput | web-real web web-users P4-B2 P4-Q3 P4-Q4
    experiment | benches | Gigabit access links | | Left out: no server's share of 2.4 Gbit/s, 400
        Mbit/s, needs a gigabit.
    claim | section II | flows of equal round-trip time get equal rates, none is shut out | P4-E1
        P4-E2
    claim | section III | throughput is moved by the round-trip time | P4-R1
    claim | section III | throughput is moved by the probability of loss or error | P4-R2
    claim | section III | throughput is moved by the bandwidth end to end | P4-R3
    claim | Table 1 | classic TCP's recovery takes too long on fast, long paths | P4-T1a P4-T1c
    claim | section III | Scalable TCP's recovery takes the same time at every rate | P4-T1b
    claim | section III | Vegas must hold under other queue disciplines | P4-V1
    claim | section III | Vegas must hold under coarse timers of operating systems | P4-V2
    claim | section III | Vegas must hold behind firewalls | | The paper does not say what a
        firewall does to it. Packets that it holds up or drops are jitter and losses to Vegas; we
        have no sourced model of a firewall.
    claim | section III | Vegas must hold beside TCP and UDP that do not control delay | P4-V3
    claim | section III | the number of connections is hard to choose without harm | P4-N2 P4-N3
    claim | section IV | criterion 1: response curve, and how bandwidth divides | P4-F1a P4-F1b
        P4-F1c P4-Q5
    claim | section IV | the higher the curve, the more the connection gets | P4-F1d
    claim | section IV | criterion 2: variation of the instantaneous rate | P4-T2d P4-T2e P4-Q6
    claim | section IV | criterion 3: speed of convergence, ideally at once | P4-T2b P4-T2c P4-Q7
    claim | section IV | criterion 4: stability, by control theory | theory:stability_margin
        P4-stability P4-Q8
    claim | section IV | parameters must keep stability for all round-trip times and topologies |
        P4-S1 P4-S2 P4-S3
    """
)
