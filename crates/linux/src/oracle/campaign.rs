//! Campaigns of many scripts, which are made, played on the kernel and compared with the
//! simulator's sender. Differing and disturbed scripts are repeated, and examples are shrunk.

use core::ops::ControlFlow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;

use ackclock_sim::transport::plan::TransportPlan;
use serde::{Deserialize, Serialize};

use super::generate::generate;
use super::packetdrill;
use super::play::{Next, Player, Trace};
use super::replay::{Difference, narrate, replay};
use super::script::Script;
use super::shrink;
use crate::lab::{self, LabError};

/// Settings of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CampaignPlan {
    /// Seed of the random scripts.
    pub seed: u64,
    /// Number of the first script of each congestion control.
    #[serde(default)]
    pub first: u64,
    /// Scripts for each congestion control.
    pub scripts: u64,
    /// Congestion controls, by the kernel's names.
    pub ccs: Vec<String>,
    /// Scripts played at a time.
    pub at_once: usize,
    /// Number of times that a disturbed script is played again.
    pub repeats: u32,
    /// Classes of difference of which an example is shrunk, the most frequent first, for each
    /// congestion control.
    pub shrink: usize,
    /// The transport's profile. A script sets mss, initial window and ECN.
    pub transport: TransportPlan,
    /// Scripts to play in place of random ones.
    #[serde(default)]
    pub given: Vec<Script>,
}

/// Results of a campaign.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Kernel release, as `uname -r` prints it.
    pub kernel: String,
    /// Results for each congestion control.
    pub results: Vec<CcReport>,
    /// Scripts played, repetitions and shrinking included.
    pub played: u64,
}

/// Results of the scripts of one congestion control.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CcReport {
    /// Congestion control, by the kernel's name.
    pub cc: String,
    /// Number of scripts that count: all but those that were disturbed each time.
    pub scripts: u64,
    /// Number of scripts without a difference.
    pub agreed: u64,
    /// Number of agreed scripts that differed when played first, but not when repeated.
    pub agreed_again: u64,
    /// Number of scripts that were disturbed each time.
    pub disturbed: u64,
    /// Classes of difference, the most frequent first.
    pub classes: Vec<ClassReport>,
}

/// Scripts whose first difference is of one class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassReport {
    /// Class of the difference: the field, the state, and the last event.
    pub class: String,
    /// Number of scripts.
    pub scripts: u64,
    /// Numbers of some of them.
    pub numbers: Vec<u64>,
    /// The shortest example.
    pub example: Example,
}

/// A script that shows a difference.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Example {
    /// The script.
    pub script: Script,
    /// First difference between the kernel and the simulator's sender.
    pub difference: Difference,
    /// Behaviour of both sides, step by step.
    pub story: String,
    /// The script for packetdrill, which asserts what the kernel did.
    pub packetdrill: String,
    /// The kernel's behaviour.
    pub trace: Trace,
}

/// The comparison of a script that was not disturbed.
struct Judged {
    script: Script,
    outcome: Option<Result<Option<(Difference, Trace)>, String>>,
}

/// Plays batches of scripts, each in a thread of its own.
struct Field<'a> {
    player: Player,
    plan: &'a CampaignPlan,
    played: u64,
}

