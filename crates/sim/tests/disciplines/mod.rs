//! Disciplines that hold packets, against their specifications' pseudocode and cases computed by
//! hand.

mod cobalt;
mod codel;
mod desk;
mod drr;
mod fq_codel;
mod fq_pie;
mod token_bucket;
mod traits_are_what_disciplines_do;
