//! What a run gives back.