impl Field<'_> {
    /// Plays the scripts of `more`. Each undisturbed outcome goes to `judge`, which may return
    /// further scripts.
    fn play(
        &mut self,
        make: &(dyn Fn(u64) -> Option<Result<Script, String>> + Sync),
        judge: &mut (dyn FnMut(Judged) -> Vec<Script> + Send),
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<(), LabError> {
        let waiting: Mutex<VecDeque<Box<Script>>> = Mutex::default();
        let (exhausted, stopped) = (AtomicBool::new(false), AtomicBool::new(false));
        let failure: Mutex<Option<String>> = Mutex::default();
        let (give, take): (Sender<(Box<Script>, Trace)>, Receiver<_>) = mpsc::channel();
        let lock = |queue: &'_ Mutex<VecDeque<Box<Script>>>| {
            queue.lock().unwrap_or_else(PoisonError::into_inner).len()
        };
        let plan = self.plan;
        let most_waiting = plan.at_once;
        // Number of scripts that were taken and are not settled, and those waiting.
        let open = Mutex::new(0_u64);
        let mut played = 0;
        let outcome = thread::scope(|scope| {
            scope.spawn(|| {
                let mut number = 0;
                while !stopped.load(Ordering::Relaxed) {
                    if lock(&waiting) >= most_waiting {
                        thread::park_timeout(core::time::Duration::from_millis(2));
                        continue;
                    }
                    match make(number) {
                        Some(Ok(script)) => {
                            *open.lock().unwrap_or_else(PoisonError::into_inner) += 1;
                            waiting
                                .lock()
                                .unwrap_or_else(PoisonError::into_inner)
                                .push_back(Box::new(script));
                        }
                        Some(Err(error)) => {
                            *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                            break;
                        }
                        None => break,
                    }
                    number += 1;
                }
                exhausted.store(true, Ordering::Release);
            });
            let (waiting, open, stopped, exhausted) = (&waiting, &open, &stopped, &exhausted);
            scope.spawn(move || {
                let mut plays: BTreeMap<(String, u64), u32> = BTreeMap::new();
                for (script, trace) in take {
                    let count = plays.entry((script.cc.clone(), script.number)).or_default();
                    *count += 1;
                    let outcome = if trace.disturbed.is_some() {
                        if *count <= plan.repeats {
                            waiting
                                .lock()
                                .unwrap_or_else(PoisonError::into_inner)
                                .push_front(script);
                            continue;
                        }
                        None
                    } else {
                        let verdict = replay(&script, &trace, &plan.transport);
                        Some(
                            verdict
                                .map(|difference| difference.map(|difference| (difference, trace))),
                        )
                    };
                    let again = judge(Judged { script: *script, outcome });
                    let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
                    *open += u64::try_from(again.len()).unwrap_or_default();
                    waiting
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .extend(again.into_iter().map(Box::new));
                    *open -= 1;
                }
            });
            let mut last = 0;
            let source = || {
                if let Some(script) =
                    waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
                {
                    return Next::Script(script);
                }
                let is_done = exhausted.load(Ordering::Acquire)
                    && *open.lock().unwrap_or_else(PoisonError::into_inner) == 0;
                if is_done || stopped.load(Ordering::Relaxed) { Next::Nothing } else { Next::Later }
            };
            let outcome = self.player.run(plan.at_once, source, |script, trace| {
                played += 1;
                let _ = give.send((script, trace));
                if played >= last + 20 {
                    last = played;
                    if progress(played).is_break() {
                        stopped.store(true, Ordering::Relaxed);
                    }
                }
            });
            stopped.store(true, Ordering::Relaxed);
            drop(give);
            outcome
        });
        self.played += played;
        outcome?;
        failure
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .map_or(Ok(()), |error| Err(LabError(error)))
    }
}

/// Runs the campaign. The process must have one thread, because it moves into other namespaces.
/// `progress` gets the share that is done, and may stop the campaign.
///
/// # Errors
///
/// If the machine does not permit it.
pub fn run(
    plan: &CampaignPlan,
    mut progress: impl FnMut(f64) -> ControlFlow<()>,
) -> Result<Report, LabError> {
    lab::enter()?;
    let mut field = Field { player: Player::new()?, plan, played: 0 };
    let mut results = Vec::new();
    for (place, cc) in plan.ccs.iter().enumerate() {
        // The last fifth of each congestion control's part is for shrinking.
        let overall = |part: f64| {
            share(place as u64, plan.ccs.len() as u64) + part * share(1, plan.ccs.len() as u64)
        };
        let mut differences = Found::default();
        let count = if plan.given.is_empty() {
            plan.scripts
        } else {
            plan.given.iter().filter(|script| script.cc == *cc).count() as u64
        };
        let make = |number: u64| {
            if plan.given.is_empty() {
                (number < plan.scripts)
                    .then(|| generate(plan.seed, plan.first + number, cc, &plan.transport))
            } else {
                let mut given = plan.given.iter().filter(|script| script.cc == *cc);
                given.nth(usize::try_from(number).unwrap_or(usize::MAX)).cloned().map(Ok)
            }
        };
        field.play(&make, &mut |judged| differences.judge(judged), &mut |played| {
            progress(overall(0.8 * share(played, count)))
        })?;
        let mut report = differences.report(cc);
        let mut classes = differences.classes();
        let shrunk = classes.len().min(plan.shrink);
        shrink_all(&mut field, &mut classes[..shrunk], &mut |done| {
            progress(overall(0.8 + 0.2 * done))
        })?;
        report.classes = classes.into_iter().map(|class| class.report(&plan.transport)).collect();
        results.push(report);
    }
    let kernel = lab::facts::kernel().map_or_else(|_| String::new(), |kernel| kernel.release);
    Ok(Report { kernel, results, played: field.played })
}

#[expect(clippy::cast_precision_loss, reason = "a share for people")]
fn share(part: u64, whole: u64) -> f64 {
    (part as f64 / whole.max(1) as f64).min(1.0)
}

/// Results of the scripts of one congestion control, so far.
#[derive(Default)]
struct Found {
    agreed: u64,
    agreed_again: u64,
    disturbed: u64,
    /// Scripts that differed once and are played again, by number.
    doubtful: BTreeMap<u64, (Difference, Trace)>,
    differing: Vec<Differing>,
    failure: Option<String>,
}

