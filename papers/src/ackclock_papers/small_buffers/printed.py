"""The numbers that the paper prints, to be shown beside measured ones."""

PRINTED = {
    "network delay": {5: 0.1, 10: 0.4, 20: 0.3, 30: 0.3, 50: 0.3},
    "jitter": {5: 5e-3, 50: 10e-3},
    "throughput of TCP": {5: 12e6, 30: 17.98e6, 50: 17.98e6},
    "loss of TCP": {20: 0.028e-2, 30: 0.028e-2, 50: 0.028e-2},
}
"""Printed numbers in base units, by response and buffer (packets)."""
