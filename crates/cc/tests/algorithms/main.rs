//! What the controllers do, one question per file, on a path that has nothing but a round trip, a loss pattern and,
//! where the question needs one, a bottleneck.

mod driver;

mod a_clone_put_back_undoes_a_reaction;
mod a_maker_brings_its_own_parts;
mod bad_specs_say_what_is_allowed;
mod cos_follows_its_curve;
mod cubic_follows_its_curve;
mod cubic_linux_meets_the_kernel;
mod cubic_meets_its_response_function;
mod hystart_ends_before_the_loss;
mod hystartpp_follows_rfc_9406;
mod limited_grows_by_half_its_bound_per_round_trip;
mod no_sequence_of_events_breaks_a_controller;
mod reno_grows_and_halves;
mod reno_meets_the_square_root_law;
mod search_ends_when_delivery_falls_behind;
