//! Tests of the laboratory: the namespaces, devices and packet rings of a run. Each test is a
//! process of its own, which enters its namespaces with one thread: this program again, as the
//! user who runs the tests and, if that is root, as nobody.

mod cases;
mod leftovers;

use std::env;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

use ackclock_linux::lab::facts::may_make_namespaces;
use libtest_mimic::{Failed, Trial};

/// Before the name of what a process of the tests is to do.
const INSIDE: &str = "--inside";
/// `nobody`, and its group, on every distribution.
const NOBODY: u32 = 65534;

#[derive(Clone, Copy, PartialEq, Eq)]
enum User {
    Same,
    Nobody,
}

/// Does what this process was started for, if it is a child of a test. Returns whether it is.
pub fn is_child() -> bool {
    let arguments: Vec<String> = env::args().collect();
    let [_, flag, case] = arguments.as_slice() else { return false };
    let is_child = flag == INSIDE;
    if is_child {
        cases::inside(case);
    }
    is_child
}

/// The tests, for each user.
pub fn trials() -> Vec<Trial> {
    let mut users = vec![("as_is", User::Same)];
    if nix::unistd::geteuid().is_root() {
        users.push(("rootless", User::Nobody));
    }
    let trials = users.into_iter().flat_map(|(name, user)| {
        let why_not = why_not(user);
        if let Some(why) = &why_not {
            eprintln!("\nSKIPPED, {name}: no test of the real kernel runs here: {why}\n");
        }
        let carried =
            cases::ALL.iter().map(move |case| trial(name, case, move || carried_out(user, case)));
        let left =
            leftovers::ALL.iter().map(move |(case, test)| trial(name, case, move || test(user)));
        carried.chain(left).map(move |trial| trial.with_ignored_flag(why_not.is_some()))
    });
    trials.collect()
}

fn trial(
    user: &str,
    case: &str,
    test: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> Trial {
    Trial::test(format!("lab::{user}::{case}"), test)
}

/// Why this user may not have namespaces here.
fn why_not(user: User) -> Option<String> {
    match user {
        User::Same => may_make_namespaces().err(),
        User::Nobody => {
            let tried = this_program(user, "may_make_namespaces").output();
            let tried = tried.map_err(|error| error.to_string());
            tried.map_or_else(Some, |output| {
                (!output.status.success())
                    .then(|| String::from_utf8_lossy(&output.stderr).into_owned())
            })
        }
    }
}

fn carried_out(user: User, case: &str) -> Result<(), Failed> {
    let output = this_program(user, case).output()?;
    print!("{}", String::from_utf8_lossy(&output.stdout));
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
    }
}

fn this_program(user: User, case: &str) -> Command {
    let mut command = Command::new(env::current_exe().expect("the system knows what it runs"));
    command.args([INSIDE, case]).stdin(Stdio::null());
    if user == User::Nobody {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}
