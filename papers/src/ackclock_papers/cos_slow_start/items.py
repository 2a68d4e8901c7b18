"""Everything that the paper has, with the place where it is run, or the reason why it is not."""

from ackclock_papers.builders import items

ITEMS = items(
    """
    system | state machine | Slow start: one packet more per ACK. | P1-F2 cc:classic
        theory:doubling_window
    system | state machine | Congestion avoidance: 1/cwnd more per ACK, a packet per round trip. |
        P1-AIMD cc:reno theory:aimd_recovery_rounds
    system | state machine | Fast retransmit at the third duplicate ACK, with ssthresh at half of
        cwnd. | lost-packets docs:transport/loss.md docs:transport/recovery.md
    system | state machine | A retransmission timeout goes back to slow start from one packet. |
        P1-Tb P1-T-timeouts docs:transport/timeout.md
    system | TCP variants | Tahoe, Reno, NewReno and SACK. | P1-Q9 recoveries cc:tahoe cc:reno
        cc:newreno
    system | TCP variants | Vegas. | cc:vegas | The paper names it and runs nothing with it. The
        algorithm runs: it brings a slow start of its own.
    system | high-speed variants | Scalable TCP, HighSpeed TCP and FAST TCP. | cc:scalable
        cc:highspeed cc:fast | The paper names it and runs nothing with it. The algorithms run; COS
        combines with the first two.
    system | initial window | A larger initial window of four segments, RFC 3390. | P1-F6a P1-Ta
        P1-F7a P1-S2 P1-Q4 docs:transport/window.md
    system | COS-Slow-Start | Where ssthresh − cwnd exceeds sigma the window follows the cosine,
        rounded down in the first half and up in the second; else each ACK adds 1/cwnd. | P1-F2
        P1-Q2 cc:cos theory:cos_window
    system | COS-Slow-Start | Sigma is 2 packets “by experiment”; too small is too flat. | P1-sigma
        P1-sigma-flat
    system | COS-Slow-Start | COS needs a finite ssthresh, here near the path's bandwidth-delay
        product. | P1-Q5 P1-Q10 docs:algorithms/cos.md
    formula | COS-Slow-Start | w_a = −(s/2) cos(πx/L) + s/2 + 1 with L = log2(s). | P1-F2
        theory:cos_window
    formula | COS-Slow-Start | Both slow starts take L = log2(s) round trips. | P1-F2b
        theory:slow_start_rounds
    formula | slopes | w_a' = AB sin(Bx) with A = s/2 and B = π/L. | P1-F4 theory:cos_slope
    formula | slopes | w_b' = ln 2 · 2^x. | P1-F4 theory:doubling_slope
    formula | efficiency | η = Σ w(x_i) / (N · ssthresh). | P1-eta P1-eta-table
        theory:slow_start_efficiency theory:cos_efficiency theory:doubling_efficiency
    formula | efficiency | The line w_c = (2AB/π) x + 1 has w_a's area. | P1-F3
        theory:straight_window theory:straight_efficiency
    formula | AIMD | Recovery from one loss takes half of the peak window in round trips. | P1-AIMD
        P1-AIMD-table theory:aimd_recovery_rounds theory:aimd_recovery_time
    claim | efficiency | η_cos > η_exp at equal convergence time. | P1-eta
    claim | efficiency | η_c = η_a. | P1-eta-c
    claim | efficiency | The smaller the second derivative, the more efficient: H(x). | P1-H
        theory:window_advantage theory:parabolic_efficiency theory:cos_second_derivative
        theory:doubling_second_derivative
    claim | end points | w(x_0) is set to 0 where both curves are 1; w_a ends a packet above w_b. |
        P1-eta P1-H
    claim | AIMD | At 7.2 Gb/s and 100 ms a loss costs 40,000 round trips, about 70 minutes. |
        P1-AIMD
    experiment | simulation | n senders and receivers, access 10 Mb/s and 2 ms, bottleneck 1.5 Mb/s
        and 50 ms, a buffer of 20 packets, FTP of one file each. | lost-packets qdisc:fifo
    experiment | simulation | Bursts and losses behind RED. | red-queue red-curve qdisc:red
    figure | Figure 2 | Both windows over round trips, and sigma. | P1-F2
    figure | Figure 3 | w_a, w_b and the line w_c of equal area. | P1-F3
    figure | Figure 4 | Growth rates of both. | P1-F4
    figure | Figure 6 | Lost packets over the number of connections, DropTail. | P1-F6 P1-F6-20
        P1-F6-change
    figure | Figure 7 | Instantaneous queue during slow start, RED. | P1-F7 P1-F7-curve
    figure | other figures | Drawings of the state machine and of the network. | lost-packets
        docs:transport/README.md | They show no result; the study goes by Figures 2, 3, 4, 6 and 7.
    claim | Figure 6 | COS loses fewer packets. | P1-F6a P1-Q1 P1-Q10 P1-Q11
    claim | Figure 6 | The losses of COS grow slower with the number of connections. | P1-F6b
    claim | Figure 7 | The queue is smaller with COS. | P1-F7a P1-F7b P1-Q8
    claim | effective transfer time | Transfers take no longer. | P1-Ta P1-T P1-T-change
    claim | effective transfer time | Retransmissions after needless timeouts are avoided. | P1-Tb
    claim | purpose | Short-lived connections use the bandwidth better, in the first half. | P1-U1
        P1-S1 P1-S2 P1-S3 P1-Q12 theory:slow_start_transfer_rounds
    claim | purpose | Utilisation rises. | P1-U P1-U1 metric:utilisation
    claim | purpose | Bursts and their impact on the queue fall in the second half. | P1-B P1-halves
    claim | purpose | Less global synchronisation. | P1-G metric:loss_synchronisation
    claim | purpose | Less jitter of load and delay. | P1-J
    claim | introduction | Congestion collapse of 1986, from 32 Kb/s to 40 b/s; TCP carries 95 % of
        the traffic. | | History and measurements of others, which no run here can decide.
    """
)
