//! Oracles that are asked in a worker.
//!
//! One worker asks about all structures, since oracles remember what they have seen. With each
//! chunk of structures go what the oracles have said and remember, and come back. So a worker that
//! dies takes nothing with it: the chunk is asked about again, in another one, from where it began.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering::Relaxed;

use beget_engine::message::PackedRecipes;
use beget_engine::store::StructureId;
use beget_engine::{Explorer, Settings};
use beget_heap::{CanonicalForm, FormRef};
use beget_oracle::{BreachGroup, BreachPart, Tally, TallyParts};
use beget_plan::finding::{Kind, Problem};
use beget_plan::scope::PlannedIdx;
use beget_run::{AskError, AskJob, AskedPlace, OracleProgress, matter_of, words_of};
use beget_suite::TypeIdx;
use serde::{Deserialize, Serialize};

use crate::supervise::death::{Culprit, Death};
use crate::supervise::frame;
use crate::supervise::limits::UsualTime;
use crate::supervise::process::{WaitContext, WorkerMessage, WorkerProcess};
use crate::supervise::supervisor::Supervisor;

/// Structures that oracles are asked about.
#[derive(Serialize, Deserialize)]
pub(crate) struct QuestionsMessage {
    pub(crate) first: u64,
    pub(crate) forms: Vec<Vec<u8>>,
    pub(crate) is_last: bool,
    pub(crate) are_merged: bool,
    /// True if the worker has asked about the structures before.
    pub(crate) is_continued: bool,
    pub(crate) left_out: BTreeSet<u64>,
    pub(crate) progress: Vec<ProgressData>,
}

/// How far an oracle has come.
#[derive(Serialize, Deserialize)]
pub(crate) struct ProgressData {
    counts: Vec<(u64, u64)>,
    breaches: Vec<(PartData, BreachData)>,
    replaced: Vec<(PartData, usize, u64)>,
    memory: Vec<u64>,
    spared: Vec<(usize, Option<Vec<u64>>)>,
}

type PartData = (u64, String);

#[derive(Serialize, Deserialize)]
struct BreachData {
    question: usize,
    kind: String,
    name: Option<String>,
    message: String,
    place: Option<String>,
    panic_message: Option<String>,
    count: u64,
    ty: usize,
    ids: Vec<u64>,
    literal: Option<usize>,
    call: Option<(usize, usize)>,
}

impl ProgressData {
    pub(crate) fn of(progress: &OracleProgress) -> Self {
        let TallyParts { counts, breaches, replaced } = progress.tally.to_parts();
        let part = |part: BreachPart| (part.number, part.clause.into_owned());
        let breaches = breaches.into_iter().map(|(of, one)| (part(of), BreachData::of(one)));
        ProgressData {
            counts,
            breaches: breaches.collect(),
            replaced: replaced
                .into_iter()
                .map(|(of, question, n)| (part(of), question, n))
                .collect(),
            memory: progress.memory.clone(),
            spared: progress
                .spared
                .iter()
                .map(|(of, matter)| (*of, matter.map(words_of)))
                .collect(),
        }
    }

    /// The progress of an oracle with these questions.
    pub(crate) fn into_progress(self, questions: Vec<&'static str>) -> OracleProgress {
        let ProgressData { counts, breaches, replaced, memory, spared } = self;
        let part = |(number, clause): PartData| BreachPart { number, clause: clause.into() };
        let breaches = breaches.into_iter().map(|(of, one)| (part(of), one.into_breach()));
        let parts = TallyParts {
            counts,
            breaches: breaches.collect(),
            replaced: replaced
                .into_iter()
                .map(|(of, question, n)| (part(of), question, n))
                .collect(),
        };
        let spared =
            spared.into_iter().map(|(of, words)| (of, words.as_deref().and_then(matter_of)));
        OracleProgress {
            tally: Tally::from_parts(questions, parts),
            memory,
            spared: spared.collect(),
        }
    }
}

impl BreachData {
    fn of(breach: BreachGroup) -> Self {
        let BreachGroup { question, problem, count, ty, ids, literal, call } = breach;
        let Problem { kind, name, message, place, panic_message } = problem;
        BreachData {
            question,
            kind: kind.name().to_owned(),
            name,
            message: message.into_owned(),
            place,
            panic_message,
            count,
            ty: ty.index(),
            ids,
            literal,
            call: call.map(|(planned, tuple)| (planned.index(), tuple)),
        }
    }

    fn into_breach(self) -> BreachGroup {
        let BreachData { question, kind, name, message, place, panic_message, .. } = self;
        let kind = Kind::new(kind);
        BreachGroup {
            question,
            problem: Problem { kind, name, message: message.into(), place, panic_message },
            count: self.count,
            ty: TypeIdx::new(self.ty),
            ids: self.ids,
            literal: self.literal,
            call: self.call.map(|(planned, tuple)| (PlannedIdx::new(planned), tuple)),
        }
    }
}

/// The addition to a death that is not seen again.
const NOT_ALONE: &str = "after other questions in the same process: alone, it does not";

/// Why a worker has no answers.
enum NoAnswer {
    Died(Death),
    Impossible(String),
}

