//! The engine as WebAssembly: texts and plans go in by one buffer, answers come out by another.
//!
//! The page writes to [`input`], calls a function, and reads [`output`]. An answer is JSON, `{"ok":
//! ...}` or `{"error": sentence}`. One instance holds one run at a time.

mod capture;
mod exports;
mod failure;
mod rows;
mod run;
mod services;
mod table;
