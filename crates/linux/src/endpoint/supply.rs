//! Sockets for the connections to come: made in their hosts by a thread beside, so that opening one takes as long as opening one.

use std::fs::File;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use ackclock_sim::plan::{AppPlan, Plan};
use nix::sched::{CloneFlags, setns};

use super::{EndpointError, seat};
use crate::plan::{KernelFlow, LinuxPlan};

/// Ready at any time for each flow.
const AHEAD: usize = 2;

/// Those ready, and where to ask for more.
pub struct Supply {
    asked: Option<Sender<usize>>,
    /// By flow; absent: a session does not run it.
    ready: Vec<Option<Receiver<Result<TcpStream, EndpointError>>>>,
    thread: Option<JoinHandle<()>>,
}

struct Workshop {
    plan: Plan,
    kernel: Vec<KernelFlow>,
    /// By flow: the sender's namespace.
    namespaces: Vec<Option<File>>,
    ready: Vec<Option<Sender<Result<TcpStream, EndpointError>>>>,
}

impl Supply {
    /// For the flows that a session runs; `namespace` tells where a flow's are made.
    pub fn new(plan: &LinuxPlan, mut namespace: impl FnMut(&KernelFlow) -> Result<File, EndpointError>) -> Result<Self, EndpointError> {
        let mut supply = Self {
            asked: None,
            ready: Vec::new(),
            thread: None,
        };
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
            supply.thread = Some(thread::Builder::new().name("sockets".into()).spawn(move || workshop.run(&orders))?);
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
            // It only sends what it made; a panic there shows as a missing socket here.
            let _ = thread.join();
        }
    }
}

impl Workshop {
    fn run(&self, orders: &Receiver<usize>) {
        for flow in orders {
            if let Some(ready) = &self.ready[flow] {
                // Nobody takes it any more when the run is over.
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
