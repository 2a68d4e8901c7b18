//! Disciplines that hold packets, against their specifications' pseudocode and cases computed by hand.

mod codel;
mod desk;
