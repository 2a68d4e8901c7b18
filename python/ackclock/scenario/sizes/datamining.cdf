# Flow sizes of a cluster that mines data, bytes: Greenberg et al., VL2, SIGCOMM 2009, figure 2, as
# pFabric's CDF_vl2.tcl has it in segments of 1460 bytes (docs/distributions.md).
1460 0
1460 0.5
2920 0.6
4380 0.7
10220 0.8
389820 0.9
3076220 0.95
97333820 0.99
973333820 1
