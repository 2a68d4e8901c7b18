//! Moves the process into namespaces of its own, as root or rootless.

use std::fs;
use std::io;

use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use nix::unistd::{getegid, geteuid, getppid};

use super::LabError;

/// Bits of `CapEff` in /proc/self/status (capabilities(7)).
const CAP_NET_ADMIN: u64 = 1 << 12;
const CAP_NET_RAW: u64 = 1 << 13;
const CAP_SYS_ADMIN: u64 = 1 << 21;
const NEEDED: u64 = CAP_NET_ADMIN | CAP_NET_RAW | CAP_SYS_ADMIN;

/// The way in which this process got its rights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entered {
    /// Whether the process has a user namespace of its own.
    pub is_rootless: bool,
}

/// Puts this process, which must have one thread, into a network namespace of its own; without the
/// rights for that, into a user namespace first. The process is killed when the thread that started
/// it ends.
///
/// # Errors
///
/// If the machine permits neither. The message has the remedy.
pub fn enter() -> Result<Entered, LabError> {
    let parent = getppid();
    let is_rootless = !has_rights();
    if is_rootless {
        own_user_namespace()?;
    }
    unshare(CloneFlags::CLONE_NEWNET)
        .map_err(|errno| refused("network namespace", &errno.into()))?;
    // Only now, because a change of credentials would undo it.
    set_pdeathsig(Signal::SIGKILL)
        .map_err(|errno| LabError(format!("prctl(PR_SET_PDEATHSIG): {errno}")))?;
    if getppid() != parent {
        return Err(LabError("the process that wanted this run has gone".into()));
    }
    Ok(Entered { is_rootless })
}

/// Whether this process may make network namespaces without a user namespace.
pub(super) fn has_rights() -> bool {
    let status = fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("CapEff:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask & NEEDED == NEEDED)
}

/// Enters a user namespace, as `unshare --user --map-root-user` does.
fn own_user_namespace() -> Result<(), LabError> {
    let [user, group] = [geteuid().as_raw(), getegid().as_raw()];
    unshare(CloneFlags::CLONE_NEWUSER).map_err(|errno| match errno {
        nix::Error::EINVAL => LabError(
            "a user namespace is for a process with one thread, and this one has more".into(),
        ),
        _ => refused("user namespace", &errno.into()),
    })?;
    let maps = [
        ("/proc/self/setgroups", "deny".to_owned()),
        ("/proc/self/uid_map", format!("0 {user} 1")),
        ("/proc/self/gid_map", format!("0 {group} 1")),
    ];
    for (path, text) in maps {
        fs::write(path, text).map_err(|error| refused("user namespace", &error))?;
    }
    Ok(())
}

/// Message for a machine that forbids namespaces.
pub(super) fn refused(what: &str, error: &io::Error) -> LabError {
    LabError(format!(
        "this machine does not permit a {what} ({error}), in which the kernel's TCP would run. \
         Run as root (sudo), or permit it: {}",
        remedy()
    ))
}

/// The switch that forbids namespaces here, among those of the distributions.
fn remedy() -> String {
    let switches = [
        (
            "kernel/apparmor_restrict_unprivileged_userns",
            "1",
            "kernel.apparmor_restrict_unprivileged_userns=0",
        ),
        ("kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
        ("user/max_user_namespaces", "0", "user.max_user_namespaces=10000"),
        ("user/max_net_namespaces", "0", "user.max_net_namespaces=10000"),
    ];
    let is_off = |path: &str, off: &str| {
        fs::read_to_string(format!("/proc/sys/{path}")).is_ok_and(|value| value.trim() == off)
    };
    switches.iter().find(|(path, off, _)| is_off(path, off)).map_or_else(
        || {
            "in a container, start it with --privileged, or with seccomp and apparmor unconfined"
                .into()
        },
        |(_, _, set)| format!("sysctl -w {set} (as root)"),
    )
}
