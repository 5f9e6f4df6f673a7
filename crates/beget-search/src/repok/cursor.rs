//! The cursor: one candidate after the other, by backtracking in the order of reads.
//!
//! Invariant: the cells in the table's order of reads are those that the repOK reads for the
//! current candidate, in that order, and after acceptance the other reachable ones; every other
//! cell is at its first value. Only the last cell of the order is ever changed. The cells read
//! before it are then read again in the same order, so the order is kept instead of being recorded
//! again for each candidate.

use beget_heap::view::{Table, Verdict};

use crate::repok::space::CandidateSpace;

/// A field's position in the order, and the value chosen for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) cell: u32,
    pub(crate) index: u32,
}

/// A part of the search: all candidates from a given one on that agree with it in the first reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Job {
    /// The first reads of the first candidate.
    pub(crate) choices: Vec<Choice>,
    /// The number of them that all candidates share.
    pub(crate) n_fixed: usize,
}

/// A candidate, with the state for moving to the next.
#[derive(Debug)]
pub(crate) struct CandidateCursor<'s> {
    space: &'s CandidateSpace,
    pub(crate) table: Table,
    /// By cell: the index of its value in its domain.
    index: Vec<u32>,
    /// By position in the order: the largest object number of the cell's class before it.
    before: Vec<u32>,
    /// By class: the largest object number in the order.
    largest: Vec<u32>,
    /// The length of the order that `before` covers.
    n_covered: usize,
    /// The length of the order that is not changed.
    n_fixed: usize,
    /// The length of the order that was given, not read by the repOK first.
    n_given: usize,
    /// The number of cells that the repOK itself read at the last acceptance; it has not seen the
    /// rest of the order.
    n_seen: usize,
    visited: Vec<bool>,
}

impl<'s> CandidateCursor<'s> {
    /// A cursor at the first candidate.
    pub(crate) fn new(space: &'s CandidateSpace, max_reads: u64) -> Self {
        let n_cells = space.cells.len();
        let table = space.table();
        // Cells with one value are never changed, so they need not be in the order.
        table.record(max_reads, |cell| !space.is_variable(cell));
        CandidateCursor {
            space,
            table,
            index: vec![0; n_cells],
            before: vec![0; n_cells],
            largest: vec![0; space.n_groups()],
            n_covered: 0,
            n_fixed: 0,
            n_given: 0,
            n_seen: usize::MAX,
            visited: vec![false; n_cells],
        }
    }

    /// Moves to the first candidate of a job, and stays within it.
    pub(crate) fn seat(&mut self, job: &Job) {
        while self.table.n_read() > 0 {
            self.reset_last();
        }
        self.largest.fill(0);
        self.n_covered = 0;
        for choice in &job.choices {
            self.table.note(choice.cell);
            self.choose(*choice);
        }
        self.cover();
        self.n_fixed = job.n_fixed;
        self.n_given = job.choices.len();
        self.n_seen = usize::MAX;
    }

    /// The number of cells at the start of the order that were given with the job.
    pub(crate) fn n_given(&self) -> usize {
        self.n_given
    }

    /// The current candidate and all later ones of this job, as jobs in this order.
    ///
    /// The first keeps the value of the earliest field that may still be advanced, the second has
    /// the larger values of that field: as even a split as possible without looking ahead.
    pub(crate) fn rest(&self) -> Vec<Job> {
        let n_read = self.table.n_read();
        let choices: Vec<Choice> = (0..n_read).map(|position| self.choice(position)).collect();
        let next = |choice: &Choice| Choice { index: choice.index + 1, ..*choice };
        let open = (self.n_fixed..n_read).find(|&position| {
            let Choice { cell, index } = next(&choices[position]);
            self.is_allowed(position, cell, index)
        });
        let Some(open) = open else { return vec![Job { choices, n_fixed: n_read }] };
        let mut later = choices[..=open].to_vec();
        later[open] = next(&later[open]);
        vec![Job { choices, n_fixed: open + 1 }, Job { choices: later, n_fixed: open }]
    }

    fn choice(&self, position: usize) -> Choice {
        let cell = self.table.read_at(position);
        Choice { cell, index: self.index[cell as usize] }
    }

    /// Returns whether the candidate differs from an accepted one only in cells that the repOK does
    /// not read.
    #[inline(always)]
    pub(crate) fn is_accepted_unseen(&self) -> bool {
        self.table.n_read() > self.n_seen
    }

