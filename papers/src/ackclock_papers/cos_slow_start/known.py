"""Knowledge of the outcome when criteria, seeds and questions were chosen."""

from ackclock_papers.builders import paragraphs

KNOWN = paragraphs("""
    Until results version 4 this simulator had a defect: the ACK that ends slow start grew nothing.
    COS then lost 16 % fewer packets than Reno with 20 connections and 71 % more with 100, which was
    known before the criteria were written. With it mended, and with ns-2's timing and loss rules in
    profile classic, the difference is gone in bytes, as it is in ns-2 itself.

    Pilots of 2 seeds (3 of the lost packets) of the sweeps of P1-F6, F7, T and Q3 to Q7 in bytes, a
    few single runs of the windows and one of the recovery were looked at before those criteria were
    written. The directions are the paper's; the margins (1 % of transfer time, a quarter of the
    last growth, 3 % and 5 % of the recovery) are the study's.

    After a first full run the lost packets and the queue behind RED were given 20 seeds in place of
    12. No claim's verdict changed by that; of P1-Tb the part about timeouts went from in part to
    does not hold, and in P1-Q1 and P1-Q2 one setting of eight more became clear.

    P1-Q8, and the explanations given for P1-F7a, were written or changed after the first full run
    had been looked at.

    The reading “bits” was added after runs of others had shown that COS then loses 58, 36 and 12 %
    less than Reno with 1, 5 and 10 connections, in ns-2 67, 48 and 18 % less; that there is no
    difference in bytes was known too. That bits come first follows from how the paper writes units
    elsewhere, not from the outcome. Before the criteria of this version were written, one run of
    ns-2 with 100 connections had been seen in which COS lost a quarter more in bits.

    P1-U, U1, B, S1 to S3, G, J, sigma, sigma-flat, F3, eta-c and H were written from the paper's
    sentences before any run of them. P1-F6a and P1-Tb were given a floor of one packet or timeout,
    below which there is nothing to judge: a single connection in bytes loses one packet with either
    slow start, which had spoken against the claim before.

    RED's parameters were 5 and 15 packets until it was found, in the sources of ns-2 2.35 and its
    list of changes, that ns-2.28 came with others. P1-F7 is judged under both since.

    The buffer let 20 packets wait until a quick run differed from ns-2 for a single connection in
    bits: 16 packets lost for 11, and the transfer shorter for longer. The reason is ns-2's
    DropTail, which counts the packet that is being sent; with 19 that wait both numbers are ns-2's.
    The network is ns-2's since, and the other one a reading. That changed P1-F6a with 10
    connections in bits, from as many lost to fewer, and P1-Ta alone in bits, from as claimed to
    not.

    After the same quick run, starts in the two halves of slow start were brought from a tenth of a
    second to a hundredth: the halves of connections that start apart are not the same time, and the
    burst of a late one was cut off. Bursts at the sender were added to P1-B, which made it hold in
    part: at the bottleneck alone it does not hold. P1-S1's range begins at 16 packets of ssthresh,
    since below no transfer of two packets ends in the first half.

    P1-Q11, P1-Q12, the reasons of differences from ns-2 and most explanations were written after
    runs of 6 to 10 seeds had been looked at.
""")
