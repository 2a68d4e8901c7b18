//! Does anything stay behind when a laboratory is killed?

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::linux::fs::MetadataExt as _;
use std::process::{Child, ChildStdout, Command, Stdio};

use ackclock_linux::lab::{Lab, enter};
use libtest_mimic::Failed;
use nix::poll::{PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, pause};

use super::{User, this_program};

/// Number of looks, 20 ms apart, because a busy machine may take long to end things.
const LOOKS: u32 = 500;

type Test = fn(User) -> Result<(), Failed>;

/// Every case.
pub const ALL: [(&str, Test); 2] = [
    ("nothing_is_left_of_a_killed_process", nothing_is_left_of_a_killed_process),
    ("it_dies_with_its_parent", it_dies_with_its_parent),
];

/// Makes a laboratory, tells its network namespaces, and waits to be killed.
pub fn stay() {
    enter().expect("it was tried");
    let lab =
        Lab::new(&[super::cases::plan(), super::cases::plan()]).expect("a laboratory of two pairs");
    let mut namespaces = vec![namespace()];
    for pair in &lab.pairs {
        namespaces.extend([pair.sender.within(namespace), pair.receiver.within(namespace)]);
    }
    println!("{}", namespaces.iter().map(u64::to_string).collect::<Vec<_>>().join(" "));
    std::io::stdout().flush().expect("somebody reads");
    pause();
}

/// Starts `stay` and waits to be killed.
pub fn parent() {
    let mut child =
        this_program(User::Same, "stay").stdout(Stdio::inherit()).spawn().expect("this program");
    child.wait().expect("a child");
}

fn namespace() -> u64 {
    fs::metadata("/proc/thread-self/ns/net").expect("every thread has one").st_ino()
}

fn nothing_is_left_of_a_killed_process(user: User) -> Result<(), Failed> {
    let before = devices()?;
    let (mut child, stdout, namespaces) = started(user, "stay")?;
    assert_eq!(namespaces.iter().collect::<BTreeSet<_>>().len(), 5, "ours and one for each host");
    assert!(!users_of(&namespaces).is_empty(), "they are found while they live");
    child.kill()?;
    child.wait()?;
    // Nobody else holds our pipe, such as a process that it started.
    super::cases::read_to_end(stdout);
    gone(&namespaces)?;
    assert_eq!(devices()?, before);
    Ok(())
}

fn it_dies_with_its_parent(user: User) -> Result<(), Failed> {
    let (mut child, stdout, namespaces) = started(user, "parent")?;
    kill(Pid::from_raw(i32::try_from(child.id())?), Signal::SIGKILL)?;
    child.wait()?;
    // Ends when the grandchild does.
    super::cases::read_to_end(stdout);
    gone(&namespaces)
}

fn started(user: User, case: &str) -> Result<(Child, BufReader<ChildStdout>, Vec<u64>), Failed> {
    let mut child = this_program(user, case).stdout(Stdio::piped()).spawn()?;
    let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    stdout.read_line(&mut line)?;
    let namespaces = line.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>()?;
    if namespaces.is_empty() {
        Err("it did not start".into())
    } else {
        Ok((child, stdout, namespaces))
    }
}

/// Nobody is left, or soon will be: a process closes its pipes a moment before it leaves its
/// namespaces.
fn gone(namespaces: &[u64]) -> Result<(), Failed> {
    for _ in 0..LOOKS {
        if users_of(namespaces).is_empty() {
            return Ok(());
        }
        poll(&mut [], PollTimeout::from(20_u8))?;
    }
    Err(format!("still in its namespaces: {:?}", users_of(namespaces)).into())
}

/// Processes that are in one of these network namespaces, or hold one open.
fn users_of(namespaces: &[u64]) -> Vec<String> {
    let mut users = Vec::new();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let tasks = fs::read_dir(process.path().join("task"))
            .into_iter()
            .flatten()
            .flatten()
            .map(|task| task.path().join("ns/net"));
        let files = fs::read_dir(process.path().join("fd"))
            .into_iter()
            .flatten()
            .flatten()
            .map(|file| file.path());
        let held = tasks.chain(files).filter(|path| {
            fs::metadata(path).is_ok_and(|what| namespaces.contains(&what.st_ino()))
        });
        users.extend(held.map(|path| path.display().to_string()));
    }
    users
}

fn devices() -> Result<String, Failed> {
    let output = Command::new("ip").args(["-brief", "link"]).output()?;
    let names =
        fs::read_dir("/run/netns").into_iter().flatten().flatten().map(|file| file.file_name());
    Ok(format!("{}{:?}", String::from_utf8(output.stdout)?, names.collect::<Vec<_>>()))
}