impl Supervisor {
    /// Asks oracles about structures in a worker, which may die by it.
    pub(crate) fn ask_in_worker(
        &self,
        slot: &mut Option<WorkerProcess>,
        job: &AskJob<'_>,
    ) -> Result<Vec<OracleProgress>, AskError> {
        let ids = job.first..job.first + job.forms.len() as u64;
        let death = match self.try_ask(slot, job, ids, false) {
            Ok(progress) => return Ok(progress),
            Err(NoAnswer::Impossible(reason)) => return Err(AskError::Impossible(reason)),
            Err(NoAnswer::Died(death)) => death,
        };
        let Some(at) = death.at.as_ref().map(AskedPlace::of) else {
            let problem = death.problem(&Culprit::Unknown, &self.limits);
            let reason = format!("a worker process dies before it asks an oracle: {problem}");
            return Err(AskError::Impossible(reason));
        };
        // Made once more, alone, it shows what it prints, and whether others are to blame.
        let is_given_up = job.is_given_up.load(Relaxed);
        let alone = (!is_given_up).then(|| match at.id() {
            Some(id) => id..id + 1,
            // What is about no structure is asked even if there are none.
            None => job.first..job.first,
        });
        let alone = alone.map(|ids| self.try_ask(slot, job, ids, true));
        let (at, death, is_alone) = match alone {
            _ if is_given_up => (at, death, true),
            Some(Err(NoAnswer::Died(again))) => {
                let again_at = again.at.as_ref().map(AskedPlace::of).unwrap_or(at);
                (again_at, again, true)
            }
            _ => (at, death, false),
        };
        let culprit = match at.question {
            Some(_) => Culprit::Work((job.culprit)(at)),
            None => Culprit::Structure,
        };
        let problem = death.problem(&culprit, &self.limits);
        let message = match is_alone {
            true => problem.message,
            false => format!("{} ({NOT_ALONE})", problem.message).into(),
        };
        Err(AskError::Died { at, problem: Problem { message, ..problem }.into() })
    }

    /// Asks about some of the structures; in a process that has done nothing else, and shows its
    /// panics, if it is to be `afresh`.
    fn try_ask(
        &self,
        slot: &mut Option<WorkerProcess>,
        job: &AskJob<'_>,
        ids: std::ops::Range<u64>,
        afresh: bool,
    ) -> Result<Vec<OracleProgress>, NoAnswer> {
        let impossible = |error: &dyn std::fmt::Display| NoAnswer::Impossible(error.to_string());
        if afresh {
            *slot = None;
        }
        let worker = self.worker(slot).map_err(|error| impossible(&error))?;
        let forms = job
            .forms
            .iter()
            .skip((ids.start - job.first) as usize)
            .take((ids.end - ids.start) as usize);
        let message = QuestionsMessage {
            first: ids.start,
            forms: forms.map(|form| form.as_bytes().to_vec()).collect(),
            is_last: job.is_last || ids.is_empty(),
            are_merged: job.are_merged,
            is_continued: worker.next_asked.take() == Some(ids.start),
            left_out: job.left_out.clone(),
            progress: job.progress.iter().map(ProgressData::of).collect(),
        };
        let bytes = postcard::to_allocvec(&message).expect("plain data can be written to memory");
        worker.send_job(frame::QUESTIONS, afresh, |buffer| *buffer = bytes);
        match self.wait_for_answers(worker, job) {
            Ok(()) => {}
            Err(error) => {
                *slot = None;
                return Err(error);
            }
        }
        let answers = postcard::from_bytes::<Vec<ProgressData>>(worker.result());
        let answers = match answers {
            Ok(answers) => answers,
            Err(error) => {
                let death = worker.die(None, Some(&error.to_string()));
                *slot = None;
                return Err(NoAnswer::Died(death));
            }
        };
        let printed = worker.printed();
        if !afresh && !printed.is_empty() {
            (self.print)(&printed);
        }
        worker.next_asked = Some(ids.end);
        if worker.holds_much(self.limits) {
            *slot = None;
        }
        let questions = job.progress.iter().map(|one| {
            one.tally.questions.iter().map(|question| question.name).collect::<Vec<_>>()
        });
        Ok(answers.into_iter().zip(questions).map(|(one, of)| one.into_progress(of)).collect())
    }

    /// Waits until a worker has answered, and gives it what it needs.
    fn wait_for_answers(
        &self,
        worker: &mut WorkerProcess,
        job: &AskJob<'_>,
    ) -> Result<(), NoAnswer> {
        let impossible = |error: &dyn std::fmt::Display| NoAnswer::Impossible(error.to_string());
        let explorer = Explorer::new(job.plan, Settings { threads: 1, ..Settings::default() });
        let usual = UsualTime::default();
        let is_given_up = Some(job.is_given_up);
        let (limits, usual) = (self.limits, &usual);
        let waiting = WaitContext { limits, usual, current: job.current, is_given_up };
        loop {
            match worker.wait(&waiting).map_err(NoAnswer::Died)? {
                WorkerMessage::Result => return Ok(()),
                WorkerMessage::Ask(id) => {
                    let packed = PackedRecipes::of(vec![StructureId::new(id)], job.recipes);
                    let packed = packed.map_err(|error| impossible(&error))?;
                    worker.send(frame::RECIPES, &packed.to_bytes(&explorer), &[]);
                }
                WorkerMessage::AskForm(id) => {
                    let form = (job.form_of)(id).map_err(|error| impossible(&error))?;
                    worker.send(frame::RECIPES, form.as_bytes(), &[]);
                }
            }
        }
    }
}

impl QuestionsMessage {
    /// The forms of the structures.
    pub(crate) fn forms(&self) -> Vec<CanonicalForm> {
        self.forms.iter().map(|bytes| FormRef::new(bytes).to_canonical()).collect()
    }
}
