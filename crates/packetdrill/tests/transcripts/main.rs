//! Transport behaviour as packetdrill scripts: each `.pkt` file beside this one is a test of its
//! name. `README.md` describes them.

use std::path::{Path, PathBuf};

use ackclock_packetdrill::{Claims, Host, parse, play};
use ackclock_sim::transport::plan::TransportPlan;
use libtest_mimic::{Arguments, Failed, Trial};

/// Kept equal to the profiles of Python by a test there.
const PROFILES: [(&str, &str); 2] = [
    ("linux", include_str!("../../../sim/tests/support/linux.json")),
    ("classic", include_str!("../../../sim/tests/support/classic.json")),
];

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
    let at = path.display();
    let script = parse(&text).map_err(|problem| format!("{at}: {problem}"))?;
    let Some(header) = script.header.as_ref().filter(|_| text.starts_with("// ")) else {
        return Err(
            "a transcript begins with a comment: what is tested, its source, what varies; \
                    then follows its header"
                .into(),
        );
    };
    let of_name = |profile: &&(&str, &str)| profile.0 == header.profile;
    let (_, profile) = PROFILES.iter().find(of_name).ok_or("profile: linux or classic")?;
    let profile: TransportPlan = serde_json::from_str(profile)?;
    let transport = header.transport(&profile).map_err(|problem| format!("{at}: {problem}"))?;
    let host = Host { cc: header.cc.clone(), transport };
    let played = play(&script, host, &mut Claims).map_err(|reason| format!("{at}: {reason}"))?;
    match played.problem {
        None => Ok(()),
        Some(problem) => Err(format!(
            "{at}: {problem}\nThe exchange as it happened (time in s, < arrives, > leaves):\n{}",
            played.exchange.join("\n")
        )
        .into()),
    }
}
