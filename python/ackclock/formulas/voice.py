"""Quality of a conversation by the E-model of ITU-T G.107 (06/2015).

Telephones and rooms have the default values of table 2.
"""

import math
from collections.abc import Mapping
from typing import Any

# Loudness ratings of sending and receiving, dB; sidetone masking, dB; D-values; talker echo
# loudness, dB; weighted echo path loss, dB.
_SLR, _RLR, _STMR, _DS, _DR, _TELR, _WEPL = 8.0, 2.0, 15.0, 3.0, 3.0, 65.0, 110.0
# Quantisation distortion units; circuit noise, dBm0p; noise floor, dBmp; room noise, dB(A), on both
# sides.
_QDU, _NC, _NFOR, _ROOM = 1.0, -70.0, -64.0, 35.0
_OLR = _SLR + _RLR


def _noise_dbm0p() -> float:
    """No, all noise at the 0 dBr point (equations 7-3 to 7-7)."""
    sending_room = _ROOM - _SLR - _DS - 100 + 0.004 * (_ROOM - _OLR - _DS - 14) ** 2
    sidetone = 10 * math.log10(1 + 10 ** ((10 - (_STMR + _DR)) / 10))
    receiving_room = _RLR - 121 + _ROOM + sidetone + 0.008 * sidetone**2
    return 10 * math.log10(
        math.fsum(10 ** (level / 10) for level in (_NC, sending_room, receiving_room, _NFOR + _RLR))
    )


_NO = _noise_dbm0p()
_RO = 15 - 1.5 * (_SLR + _NO)


def _simultaneous(delay_ms: float) -> float:
    """Is: loudness, sidetone, quantisation (equations 7-8 to 7-17)."""
    x = (_OLR + 0.2 * (64 + _NO - _RLR)) / 8
    loudness: float = 20 * ((1 + x**8) ** (1 / 8) - x)
    stmro = -10 * math.log10(10 ** (-_STMR / 10) + math.exp(-delay_ms / 4) * 10 ** (-_TELR / 10))
    sidetone: float = (
        12 * (1 + ((stmro - 13) / 6) ** 8) ** (1 / 8)
        - 28 * (1 + ((stmro + 1) / 19.4) ** 35) ** (1 / 35)
        - 13 * (1 + ((stmro - 3) / 33) ** 13) ** (1 / 13)
        + 29
    )
    q = 37 - 15 * math.log10(_QDU)
    g = 1.07 + 0.258 * q + 0.0602 * q * q
    quantisation = 15 * math.log10(
        1 + 10 ** ((_RO - 100) / 15 + 46 / 8.4 - g / 9) + 10 ** (46 / 30 - g / 40)
    )
    return loudness + sidetone + quantisation


def _delayed(delay_ms: float) -> float:
    """Id: talker echo, listener echo, and too long a delay (equations 7-18 to 7-28)."""
    terv = (
        _TELR
        - 40 * math.log10((1 + delay_ms / 10) / (1 + delay_ms / 150))
        + 6 * math.exp(-0.3 * delay_ms * delay_ms)
    )
    talker_gap = -1.5 * (_NO - _RLR) - (80 + 2.5 * (terv - 14))
    talker = (talker_gap / 2 + math.sqrt(talker_gap**2 / 4 + 100) - 1) * (1 - math.exp(-delay_ms))
    listener_gap: float = _RO - 10.5 * (_WEPL + 7) * (2 * delay_ms + 1) ** -0.25
    listener = listener_gap / 2 + math.sqrt(listener_gap**2 / 4 + 169)
    if delay_ms <= 100:
        return talker + listener
    x = math.log2(delay_ms / 100)
    too_long: float = 25 * ((1 + x**6) ** (1 / 6) - 3 * (1 + (x / 3) ** 6) ** (1 / 6) + 2)
    return talker + listener + too_long


def r_factor(
    delay: float,
    loss: float,
    *,
    ie: float,
    bpl: float,
    burst_ratio: float = 1.0,
    advantage: float = 0.0,
) -> float:
    """The transmission rating factor R of a voice stream.

    Parameters
    ----------
    delay : float
        From mouth to ear, s: packetisation, network and playout buffer.
    loss : float
        Share of datagrams that are not played, lost or late, 0 to 1.
    ie : float
        The codec's equipment impairment without loss (ITU-T G.113 appendix I).
    bpl : float
        Robustness of the codec against packet loss (G.113 appendix I).
    burst_ratio : float
        Mean run of unplayed datagrams over what it would be if they were independent; 1: random
        loss.
    advantage : float
        A: what users forgive for the convenience of access (table 1: 0 for wired, 10 for mobile
        telephones).

    Returns
    -------
    float
        R = Ro - Is - Id - Ie,eff + A: 93.2 at best for narrow band; below 50 is not recommended
        (G.109).

    Notes
    -----
    ITU-T G.107 (06/2015) equations 7-1 to 7-29, all parameters but those above at their defaults.

    Examples
    --------
    >>> round(r_factor(0.0, 0.0, ie=0, bpl=25.1), 1)
    93.2
    """
    percent = 100 * loss
    effective = ie + (95 - ie) * percent / (percent / burst_ratio + bpl) if percent > 0 else ie
    delay_ms = 1000 * delay
    return _RO - _simultaneous(delay_ms) - _delayed(delay_ms) - effective + advantage


def mos(r: float) -> float:
    """Mean opinion score, 1 (bad) to 4.5, of a transmission rating factor.

    Parameters
    ----------
    r : float
        R factor, from `r_factor`.

    Returns
    -------
    float
        MOS-CQE.

    Notes
    -----
    ITU-T G.107 (06/2015) annex B. The polynomial falls below 1 for small R; it is bounded by 1
    here.

    Examples
    --------
    >>> round(mos(93.2), 2)
    4.41
    """
    if r <= 0:
        return 1.0
    if r >= 100:
        return 4.5
    return max(1.0, 1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6)


def voice_figures(row: Mapping[str, Any], app: Mapping[str, Any]) -> dict[str, float | None]:
    """R and MOS of a voice stream.

    Parameters
    ----------
    row : mapping
        As in streams.parquet: what was received, not played, and when it is played.
    app : mapping
        The stream's application in the plan: frame, look-ahead, Ie, Bpl, A.

    Returns
    -------
    dict
        ``r_factor`` and ``mos``; None if nothing arrived.

    Notes
    -----
    The delay from mouth to ear is the frame, the codec's look-ahead and the playout delay. The
    burst ratio is the mean run of unplayed datagrams over 1 / (1 - loss), what it is if they are
    independent (G.107 section 7.5), and at least 1.
    """
    heard = row["received_packets"] - row["late_packets"]
    followed = heard + row["unplayed_packets"]
    if followed <= 0 or row["playout_delay"] is None:
        return {"r_factor": None, "mos": None}
    loss = row["unplayed_packets"] / followed
    run = row["unplayed_packets"] / row["unplayed_bursts"] if row["unplayed_bursts"] else 1.0
    r = r_factor(
        (app["frame_ps"] + app["lookahead_ps"]) / 1e12 + row["playout_delay"],
        loss,
        ie=app["ie"],
        bpl=app["bpl"],
        burst_ratio=max(1.0, run * (1 - loss)),
        advantage=app["advantage"],
    )
    return {"r_factor": r, "mos": mos(r)}
