"""First-in-first-out queues: fluid bounds, and queueing theory with constant service."""

import math

__all__ = ["md1_k_loss", "md1_wait", "overload_drops", "slow_start_overshoot"]


def overload_drops(arrival_rate: float, service_rate: float, room: float, duration: float) -> float:
    """Packets that a queue must drop in an overload: max(0, (lambda - mu) T - B).

    Parameters
    ----------
    arrival_rate, service_rate
        lambda and mu, packets/s.
    room
        B, packets that still fit at the beginning.
    duration
        T, s.

    Notes
    -----
    The fluid limit, and a lower bound for any arrivals of that mean rate: bursts overflow earlier.

    Examples
    --------
    >>> overload_drops(2000, 1000, 50, 0.1)
    50.0
    """
    return max(0.0, (arrival_rate - service_rate) * duration - room)


def slow_start_overshoot(bdp: float, buffer: int) -> float:
    """Packets that one flow loses when it doubles its window until it learns of the first loss.

    Parameters
    ----------
    bdp
        Packets that fill the path without a queue.
    buffer
        Packets that may wait, the one in transmission apart; at least a BDP.

    Notes
    -----
    Doubling sends two packets per packet delivered. Once the path is full, delivery is at line rate
    mu, so packets come at 2 mu: `overload_drops(2 mu, mu, 0, T)`. The first loss is noticed when
    what was ahead of it is through: T = C / mu, with C = bdp + 1 + buffer what path and queue hold.
    So C packets are lost, and the window is 2 C by then.

    With less than a BDP of buffer the bursts of earlier round trips overflow it; then the window
    never gets there, and this is an upper bound. The fluid of V. Jacobson, Congestion avoidance and
    control, SIGCOMM 1988, section 1 and appendix A.

    Examples
    --------
    >>> slow_start_overshoot(50, 50)
    101.0
    """
    return bdp + 1.0 + buffer


def md1_wait(load: float, service_time: float) -> float:
    """Mean wait of Poisson arrivals before constant service: rho s / (2 (1 - rho)), s.

    Parameters
    ----------
    load
        rho, arrival rate x service time, below 1.
    service_time
        s, s.

    Notes
    -----
    Pollaczek and Khinchine, for instance L. Kleinrock, Queueing Systems I, 1975, section 5.6.

    Examples
    --------
    >>> md1_wait(0.5, 2.0)
    1.0
    """
    if not 0 <= load < 1:
        raise ValueError(
            f"a load of {load} is not at least 0 and below 1: the queue has no steady state"
        )
    return load * service_time / (2 * (1 - load))


def md1_k_loss(load: float, places: int) -> float:
    """Share of Poisson arrivals that find all places taken, with constant service: M/D/1/K.

    Parameters
    ----------
    load
        rho, arrival rate x service time; may be above 1.
    places
        K, packets in the system, the one in service included: 1 + buffer.

    Notes
    -----
    With pi_0 the probability that a departure leaves the system empty, the share lost is 1 -
    1/(pi_0 + rho). The chain of what departures leave has a_j = e^-rho rho^j / j! arrivals per
    service: pi_{j+1} a_0 = pi_j - a_j pi_0 - sum_{i=1..j} a_{j-i+1} pi_i, for K states. D. Gross &
    C. Harris, Fundamentals of Queueing Theory, section 5.1.8.

    Examples
    --------
    One place is Erlang's loss formula, rho / (1 + rho), which holds for any service:

    >>> round(md1_k_loss(0.5, 1), 6)
    0.333333
    """
    if places < 1 or load <= 0:
        raise ValueError("a queue has at least one place, and a load above 0")
    arrivals = [math.exp(-load + j * math.log(load) - math.lgamma(j + 1)) for j in range(places)]
    left = [1.0]
    for j in range(places - 1):
        inflow = sum(arrivals[j - i + 1] * left[i] for i in range(1, j + 1))
        left.append((left[j] - arrivals[j] * left[0] - inflow) / arrivals[0])
    return 1 - 1 / (1 / math.fsum(left) + load)
