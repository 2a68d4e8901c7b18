"""Closed forms that a simulation can be held against, one subject per file; nothing here simulates anything.

Quantities are in base units: packets, seconds, packets per second. `tests/theory` holds the simulator against each.
"""

from ackclock.theory.bbr import (
    BbrProbe,
    TwoFlows,
    bbr_filter_share,
    bbr_flow_map,
    bbr_loss_cliff,
    bbr_probe_rtt_rounds,
    bbr_settling_probes,
    bbr_two_flow_map,
)
from ackclock.theory.bbr_against_loss import bbr_min_rtt_estimate, bbr_probe_rtt_share, bbr_share_against_loss
from ackclock.theory.bbr_equilibrium import BbrEquilibrium, bbr_equilibrium
from ackclock.theory.buffers import rule_of_thumb, small_buffer, tiny_buffer
from ackclock.theory.copa import CopaEquilibrium, copa_equilibrium, copa_target_rate
from ackclock.theory.cubic import (
    cubic_average_window,
    cubic_plateau_time,
    cubic_random_average_window,
    cubic_reno_friendly_alpha,
    cubic_window,
)
from ackclock.theory.dctcp import DctcpSawtooth, dctcp_sawtooth
from ackclock.theory.delay_based import DelayEquilibrium, fast_equilibrium, fast_latecomers, vegas_queue
from ackclock.theory.fifo import md1_k_loss, md1_wait, overload_drops, slow_start_overshoot
from ackclock.theory.high_speed import (
    bic_recovery,
    bic_window,
    compound_recovery,
    compound_window,
    htcp_growth,
    htcp_random_window,
    htcp_recovery,
    htcp_window,
)
from ackclock.theory.loop import Loop, Margins, loop_margins
from ackclock.theory.operating_points import OperatingPoint, cliff, knee, operating_point
from ackclock.theory.pcc import allegro_loss_tolerance, vivace_flows_without_queue, vivace_loss_tolerance
from ackclock.theory.pftk import pftk_rate, tfrc_rate
from ackclock.theory.recovery import aimd_recovery_rounds, aimd_recovery_time, path_window, scalable_recovery_rounds
from ackclock.theory.red import red_average, red_base_probability, red_drop_share, red_reno_equilibrium
from ackclock.theory.response import (
    aimd_random_window,
    binomial_window,
    highspeed_response,
    highspeed_window,
    multcp_window,
    periodic_loss_window,
    random_loss_window,
    scalable_doubling_time,
    scalable_halving_time,
    scalable_window,
    westwood_rate,
    westwood_window,
)
from ackclock.theory.sawtooth import Sawtooth, reno_sawtooth, reno_utilisation
from ackclock.theory.sharing import alpha_fair_rates, parking_lot_shares, reno_rates
from ackclock.theory.slow_starts import (
    cos_efficiency,
    cos_slope,
    cos_window,
    doubling_efficiency,
    doubling_slope,
    doubling_window,
    slow_start_efficiency,
    slow_start_rounds,
)
from ackclock.theory.square_root import (
    PERIODIC,
    PERIODIC_DELAYED_ACK,
    RANDOM,
    RANDOM_DELAYED_ACK,
    LossCycle,
    aimd_window,
    periodic_loss_cycle,
    square_root_window,
)
from ackclock.theory.stability import StabilityMargin, stability_margin, stability_region
from ackclock.theory.variation import (
    aimd_periodic_variation,
    aimd_random_variation,
    scalable_periodic_variation,
    scalable_random_variation,
)
from ackclock.theory.vinnicombe import md1_k_elasticity, vinnicombe_gain

__all__ = [
    "PERIODIC",
    "PERIODIC_DELAYED_ACK",
    "RANDOM",
    "RANDOM_DELAYED_ACK",
    "BbrEquilibrium",
    "BbrProbe",
    "CopaEquilibrium",
    "DctcpSawtooth",
    "DelayEquilibrium",
    "Loop",
    "LossCycle",
    "Margins",
    "OperatingPoint",
    "Sawtooth",
    "StabilityMargin",
    "TwoFlows",
    "aimd_periodic_variation",
    "aimd_random_variation",
    "aimd_random_window",
    "aimd_recovery_rounds",
    "aimd_recovery_time",
    "aimd_window",
    "allegro_loss_tolerance",
    "alpha_fair_rates",
    "bbr_equilibrium",
    "bbr_filter_share",
    "bbr_flow_map",
    "bbr_loss_cliff",
    "bbr_min_rtt_estimate",
    "bbr_probe_rtt_rounds",
    "bbr_probe_rtt_share",
    "bbr_settling_probes",
    "bbr_share_against_loss",
    "bbr_two_flow_map",
    "bic_recovery",
    "bic_window",
    "binomial_window",
    "cliff",
    "compound_recovery",
    "compound_window",
    "copa_equilibrium",
    "copa_target_rate",
    "cos_efficiency",
    "cos_slope",
    "cos_window",
    "cubic_average_window",
    "cubic_plateau_time",
    "cubic_random_average_window",
    "cubic_reno_friendly_alpha",
    "cubic_window",
    "dctcp_sawtooth",
    "doubling_efficiency",
    "doubling_slope",
    "doubling_window",
    "fast_equilibrium",
    "fast_latecomers",
    "highspeed_response",
    "highspeed_window",
    "htcp_growth",
    "htcp_random_window",
    "htcp_recovery",
    "htcp_window",
    "knee",
    "loop_margins",
    "md1_k_elasticity",
    "md1_k_loss",
    "md1_wait",
    "multcp_window",
    "operating_point",
    "overload_drops",
    "parking_lot_shares",
    "path_window",
    "periodic_loss_cycle",
    "periodic_loss_window",
    "pftk_rate",
    "random_loss_window",
    "red_average",
    "red_base_probability",
    "red_drop_share",
    "red_reno_equilibrium",
    "reno_rates",
    "reno_sawtooth",
    "reno_utilisation",
    "rule_of_thumb",
    "scalable_doubling_time",
    "scalable_halving_time",
    "scalable_periodic_variation",
    "scalable_random_variation",
    "scalable_recovery_rounds",
    "scalable_window",
    "slow_start_efficiency",
    "slow_start_overshoot",
    "slow_start_rounds",
    "small_buffer",
    "square_root_window",
    "stability_margin",
    "stability_region",
    "tfrc_rate",
    "tiny_buffer",
    "vegas_queue",
    "vinnicombe_gain",
    "vivace_flows_without_queue",
    "vivace_loss_tolerance",
    "westwood_rate",
    "westwood_window",
]
