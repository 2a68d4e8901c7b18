//! Hands facts about this build to the crate, for `ackclock doctor`.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let version = env::var_os("RUSTC")
        .and_then(|rustc| Command::new(rustc).arg("--version").output().ok())
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_default();
    for (name, value) in [
        ("OPT_LEVEL", env::var("OPT_LEVEL").unwrap_or_default()),
        ("TARGET", env::var("TARGET").unwrap_or_default()),
        ("COMPILER", version.trim().to_owned()),
        // Set by profile-guided optimisation.
        ("TRAINED", flags.contains("profile-use").to_string()),
    ] {
        println!("cargo::rustc-env=ACKCLOCK_{name}={value}");
    }
}
