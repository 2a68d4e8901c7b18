//! The scenario on the real kernel: TCP of this machine's Linux in network namespaces, through the
//! simulator's links and queues driven in real time. The only crate with system calls and unsafe
//! code; on other systems it is empty.
#![cfg(target_os = "linux")]

pub mod clock;
pub mod emulator;
pub mod endpoint;
mod error;
pub mod frame;
pub mod lab;
pub mod links;
pub mod oracle;
pub mod output;
pub mod plan;
pub mod provenance;
mod run;
pub mod seen;
pub mod shared;
mod together;

pub use error::LinuxError;
pub use run::{Run, run};
