//! Web pages: a main object, and then the objects embedded in it, over several connections at once.
//! Users come, load pages, read and go.

use std::collections::{BTreeMap, VecDeque};

use ackclock_units::{Duration, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::agenda::Agenda;
use super::exchange::Exchange;
use super::pool::Pool;
use super::{Event, Session, Setting, Stage, TransferId, TransferKind};
use crate::app::draw::Draw;
use crate::distribution::Distribution;

/// Most objects embedded in a page: a larger draw is cut to this.
const MOST_OBJECTS: u64 = 10_000;

/// Most things that one event does. The rest follows at the same instant.
const MOST_AT_A_TIME: u32 = 1000;

/// Parameters of web pages and of the users that load them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WebPlan {
    /// Size of a page's main object, bytes.
    pub main: Distribution,
    /// Size of each object embedded, bytes.
    pub embedded: Distribution,
    /// Number of embedded objects.
    pub objects: Distribution,
    /// Time from the arrival of the main object to the requests for the embedded ones, s.
    pub parsing: Distribution,
    /// Time from the end of a page to the next page, s.
    pub reading: Distribution,
    /// Pages of a user; absent: until the run ends.
    #[serde(default)]
    pub pages: Option<Distribution>,
    /// Time between arrivals of users, and before the first, s; absent: one user, present from the
    /// start.
    #[serde(default)]
    pub arrivals: Option<Distribution>,
    /// Most connections of a user at one time.
    pub parallel: usize,
    /// Connections stay open for further objects; absent: one connection per object.
    #[serde(default)]
    pub persistent: Option<PersistentPlan>,
}

/// Parameters of connections that carry one object after another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PersistentPlan {
    /// Size of each request, bytes.
    pub request_bytes: u64,
    /// Time from the end of a page to the closing of its connections, ps, unless the next page has
    /// begun.
    pub keep_alive_ps: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Task {
    Arrive,
    BeginPage(u64),
    Parsed(u64),
    /// Closes the connections of a user if this page is still the last.
    Expire(u64, u64),
}

/// An object that is being loaded, and its user.
#[derive(Clone, Copy)]
struct Load {
    user: u64,
    object: TransferId,
    size: u64,
}

/// A user with its random quantities: a user's behaviour depends on no other user.
struct User {
    main: Draw,
    embedded: Draw,
    objects: Draw,
    parsing: Draw,
    reading: Draw,
    pages_left: u64,
    /// Number of the present page, from 1.
    page: u64,
    loading: Option<TransferId>,
    /// Sizes of the objects embedded in the main object, until it is parsed.
    behind_main: Vec<u64>,
    /// Sizes of the objects to ask for.
    queue: VecDeque<u64>,
    under_way: usize,
    /// Number of connections that the user has, and the connections that carry nothing.
    held: usize,
    idle: Vec<usize>,
    is_waiting: bool,
}

/// The users and their connections.
pub struct Web {
    plan: WebPlan,
    setting: Setting,
    arrivals: Option<Draw>,
    pages: Option<Draw>,
    agenda: Agenda<Task>,
    users: BTreeMap<u64, User>,
    arrived: u64,
    pool: Pool,
    /// By connection: the object that it carries.
    carried: Vec<Option<Load>>,
    /// By connection: the pair with its connection for requests, if connections are persistent.
    exchanges: Vec<Exchange>,
    /// Users that found no connection free.
    waiting: VecDeque<u64>,
}

impl Web {
    /// Makes a session that waits for its start.
    #[must_use]
    pub fn new(plan: &WebPlan, setting: &Setting) -> Self {
        // Persistent connections come in pairs, with one for requests.
        let size = setting.connections / if plan.persistent.is_some() { 2 } else { 1 };
        let mut web = Self {
            arrivals: plan.arrivals.as_ref().map(|arrivals| setting.draw(arrivals, "arrivals")),
            pages: plan.pages.as_ref().map(|pages| setting.draw(pages, "pages")),
            plan: plan.clone(),
            setting: setting.clone(),
            agenda: Agenda::new(),
            users: BTreeMap::new(),
            arrived: 0,
            pool: Pool::new(size),
            carried: vec![None; size],
            exchanges: (0..size)
                .map(|connection| Exchange::new(connection, size + connection))
                .collect(),
            waiting: VecDeque::new(),
        };
        if web.arrivals.is_some() {
            web.await_user(setting.start);
        } else {
            web.agenda.note(setting.start, Task::Arrive);
        }
        web
    }

