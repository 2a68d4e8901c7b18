//! Copies the example scenarios of the repository to where maturin takes them into the wheel, and
//! hands facts about this build to the crate (`ackclock doctor`).

use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    tell_facts();
    println!("cargo::rerun-if-changed=../../scenarios");
    let Some(out) = env::var_os("OUT_DIR") else {
        return Err(io::Error::other("cargo sets OUT_DIR for build scripts"));
    };
    let copy = Path::new(&out).join("scenarios");
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    copy_folder(Path::new("../../scenarios"), &copy)
}

/// Sets the variables that `src/build.rs` reads.
fn tell_facts() {
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

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if !entry.file_type()?.is_dir() {
            fs::copy(entry.path(), target)?;
        } else if entry.file_name() != "__pycache__" {
            copy_folder(&entry.path(), &target)?;
        }
    }
    Ok(())
}
