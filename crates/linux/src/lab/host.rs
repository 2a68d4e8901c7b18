//! A host: a network namespace with one device.

use std::fs::File;
use std::net::Ipv4Addr;
use std::os::fd::{AsRawFd, OwnedFd};
use std::thread;

use nix::sched::{CloneFlags, setns, unshare};

use super::{LabError, Port};

/// The two ends of some flows.
#[derive(Debug)]
pub struct HostPair {
    /// Where data comes from.
    pub sender: Host,
    /// Where data goes.
    pub receiver: Host,
}

/// A network namespace with one device, whose other end is ours.
#[derive(Debug)]
pub struct Host {
    /// Its only address.
    pub address: Ipv4Addr,
    /// Injects packets towards it.
    pub port: Port,
    pub(super) namespace: Namespace,
}

impl Host {
    /// Does `work` in this host's network namespace, on a thread of its own. Sockets made there stay there; a process started there is there.
    /// Beware of `/proc/net`: it is the process's, this thread's is `/proc/thread-self/net`. `/proc/sys/net` is this thread's.
    pub fn within<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.namespace.within(work)
    }
}

/// A network namespace without a name, which lasts as long as this value, or as a socket in it.
#[derive(Debug)]
pub(super) struct Namespace(OwnedFd);

impl Namespace {
    /// A new one, empty but for a loopback device that is down.
    pub fn new() -> Result<Self, LabError> {
        let made = || {
            unshare(CloneFlags::CLONE_NEWNET).map_err(|errno| format!("no network namespace for a host: {errno}{}", remedy(errno)))?;
            let namespace = File::open("/proc/thread-self/ns/net").map_err(|error| format!("/proc/thread-self/ns/net: {error}"))?;
            Ok(Self(namespace.into()))
        };
        // The thread ends, and with it its membership.
        thread::scope(|scope| scope.spawn(made).join().expect("it does not panic")).map_err(LabError)
    }

    /// Does `work` on a thread in here.
    pub fn within<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let inside = || {
            setns(&self.0, CloneFlags::CLONE_NEWNET).expect("a namespace that we made");
            work()
        };
        thread::scope(|scope| scope.spawn(inside).join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// A path to it for other processes of ours.
    pub fn path(&self) -> String {
        format!("/proc/{}/fd/{}", std::process::id(), self.0.as_raw_fd())
    }
}

fn remedy(errno: nix::Error) -> &'static str {
    match errno {
        nix::Error::ENOSPC => " (more than user.max_net_namespaces allows)",
        _ => "",
    }
}
