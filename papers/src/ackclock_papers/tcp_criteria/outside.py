"""P4's experiments in ns-2, and the way they were run."""

from ackclock.studies.outside import Outside

_SCRIPT = "tests/theory/ns2/criteria/record.py"
_CONTROLS = (
    "Sack1 is Reno, and MulTCP with an increase of 8 and a decrease of 1/16. The binomial control "
    "with k = −1 and l = 1 is Scalable TCP without its region of Reno's rules. Window option 8 is "
    "HighSpeed TCP. Vegas keeps 2 to 4 packets queued, as ackclock's does. CUBIC is that of Linux "
    "2.6, with 0.7 of the window left by a loss. There is no BBR and no stabilised Vegas."
)
_HOSTS = (
    "Senders and receivers are at the routers. Windows have fractions of packets. After a cut "
    "nothing is sent until as much has left the path. A retransmission that is lost again costs a "
    "timeout, where ackclock's RACK notices it at once."
)
_LINUX = (
    "Each packet is acknowledged, where ackclock has delayed ACKs: ns-2 grows by the number of "
    "ACKs."
)
_SCALABLE = "Scalable TCP is the binomial control, without a region of Reno's rules."
_FIRST = (
    "ns-2 halves the window at a connection's first loss, with any control. Runs of Scalable TCP "
    "therefore begin with a loss in their first window, after which slow start begins again."
)

_TEXTS = {
    "response": f"All controls but BBR, six seeds. {_CONTROLS} {_HOSTS}",
    "by-rtt": "Reno, Scalable and HighSpeed TCP, twelve seeds.",
    "by-rate": "Twelve seeds.",
    "equal": f"All controls but BBR and stabilised Vegas, six seeds. {_LINUX}",
    "beside": f"All controls but BBR, eight seeds. {_LINUX}",
    "number": f"Six seeds. {_LINUX}",
    "vegas-beside": f"Vegas and Reno, five seeds. {_LINUX} UDP has packets of 1500 bytes.",
    "stability": (
        "Five controls that have a model, three seeds. RED is ns-2's own, whose rules ackclock "
        "follows. The queue is sampled each 20 ms."
    ),
    "convergence": f"All controls but BBR, six seeds. {_LINUX}",
    "small-buffers": f"Three seeds. {_SCALABLE}",
    "one-loss": f"One run of each. {_FIRST}",
    "receive-window": (
        "One run of each. Data in flight is the number of packets sent per round trip, the mean of "
        "the whole run."
    ),
    "signals": f"One run of each. {_FIRST}",
}

OUTSIDE = tuple(
    Outside("ns-2.35", experiment, f"ns2-{experiment}.json", _SCRIPT, text)
    for experiment, text in _TEXTS.items()
)
