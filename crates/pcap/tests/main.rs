//! Tests of the reader: made captures of every kind, and bytes of any kind.

mod any_bytes;
mod cost;
mod formats;
mod made;
mod story;
