//! A host: a network namespace with one device.

use std::fs::File;
use std::net::Ipv4Addr;
use std::os::fd::{AsRawFd, OwnedFd};
use std::thread;

use nix::sched::{CloneFlags, setns, unshare};

use super::{LabError, Port};

/// The two hosts of some flows.
#[derive(Debug)]
pub struct HostPair {
    /// Host that sends data.
    pub sender: Host,
    /// Host that receives data.
    pub receiver: Host,
}

/// A network namespace with one device, whose other end is in the network's namespace.
#[derive(Debug)]
pub struct Host {
    /// The host's only address.
    pub address: Ipv4Addr,
    /// Injects packets towards the host.
    pub port: Port,
    /// Name of the network's end of the host's wire.
    pub device: String,
    pub(super) namespace: Namespace,
}

impl Host {
    /// Does `work` in this host's network namespace, on a thread of its own. Sockets and processes
    /// that it makes stay in the namespace. `/proc/net` is that of the process;
    /// `/proc/thread-self/net` and `/proc/sys/net` are those of the thread.
    pub fn within<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.namespace.within(work)
    }
}

/// A network namespace without a name, which lasts as long as this value, or as a socket in it.
#[derive(Debug)]
pub(super) struct Namespace(OwnedFd);

impl Namespace {
    /// Makes a namespace, empty but for a loopback device that is down.
    pub fn new() -> Result<Self, LabError> {
        let made = || {
            unshare(CloneFlags::CLONE_NEWNET).map_err(|errno| {
                format!("no network namespace for a host: {errno}{}", remedy(errno))
            })?;
            let namespace = File::open("/proc/thread-self/ns/net")
                .map_err(|error| format!("/proc/thread-self/ns/net: {error}"))?;
            Ok(Self(namespace.into()))
        };
        // The thread's membership ends with the thread.
        thread::scope(|scope| scope.spawn(made).join().expect("it does not panic"))
            .map_err(LabError)
    }

    /// Does `work` on a thread in this namespace.
    pub fn within<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let inside = || {
            setns(&self.0, CloneFlags::CLONE_NEWNET).expect("a namespace that we made");
            work()
        };
        thread::scope(|scope| scope.spawn(inside).join())
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// A path to the namespace for other processes of ackclock.
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
