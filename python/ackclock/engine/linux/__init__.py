"""Run scenarios on this machine's kernel.

The kernel's TCP runs in network namespaces; the simulator's links carry its packets in real time.

Examples
--------
>>> from ackclock.engine.linux import Kernel, linux_plan
>>> import ackclock as ac
>>> scenario = ac.dumbbell(
...     rate="10Mbit/s", rtt="60ms", buffer="1bdp", flows=[ac.flow("reno")], duration="10s"
... )
>>> linux_plan(scenario, Kernel("6.18.0", ("reno", "cubic")))["flows"]
[{'host': 0, 'cc': 'reno', 'maxseg': None, 'is_nodelay': False}]
"""

from ackclock.runtime.attaching import attach

# The worker process must not import modules that start threads.
__getattr__, __dir__, __all__ = attach(__name__, __file__)
