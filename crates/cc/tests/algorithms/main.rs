//! What the controllers do, one question per file, on a path that has nothing but a round trip, a loss pattern and,
//! where the question needs one, a bottleneck.

mod bottleneck;
mod driver;

mod a_clone_put_back_undoes_a_reaction;
mod a_maker_brings_its_own_parts;
mod aimd_has_its_two_constants;
mod bad_specs_say_what_is_allowed;
mod bbr_cycles_its_gain;
mod bbr_fills_the_pipe_and_drains_it;
mod bbr_keeps_to_a_policers_rate;
mod bbr_lowlat_is_bbr_with_its_options;
mod bbr_probes_the_rtt;
mod bbr_recovers_without_forgetting;
mod binomial_follows_its_exponents;
mod cos_follows_its_curve;
mod cubic_follows_its_curve;
mod cubic_linux_meets_the_kernel;
mod cubic_meets_its_response_function;
mod dctcp_cuts_by_the_extent_of_marking;
mod fast_solves_its_equation;
mod highspeed_meets_rfc_3649;
mod hybla_grows_as_a_short_path_would;
mod hystart_ends_before_the_loss;
mod hystartpp_follows_rfc_9406;
mod ledbat_follows_its_pseudocode;
mod ledbatpp_follows_its_draft;
mod limited_grows_by_half_its_bound_per_round_trip;
mod multcp_is_n_flows_in_one;
mod no_sequence_of_events_breaks_a_controller;
mod nv_decides_as_linux;
mod prague_is_dctcp_at_a_longer_rtt;
mod reno_grows_and_halves;
mod reno_meets_the_square_root_law;
mod scalable_recovers_as_fast_at_any_window;
mod search_ends_when_delivery_falls_behind;
mod stabilised_vegas_follows_its_control_law;
mod vegas_steers_by_what_is_queued;
mod veno_tells_random_loss_from_congestion;
mod westwood_cuts_to_what_was_delivered;
