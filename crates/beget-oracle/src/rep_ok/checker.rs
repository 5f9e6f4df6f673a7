//! A repOK's word on stored structures.

use beget_heap::view::{
    BrokenClause, Filler, Shapes, Table, Unrepresentable, Verdict, list_broken, to_shape, to_text,
    walk,
};
use beget_heap::{Decoder, FormCoding, FormRef, HeapGraph, Layout, Schema};

use super::cause::Cause;
use super::guard::guarded;

/// How often a repOK that goes on after a broken clause may read each cell, on average.
const READS_PER_CELL: u64 = 64;

/// Lays canonical forms out in a table, which is used again for the next.
///
/// Its methods panic if a form is none of the type, or is of another coding.
#[derive(Debug)]
pub struct Checker<'a> {
    shapes: &'a Shapes,
    filler: Filler,
    decoder: Decoder<'a>,
    table: FormCells,
}

impl<'a> Checker<'a> {
    /// For forms of one coding. A repOK that reads more than `max_reads` fields is endless.
    pub fn new(shapes: &'a Shapes, coding: impl Into<FormCoding<'a>>, max_reads: u64) -> Self {
        let coding = coding.into();
        Checker {
            shapes,
            filler: Filler::new(shapes, coding.layout),
            decoder: Decoder::new(coding, 16),
            table: FormCells::new(max_reads),
        }
    }

    /// Asks `rep_ok` about `form`.
    ///
    /// # Errors
    /// How it ended if it gave no answer.
    pub fn check(
        &mut self,
        rep_ok: &dyn Fn(&Table) -> Verdict,
        form: FormRef<'_>,
    ) -> Result<Verdict, Cause> {
        self.table(form);
        self.table.ask(rep_ok)
    }

    /// Like [`Checker::check`], of the form that was checked last.
    ///
    /// # Errors
    /// How it ended if it gave no answer.
    pub fn check_again(&mut self, rep_ok: &dyn Fn(&Table) -> Verdict) -> Result<Verdict, Cause> {
        self.table.ask(rep_ok)
    }

    /// The clauses of `rep_ok` that `form` breaks: the one that rejects it, then those that it gets
    /// to if it goes on after each. Empty if it admits `form`.
    ///
    /// # Errors
    /// How it ended if it gave no answer.
    pub fn broken(
        &mut self,
        rep_ok: &dyn Fn(&Table) -> Verdict,
        form: FormRef<'_>,
    ) -> Result<Vec<&'static str>, Cause> {
        let Err(BrokenClause(first)) = self.check(rep_ok, form)? else {
            return Ok(Vec::new());
        };
        let FormCells { table, max_reads } = &self.table;
        // Without the broken clauses it may read without end; what it has found by then stands.
        table.count_reads((*max_reads).min(READS_PER_CELL * table.n_cells() as u64));
        let (answer, listed) = list_broken(|| guarded(|| rep_ok(table)));
        let last = answer.ok().and_then(Verdict::err).map(|BrokenClause(last)| last);
        let mut broken = vec![first];
        for clause in listed.into_iter().chain(last) {
            if !broken.contains(&clause) {
                broken.push(clause);
            }
        }
        Ok(broken)
    }

    /// The table of `form`.
    pub fn table(&mut self, form: FormRef<'_>) -> &Table {
        self.table.fill(form, &mut self.filler, &mut self.decoder);
        &self.table.table
    }

    /// The structure as a graph. `schema` is what `layout` was made from, and the layout that of
    /// the checker.
    ///
    /// # Errors
    /// [`Unrepresentable`] if no value is like the structure.
    pub fn graph(
        &mut self,
        form: FormRef<'_>,
        schema: &Schema,
        layout: &Layout,
    ) -> Result<HeapGraph, Unrepresentable> {
        let shapes = self.shapes;
        let root = shapes.class(shapes.root()).key.name;
        let table = self.table(form);
        let mut walked = Ok(());
        let graph = HeapGraph::of_walk(schema, layout, root, |walker| {
            walked = walk(shapes, table, walker);
        });
        walked.map(|()| graph)
    }

    /// The structure, object by object.
    pub fn text(&mut self, form: FormRef<'_>) -> String {
        let shapes = self.shapes;
        to_text(shapes, self.table(form))
    }

    /// The structure without values.
    pub fn shape(&mut self, form: FormRef<'_>) -> String {
        let shapes = self.shapes;
        to_shape(shapes, self.table(form))
    }
}

/// A canonical form laid out in cells, which repOKs are asked about.
#[derive(Debug)]
pub(super) struct FormCells {
    table: Table,
    max_reads: u64,
}

impl FormCells {
    /// A repOK that reads more than `max_reads` fields of a form is endless.
    pub(super) fn new(max_reads: u64) -> Self {
        FormCells { table: Table::new(), max_reads }
    }

    /// Replaces the form.
    pub(super) fn fill(
        &mut self,
        form: FormRef<'_>,
        filler: &mut Filler,
        decoder: &mut Decoder<'_>,
    ) {
        decoder.begin(form);
        filler
            .fill(&mut self.table, decoder)
            .unwrap_or_else(|reason| panic!("not a canonical form of the type: {reason}"));
    }

    /// Asks `rep_ok` about the form.
    ///
    /// Counting makes each read slower, so the first run only has a limit for each cell. If it
    /// exceeds one of them, a second run is counted.
    ///
    /// # Errors
    /// How it ended if it gave no answer.
    pub(super) fn ask(&self, rep_ok: &dyn Fn(&Table) -> Verdict) -> Result<Verdict, Cause> {
        let FormCells { table, max_reads } = self;
        // Reads of a repOK asked before may count too: a run that they make suspect is counted.
        if table.is_counting() {
            table.record(*max_reads, |_| true);
        }
        match guarded(|| rep_ok(table)) {
            Err(Cause::Endless) => {
                table.count_reads(*max_reads);
                guarded(|| rep_ok(table))
            }
            answer => answer,
        }
    }
}
