//! Copies the example scenarios of the repository to where maturin takes them into the wheel.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
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
