"""Everything in Wang, Lan & Li's paper, and where it is run."""

from ackclock_papers.builders import items

_ROUTERS = "RFC 1242 and RFC 2544, cited"

ITEMS = items(
    f"""
    formula | the rule of thumb, cited | B = RTT·C (Villamizar & Song) | theory:rule_of_thumb P3-R1
        P3-Q7 P3-thumb
    claim | the rule of thumb, cited | 1, 4 and 8 synchronised long connections at 40 Mbit/s need
        this buffer. | P3-R1 thumb
    formula | small buffers, cited | B = RTT·C/√N (Appenzeller et al.) | theory:small_buffer P3-R2
        P3-Q7 P3-rules
    claim | small buffers, cited | RTT·C/√N is enough for many connections. | P3-R2 rules
    formula | tiny buffers, cited | B = O(log W) (Enachescu et al.) | theory:tiny_buffer P3-R3 P3-Q7
        P3-rules
    claim | tiny buffers, cited | Tens of packets are enough. | P3-R3 P3-Q8 rules
    system | {_ROUTERS} | utilisation of a link | metric:utilisation P3-S2 P3-loads
    system | {_ROUTERS} | loss rate of a router | metric:drop_rate P3-routers P3-F5
    system | {_ROUTERS} | delay through a router | metric:queue_delay.mean P3-routers P3-film
    system | {_ROUTERS} | size of a router's buffer | buffers rules thumb docs:metrics.md
    system | the film | real-time video as trace-driven UDP: an encoded film's frames, the larger
        ones cut into packets | buffers curve docs:traffic/video.md | The paper's own film is not
        named; a clip of the project's takes its place.
    system | the film | ns-2's Traffic/Trace: records of two 32-bit big-endian integers,
        microseconds until the packet and its bytes | docs:traffic/video.md | Read and written by
        `ackclock video-trace`; the study's trace is text, since that names frames and what they
        need.
    system | the queues | RED at the target link | qdisc:red buffers red
    system | the queues | DropTail at the other links | qdisc:fifo buffers
    claim | the queues | RED keeps drops from being synchronised. | P3-RED P3-Q1 P3-RED-F
    system | the senders | 18 TCP connections with packets of 1,500 bytes | cc:reno buffers
    experiment | the network | 18 access links of 1 Mbit/s and one of 1.5 Mbit/s, 1 to 50 ms each,
        to a target link of 52 Mbit/s and 50 ms | buffers
    experiment | the network | buffers of 5, 10, 20, 30 and 50 packets of 1,500 bytes | buffers
        curve
    experiment | the network | an effective round-trip time of 80 ms | buffers P3-delays
    claim | the load | The target link's load is at most 80 %. | P3-S2 P3-loads
    claim | the load | The film is 12 % of the bytes. | P3-S1 P3-loads
    figure | Figure 2 | network delay over time, a curve for each buffer | P3-F2 P3-F2-buffer
        P3-delays
    claim | Figure 2 | about 100, 400, 300, 300, 300 ms at 5, 10, 20, 30, 50 packets | P3-F2a P3-F2b
    claim | Figure 2 | Real-time video bears 400 ms. | P3-F2c P3-Q10
    figure | Figure 3 | jitter over time, a curve for each buffer | P3-F3 P3-F3-buffer P3-jitters
    claim | Figure 3 | about ±5 ms at 5 packets, up to ±10 ms at 50 | P3-F3a P3-F3b
    figure | Figure 4 | throughput of all TCP connections over time, a curve for each buffer | P3-F4
        P3-F4-buffer P3-throughputs
    claim | Figure 4 | 12 Mbit/s at 5 packets, 17.98 Mbit/s at 30 and 50 | P3-F4a P3-F4b
    claim | Figure 4 | a deep dip in the first 50 s at 5 packets, small ones at 10 and 20 | P3-F4c
        P3-F4b
    figure | Figure 5 | loss of TCP and UDP over the buffer | P3-F5 P3-losses
    claim | Figure 5 | TCP's loss levels off at about 0.028 % from 20 packets on. | P3-F5a P3-F5b
    claim | Figure 5 | UDP loses almost nothing from 20 packets on. | P3-F5c P3-film
    claim | conclusion | 30 packets are the best compromise. | P3-C
    experiment | left open | many TCP connections on the link | P3-Q3 queues
    experiment | left open | whether the video keeps its statistics as packets | P3-Q9 P3-Q4
        P3-statistics
    experiment | left open | quality of service | P3-Q5 P3-Q6 queues
    """
)