    fn await_user(&mut self, now: Time) {
        if let Some(arrivals) = &mut self.arrivals {
            let next = now.saturating_add(arrivals.duration());
            if next < self.setting.stop {
                self.agenda.note(next, Task::Arrive);
            }
        }
    }

    fn arrive(&mut self, stage: &mut Stage) {
        self.arrived += 1;
        let id = self.arrived;
        let draw =
            |of: &Distribution, what: &str| self.setting.draw(of, &format!("user.{id}/{what}"));
        let user = User {
            main: draw(&self.plan.main, "main"),
            embedded: draw(&self.plan.embedded, "embedded"),
            objects: draw(&self.plan.objects, "objects"),
            parsing: draw(&self.plan.parsing, "parsing"),
            reading: draw(&self.plan.reading, "reading"),
            pages_left: self.pages.as_mut().map_or(u64::MAX, |pages| pages.count().max(1)),
            page: 0,
            loading: None,
            behind_main: Vec::new(),
            queue: VecDeque::new(),
            under_way: 0,
            held: 0,
            idle: Vec::new(),
            is_waiting: false,
        };
        self.users.insert(id, user);
        self.begin_page(id, stage);
        self.await_user(stage.now);
    }

    fn begin_page(&mut self, id: u64, stage: &mut Stage) {
        let Some(user) = self.users.get_mut(&id) else { return };
        let main = user.main.bytes();
        user.behind_main =
            (0..user.objects.count().min(MOST_OBJECTS)).map(|_| user.embedded.bytes()).collect();
        let size = user.behind_main.iter().fold(main, |sum, size| sum.saturating_add(*size));
        user.loading = Some(stage.begin(TransferKind::Page, size));
        user.page += 1;
        user.pages_left -= 1;
        user.queue.push_back(main);
        self.load(id, stage);
    }

    /// Asks for a user's objects, as long as there are objects and connections.
    fn load(&mut self, id: u64, stage: &mut Stage) {
        let Some(user) = self.users.get_mut(&id) else { return };
        while let Some(size) = user.queue.front().copied() {
            let (connection, is_new) = if let Some(connection) = user.idle.pop() {
                (connection, false)
            } else if user.held >= self.plan.parallel {
                return;
            } else if let Some(connection) = self.pool.take() {
                (connection, true)
            } else {
                if !std::mem::replace(&mut user.is_waiting, true) {
                    stage.wait();
                    self.waiting.push_back(id);
                }
                return;
            };
            user.queue.pop_front();
            user.under_way += 1;
            user.held += usize::from(is_new);
            let object = stage.begin(TransferKind::Object, size);
            self.carried[connection] = Some(Load { user: id, object, size });
            if let Some(persistent) = &self.plan.persistent {
                let exchange = &mut self.exchanges[connection];
                if is_new {
                    exchange.open(stage);
                }
                exchange.ask(persistent.request_bytes, stage);
            } else {
                stage.open(connection);
                stage.write(connection, size, true);
            }
        }
    }

    /// Handles the arrival of an object: its connection is free again, or closed.
    fn loaded(&mut self, load: Load, stage: &mut Stage) {
        stage.finish(load.object);
        let Some(user) = self.users.get_mut(&load.user) else { return };
        user.under_way -= 1;
        if user.under_way > 0 || !user.queue.is_empty() {
            self.load(load.user, stage);
        } else if user.behind_main.is_empty() {
            self.end_page(load.user, stage);
        } else {
            let parsed = stage.now.saturating_add(user.parsing.duration());
            self.agenda.note(parsed, Task::Parsed(load.user));
        }
    }

