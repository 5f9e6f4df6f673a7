//! RepOKs as an oracle.

use std::borrow::Cow;

use beget_heap::view::{BrokenClause, Filler, Shapes};
use beget_plan::finding::Problem;
use beget_plan::scope::Plan;
use beget_suite::TypeIdx;

use super::checker::FormCells;
use super::subject::{Predicate, Subject};
use crate::oracle::{Oracle, StructureView};
use crate::verdicts::{BreachGroup, BreachPart, Verdicts};

/// Asks repOKs about the canonical forms of structures of the main type. No value is made.
#[derive(Debug)]
pub struct RepOks {
    shapes: Shapes,
    /// For the layout of the run.
    filler: Option<Filler>,
    rep_oks: Vec<Predicate>,
    table: FormCells,
}

impl RepOks {
    /// The name of the oracle.
    pub const NAME: &'static str = "repOK";

    /// Asks these, which are of the subject. One that reads more than `max_reads` fields of a
    /// structure is endless.
    pub fn new(subject: &Subject, rep_oks: &[&Predicate], max_reads: u64) -> Self {
        RepOks {
            shapes: subject.shapes.clone(),
            filler: None,
            rep_oks: rep_oks.iter().copied().cloned().collect(),
            table: FormCells::new(max_reads),
        }
    }
}

impl Oracle for RepOks {
    fn name(&self) -> &'static str {
        RepOks::NAME
    }

    fn applies(&mut self, plan: &Plan) -> bool {
        self.filler = Some(Filler::new(&self.shapes, plan.layout()));
        !self.rep_oks.is_empty()
    }

    fn questions(&self) -> Vec<&'static str> {
        self.rep_oks.iter().map(|rep_ok| rep_ok.name).collect()
    }

    fn judges(&self, ty: TypeIdx) -> bool {
        ty == TypeIdx::new(0)
    }

    fn on_structure(&mut self, structure: &mut StructureView<'_, '_>, verdicts: &mut Verdicts<'_>) {
        let RepOks { filler, rep_oks, table, .. } = self;
        let (id, ty) = (structure.id, structure.ty);
        let Some(form) = structure.form() else { return };
        let filler = filler.as_mut().expect("it was asked whether there are repOKs");
        table.fill(form.as_ref(), filler, structure.structures.decoder());
        for (question, rep_ok) in rep_oks.iter().enumerate() {
            if !verdicts.begin(question, id) {
                continue;
            }
            let clause = match table.ask(rep_ok.as_fn()) {
                Ok(Ok(())) => {
                    verdicts.holds(question);
                    continue;
                }
                Ok(Err(BrokenClause(clause))) => Cow::Borrowed(clause),
                Err(cause) => Cow::Owned(cause.to_string()),
            };
            let problem = Problem::rejected(rep_ok.name, &clause);
            // Of one structure, those of the first repOK come first.
            let part = BreachPart { number: question as u64, clause };
            verdicts
                .broken(question, part, || BreachGroup::of_structure(question, problem, ty, id));
        }
    }
}
