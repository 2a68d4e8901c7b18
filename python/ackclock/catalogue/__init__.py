"""Traits of algorithms and disciplines, as their entries in Rust declare them."""
