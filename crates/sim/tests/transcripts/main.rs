//! Transport behaviour as timed transcripts: each `.pkt` file beside this one is a test of its
//! name. `README.md` describes the language.

mod play;
mod script;

use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the folder of this file exists")
        .map(|entry| entry.expect("its entries can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pkt"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no transcripts in {}", folder.display());
    let trials =
        files.into_iter().map(|path| Trial::test(name(&path), move || check(&path))).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn check(path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?;
    if !text.starts_with("# ") {
        return Err(
            "a transcript begins with a comment: what is tested, its source, what varies".into()
        );
    }
    let script =
        script::Script::parse(&text).map_err(|problem| format!("{}: {problem}", path.display()))?;
    play::play(&script).map_err(|problem| format!("{}: {problem}", path.display()).into())
}
