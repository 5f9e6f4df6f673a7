//! A binary heap whose order knows only a part of its elements: which of two equal ones comes first
//! can be seen.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::both;
use crate::case::{Case, Scope};
use crate::own::{Show, Sight};

#[derive(Clone, Debug, beget::Heap)]
pub struct Job {
    priority: u8,
    name: u8,
}

impl PartialEq for Job {
    fn eq(&self, other: &Self) -> bool {
        self.priority == other.priority
    }
}

impl Eq for Job {}

impl PartialOrd for Job {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Job {
    fn cmp(&self, other: &Self) -> Ordering {
        self.priority.cmp(&other.priority)
    }
}

#[derive(Clone, beget::Heap)]
pub struct Agenda {
    jobs: BinaryHeap<Job>,
    last: Option<u8>,
}

impl Show for Agenda {
    fn show(&self, sight: &mut Sight<'_>) {
        sight.array::<BinaryHeap<Job>>(self.jobs.len());
        for job in self.jobs.as_slice() {
            job.priority.show(sight);
            job.name.show(sight);
        }
        self.last.show(sight);
    }
}

impl Agenda {
    pub fn new() -> Self {
        Agenda { jobs: BinaryHeap::new(), last: None }
    }

    pub fn add(&mut self, priority: u8, name: u8) {
        self.jobs.push(Job { priority, name });
    }

    pub fn next(&mut self) {
        self.last = self.jobs.pop().map(|job| job.name);
    }
}

both! {
    /// Agendas.
    suite Agendas "awkward::priorities" {
        for Agenda {
            fn new() -> Self;
            fn add(&mut self, priority: u8, name: u8);
            fn next(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Agendas, Scope { ints: vec![0, 1], ..Scope::of(3) })
}