    /// Processes the repOK's answer to the current candidate.
    #[inline(always)]
    pub(crate) fn answered(&mut self, verdict: &Verdict) {
        self.n_seen = if verdict.is_ok() { self.table.n_read() } else { usize::MAX };
        self.cover();
    }

    /// Appends the reachable fields that were not read, so that they are varied, too.
    pub(crate) fn append_unread(&mut self) {
        self.visited.fill(false);
        self.append_object(Table::ROOT);
        self.cover();
    }

    fn append_object(&mut self, start: u32) {
        if std::mem::replace(&mut self.visited[start as usize], true) {
            return;
        }
        let space = self.space;
        let kind = &space.kinds[space.kind_at[start as usize] as usize];
        let Some(stride) = kind.stride else { return self.append_fields(kind, start) };
        self.append_cell(start);
        for element in 0..self.table.peek(start) as u32 {
            self.append_fields(kind, start + 1 + element * stride);
        }
    }

    fn append_fields(&mut self, kind: &'s crate::repok::space::ObjectKind, base: u32) {
        for field in &kind.fields {
            if field.guards.iter().any(|guard| self.table.peek(base + guard) == 0) {
                continue;
            }
            let cell = base + field.offset;
            self.append_cell(cell);
            let target = self.table.peek(cell);
            if field.is_reference && target != 0 {
                self.append_object(target as u32);
            }
        }
    }

    #[inline(always)]
    fn append_cell(&mut self, cell: u32) {
        if !self.table.is_noted(cell) {
            self.table.note(cell);
        }
    }

    /// Counts reads exactly while `work` runs, and then resets the counts of all cells.
    pub(crate) fn counting<R>(&self, max_reads: u64, work: impl FnOnce(&Table) -> R) -> R {
        self.table.count_reads(max_reads);
        let result = work(&self.table);
        let order: Vec<u32> = (0..self.table.n_read()).map(|at| self.table.read_at(at)).collect();
        self.table.record(max_reads, |cell| !self.space.is_variable(cell));
        order.iter().for_each(|&cell| self.table.note(cell));
        result
    }

    /// Moves to the next candidate; returns false if there is none.
    #[inline(always)]
    pub(crate) fn advance(&mut self) -> bool {
        let space = self.space;
        let mut n_read = self.table.n_read();
        while n_read > self.n_fixed {
            let position = n_read - 1;
            let cell = self.table.read_at(position);
            let domain = space.cells[cell as usize];
            let index = &mut self.index[cell as usize];
            let next = *index + 1;
            let mut is_allowed = next < domain.len;
            if domain.group > 0 {
                // Removes the value, and its contribution to the named objects.
                let before = self.before[position];
                let number = domain.object_number(next);
                is_allowed &= number <= before + 1;
                let named = if is_allowed { before.max(number) } else { before };
                self.largest[domain.group as usize] = named;
            }
            *index = if is_allowed { next } else { 0 };
            self.table.set(cell, space.values[(domain.first + *index) as usize]);
            if is_allowed {
                self.n_covered = n_read;
                return true;
            }
            self.table.forget_last();
            n_read = position;
        }
        self.n_covered = n_read;
        false
    }

    /// Breaks isomorphisms: an object must be known, or the first unnamed one of its class.
    #[inline(always)]
    fn is_allowed(&self, position: usize, cell: u32, index: u32) -> bool {
        let domain = &self.space.cells[cell as usize];
        let number_before = domain.object_number(index) - 1;
        index < domain.len && (domain.group == 0 || number_before <= self.before[position])
    }

    #[inline(always)]
    fn choose(&mut self, choice: Choice) {
        let domain = &self.space.cells[choice.cell as usize];
        self.index[choice.cell as usize] = choice.index;
        self.table.set(choice.cell, self.space.values[(domain.first + choice.index) as usize]);
    }

    #[inline(always)]
    fn reset_last(&mut self) {
        let cell = self.table.read_at(self.table.n_read() - 1);
        self.choose(Choice { cell, index: 0 });
        self.table.forget_last();
        self.n_covered = self.n_covered.min(self.table.n_read());
    }

    /// Extends `before` and `largest` to the whole order.
    #[inline(always)]
    fn cover(&mut self) {
        while self.n_covered < self.table.n_read() {
            let cell = self.table.read_at(self.n_covered) as usize;
            let domain = &self.space.cells[cell];
            if domain.group > 0 {
                let largest = &mut self.largest[domain.group as usize];
                self.before[self.n_covered] = *largest;
                *largest = (*largest).max(domain.object_number(self.index[cell]));
            }
            self.n_covered += 1;
        }
    }
}
