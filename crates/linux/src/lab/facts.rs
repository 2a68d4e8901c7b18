//! Facts about this machine's kernel, and whether it permits namespaces.
#![allow(unsafe_code)]

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::panic::catch_unwind;
use std::path::Path;

use nix::libc;
use nix::sys::wait::waitpid;
use nix::unistd::{ForkResult, fork, pipe};
use serde::Serialize;

use super::{LabError, devices, enter, packet, sysctl};

/// The kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kernel {
    /// As `uname -r` prints it.
    pub release: String,
    /// Every congestion control that a socket can have here, by the kernel's names.
    pub congestion_controls: Vec<String>,
    /// Congestion controls that the kernel could load, which needs root: `modprobe tcp_NAME`.
    pub loadable: Vec<String>,
}

/// Reads the facts from the system.
///
/// # Errors
///
/// If /proc cannot be read.
pub fn kernel() -> io::Result<Kernel> {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease")?.trim().to_owned();
    let congestion_controls: Vec<String> =
        fs::read_to_string("/proc/sys/net/ipv4/tcp_available_congestion_control")?
            .split_whitespace()
            .map(str::to_owned)
            .collect();
    let mut loadable = modules(&release);
    loadable.retain(|name| !congestion_controls.contains(name));
    Ok(Kernel { release, congestion_controls, loadable })
}

/// The congestion controls among the kernel's modules: all `tcp_` modules beside TCP, except the
/// one that only observes.
fn modules(release: &str) -> Vec<String> {
    let folder = Path::new("/lib/modules").join(release).join("kernel/net/ipv4");
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = files
        .filter_map(|file| {
            let file = file.file_name().into_string().ok()?;
            let (name, _) = file.strip_prefix("tcp_")?.split_once(".ko")?;
            (name != "diag").then(|| name.to_owned())
        })
        .collect();
    names.sort();
    names
}

/// Whether the kernel's clock jumps from event to event: a user-mode Linux that was booted with
/// `time-travel=inf-cpu`.
#[must_use]
pub fn is_virtual() -> bool {
    fs::read_to_string("/proc/cmdline")
        .is_ok_and(|line| line.split_whitespace().any(|word| word == "time-travel=inf-cpu"))
}

/// Whether a run can have its namespaces here. A child process tries, so that this process stays in
/// its own.
///
/// # Errors
///
/// If it cannot. The message has the reason and the remedy.
pub fn may_make_namespaces() -> Result<(), String> {
    devices::find_ip().map_err(|error| error.0)?;
    let (from_child, to_parent) = pipe().map_err(|errno| errno.to_string())?;
    // SAFETY: only the calling thread is in the child, so nothing that needs another thread's lock
    // may run there. It makes system calls, starts `ip`, and allocates, for which the C
    // library's fork prepares its own lock. It ends by _exit, a panic included.
    match unsafe { fork() }.map_err(|errno| format!("cannot start a process: {errno}"))? {
        ForkResult::Child => {
            // A panic must not leave this function: it would go on as a second copy of the calling
            // process.
            let why = match catch_unwind(rehearse) {
                Ok(done) => done.err().map_or_else(String::new, |error| error.0),
                Err(_) => "the rehearsal panicked".to_owned(),
            };
            let _ = File::from(to_parent).write_all(why.as_bytes());
            // SAFETY: takes no pointers. It ends this process at once, without what the parent has
            // registered for its own end.
            unsafe { libc::_exit(0) }
        }
        ForkResult::Parent { child } => {
            drop(to_parent);
            let mut why = String::new();
            let read = File::from(from_child).read_to_string(&mut why);
            waitpid(child, None).map_err(|errno| errno.to_string())?;
            read.map_err(|error| error.to_string())?;
            if why.is_empty() { Ok(()) } else { Err(why) }
        }
    }
}

/// Does everything for which a run needs rights.
fn rehearse() -> Result<(), LabError> {
    enter::enter()?;
    sysctl::set(core::iter::empty())?;
    packet::open().map_err(|error| LabError(format!("no packet socket: {error}")))?;
    Ok(())
}