    fn end_page(&mut self, id: u64, stage: &mut Stage) {
        let Some(user) = self.users.get_mut(&id) else { return };
        if let Some(page) = user.loading.take() {
            stage.finish(page);
        }
        let next = stage.now.saturating_add(user.reading.duration());
        if user.pages_left > 0 && next < self.setting.stop {
            self.agenda.note(next, Task::BeginPage(id));
            if let Some(persistent) = &self.plan.persistent {
                let expires = stage.now.saturating_add(Duration::from_ps(persistent.keep_alive_ps));
                self.agenda.note(expires, Task::Expire(id, user.page));
            }
        } else {
            self.hang_up(id, stage);
            self.users.remove(&id);
        }
    }

    /// Closes the connections of a user.
    fn hang_up(&mut self, id: u64, stage: &mut Stage) {
        let Some(user) = self.users.get_mut(&id) else { return };
        user.held = 0;
        for connection in user.idle.drain(..) {
            self.exchanges[connection].close(stage);
        }
    }

    /// Gives free connections to users that wait.
    fn serve_waiting(&mut self, stage: &mut Stage) {
        while self.pool.has_some()
            && let Some(id) = self.waiting.pop_front()
        {
            if let Some(user) = self.users.get_mut(&id) {
                user.is_waiting = false;
            }
            self.load(id, stage);
        }
    }

    fn on_finished(&mut self, connection: usize, stage: &mut Stage) {
        if self.plan.persistent.is_some() {
            let connection = connection % self.carried.len();
            if self.exchanges[connection].is_closed_by_one_more() {
                self.pool.give(connection);
                self.serve_waiting(stage);
            }
        } else if let Some(load) = self.carried[connection].take() {
            if let Some(user) = self.users.get_mut(&load.user) {
                user.held -= 1;
            }
            // Other objects of this user come before other users.
            self.pool.give(connection);
            self.loaded(load, stage);
            self.serve_waiting(stage);
        }
    }

    fn on_delivered(&mut self, connection: usize, bytes: u64, stage: &mut Stage) {
        if self.plan.persistent.is_none() {
            return;
        }
        let pair = connection % self.carried.len();
        let Some(load) = self.carried[pair] else { return };
        let exchange = &mut self.exchanges[pair];
        if exchange.is_asked(connection, bytes) {
            exchange.answer(load.size, stage);
        } else if exchange.is_answered(connection, bytes) {
            self.carried[pair] = None;
            if let Some(user) = self.users.get_mut(&load.user) {
                user.idle.push(pair);
            }
            self.loaded(load, stage);
        }
    }
}

impl Session for Web {
    fn on_event(&mut self, event: Event, stage: &mut Stage) {
        match event {
            Event::Timer => {
                for _ in 0..MOST_AT_A_TIME {
                    let Some(task) = self.agenda.due(stage.now) else { break };
                    match task {
                        Task::Arrive => self.arrive(stage),
                        Task::BeginPage(id) => self.begin_page(id, stage),
                        Task::Parsed(id) => {
                            if let Some(user) = self.users.get_mut(&id) {
                                user.queue.extend(user.behind_main.drain(..));
                                self.load(id, stage);
                            }
                        }
                        Task::Expire(id, page) => {
                            if self.users.get(&id).is_some_and(|user| user.page == page) {
                                self.hang_up(id, stage);
                            }
                        }
                    }
                }
            }
            Event::Delivered { connection, bytes } => self.on_delivered(connection, bytes, stage),
            Event::Finished { connection } => self.on_finished(connection, stage),
        }
    }

    fn deadline(&self) -> Time {
        self.agenda.next()
    }

    fn is_done(&self) -> bool {
        self.agenda.next() == Time::MAX && self.users.is_empty() && self.pool.is_full()
    }

    fn backlog(&self) -> usize {
        self.users.len()
    }
}