struct Differing {
    script: Script,
    difference: Difference,
    trace: Trace,
}

/// Differing scripts of one class; the first is the shortest.
struct Class {
    name: String,
    scripts: Vec<Differing>,
}

impl Found {
    fn judge(&mut self, judged: Judged) -> Vec<Script> {
        let number = judged.script.number;
        match judged.outcome {
            None => {
                self.disturbed += 1;
                self.doubtful.remove(&number);
            }
            Some(Err(error)) => self.failure = Some(error),
            Some(Ok(None)) => {
                self.agreed += 1;
                self.agreed_again += u64::from(self.doubtful.remove(&number).is_some());
            }
            Some(Ok(Some(now))) => {
                let Some((difference, trace)) = self.doubtful.remove(&number) else {
                    self.doubtful.insert(number, now);
                    return vec![judged.script];
                };
                self.differing.push(Differing { script: judged.script, difference, trace });
            }
        }
        Vec::new()
    }

    fn report(&self, cc: &str) -> CcReport {
        CcReport {
            cc: cc.to_owned(),
            scripts: self.agreed + self.differing.len() as u64,
            agreed: self.agreed,
            agreed_again: self.agreed_again,
            disturbed: self.disturbed,
            classes: Vec::new(),
        }
    }

    fn classes(self) -> Vec<Class> {
        let mut classes: BTreeMap<String, Vec<Differing>> = BTreeMap::new();
        for differing in self.differing {
            classes.entry(differing.difference.class()).or_default().push(differing);
        }
        let mut classes: Vec<_> =
            classes.into_iter().map(|(name, scripts)| Class { name, scripts }).collect();
        for class in &mut classes {
            class
                .scripts
                .sort_by_key(|differing| (differing.difference.event, differing.script.number));
        }
        classes.sort_by_key(|class| core::cmp::Reverse(class.scripts.len()));
        classes
    }
}

impl Class {
    fn report(&self, transport: &TransportPlan) -> ClassReport {
        let shortest = &self.scripts[0];
        ClassReport {
            class: self.name.clone(),
            scripts: self.scripts.len() as u64,
            numbers: self
                .scripts
                .iter()
                .map(|differing| differing.script.number)
                .take(20)
                .collect(),
            example: Example {
                script: shortest.script.clone(),
                difference: shortest.difference.clone(),
                story: narrate(&shortest.script, &shortest.trace, transport)
                    .unwrap_or_else(|error| error),
                packetdrill: packetdrill::print(
                    &shortest.script,
                    &shortest.trace,
                    &shortest.difference,
                ),
                trace: shortest.trace.clone(),
            },
        }
    }
}

/// Rounds of shrinking: each halves what can be halved, or takes single events away.
const ROUNDS: u32 = 14;

/// Shrinks an example of each class, all classes at once.
fn shrink_all(
    field: &mut Field<'_>,
    classes: &mut [Class],
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<(), LabError> {
    let mut granularity: Vec<usize> = vec![2; classes.len()];
    for round in 0..ROUNDS {
        let mut candidates = Vec::new();
        for (place, class) in classes.iter().enumerate() {
            let shortest = &class.scripts[0];
            let made =
                shrink::candidates(&shortest.script, &shortest.difference, granularity[place]);
            candidates.extend(made.into_iter().map(|script| (place, script)));
        }
        if candidates.is_empty() {
            break;
        }
        let numbered: Vec<Script> = (0..)
            .zip(&candidates)
            .map(|(number, (_, script))| Script { number, ..script.clone() })
            .collect();
        let mut shorter: Vec<(usize, Differing)> = Vec::new();
        let make = |number: u64| {
            numbered.get(usize::try_from(number).unwrap_or(usize::MAX)).cloned().map(Ok)
        };
        field.play(
            &make,
            &mut |judged| {
                if let Some(Ok(Some((difference, trace)))) = judged.outcome {
                    let place = usize::try_from(judged.script.number).unwrap_or(0);
                    shorter.push((place, Differing { script: judged.script, difference, trace }));
                }
                Vec::new()
            },
            &mut |_| ControlFlow::Continue(()),
        )?;
        shorter.sort_by_key(|(place, differing)| (differing.script.events.len(), *place));
        let mut is_better = vec![false; classes.len()];
        for (place, mut differing) in shorter {
            let class = candidates[place].0;
            if !is_better[class] && differing.difference.class() == classes[class].name {
                is_better[class] = true;
                differing.script.number = classes[class].scripts[0].script.number;
                classes[class].scripts[0] = differing;
            }
        }
        for (granularity, better) in granularity.iter_mut().zip(is_better) {
            if !better {
                *granularity *= 2;
            }
        }
        if progress(f64::from(round + 1) / f64::from(ROUNDS)).is_break() {
            break;
        }
    }
    Ok(())
}
