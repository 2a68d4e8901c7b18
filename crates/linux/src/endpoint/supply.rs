//! Sockets for future connections, made in their hosts by a thread of its own, so that opening a
//! connection does not wait for the making of its socket.

use std::fs::File;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use ackclock_sim::app::AppPlan;
use ackclock_sim::plan::Plan;
use nix::sched::{CloneFlags, setns};

use super::{EndpointError, seat};
use crate::plan::{KernelFlow, LinuxPlan};

/// Number of sockets kept ready for each flow.
const AHEAD: usize = 2;

/// Sockets that are ready, and the channel to ask for more.
pub struct Supply {
    asked: Option<Sender<usize>>,
    /// For each flow its sockets; absent if no session runs it.
    ready: Vec<Option<Receiver<Result<TcpStream, EndpointError>>>>,
    thread: Option<JoinHandle<()>>,
}

struct Workshop {
    plan: Plan,
    kernel: Vec<KernelFlow>,
    /// For each flow the sender's namespace.
    namespaces: Vec<Option<File>>,
    ready: Vec<Option<Sender<Result<TcpStream, EndpointError>>>>,
}

impl Supply {
    /// The supply for the flows that a session runs; `namespace` gives the place of a flow's
    /// sockets.
    pub fn new(
        plan: &LinuxPlan,
        mut namespace: impl FnMut(&KernelFlow) -> Result<File, EndpointError>,
    ) -> Result<Self, EndpointError> {
        let mut supply = Self { asked: None, ready: Vec::new(), thread: None };
        let mut workshop = Workshop {
            plan: plan.plan.clone(),
            kernel: plan.flows.clone(),
            namespaces: Vec::new(),
            ready: Vec::new(),
        };
        let (asked, orders) = channel();
        for (index, (flow, kernel)) in plan.plan.flows.iter().zip(&plan.flows).enumerate() {
            if flow.app != (AppPlan::Session {}) {
                supply.ready.push(None);
                workshop.ready.push(None);
                workshop.namespaces.push(None);
                continue;
            }
            let (ready, taken) = channel();
            supply.ready.push(Some(taken));
            workshop.ready.push(Some(ready));
            workshop.namespaces.push(Some(namespace(kernel)?));
            for _ in 0..AHEAD {
                asked.send(index).map_err(|_| gone())?;
            }
        }
        if workshop.ready.iter().any(Option::is_some) {
            supply.asked = Some(asked);
            supply.thread = Some(
                thread::Builder::new()
                    .name("sockets".into())
                    .spawn(move || workshop.run(&orders))?,
            );
        }
        Ok(supply)
    }

    /// The next socket of a flow.
    pub fn take(&self, flow: usize) -> Result<TcpStream, EndpointError> {
        let (Some(asked), Some(ready)) = (&self.asked, &self.ready[flow]) else {
            return Err(EndpointError(format!("flow {flow}: no session runs it")));
        };
        asked.send(flow).map_err(|_| gone())?;
        ready.recv().map_err(|_| gone())?
    }
}

impl Drop for Supply {
    fn drop(&mut self) {
        self.asked = None;
        if let Some(thread) = self.thread.take() {
            // The thread only sends its sockets; a panic there shows as a missing socket here.
            let _ = thread.join();
        }
    }
}

impl Workshop {
    fn run(&self, orders: &Receiver<usize>) {
        for flow in orders {
            if let Some(ready) = &self.ready[flow] {
                // After the end of the run nobody takes the socket.
                let _ = ready.send(self.make(flow));
            }
        }
    }

    fn make(&self, flow: usize) -> Result<TcpStream, EndpointError> {
        if let Some(namespace) = &self.namespaces[flow] {
            setns(namespace, CloneFlags::CLONE_NEWNET)?;
        }
        seat::sender(&self.plan.flows[flow], &self.kernel[flow])
    }
}

/// The network namespace of the calling thread.
pub fn namespace_of_this_thread() -> Result<File, EndpointError> {
    Ok(File::open("/proc/thread-self/ns/net")?)
}

fn gone() -> EndpointError {
    EndpointError("the thread that makes sockets has ended".to_owned())
}
