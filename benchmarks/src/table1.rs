//! The API side of the efficiency table of the BEAPI paper (FASE 2023, Table 1), measured again
//! with beget.
//!
//! [`published`] is the data file: what the paper prints and what its way of counting comes to.
//! [`measured`] runs beget on one row and says whether it counts the same; [`results`] keeps what
//! was measured, so that a run can be continued; [`estimate`] says what a row that was not run
//! needs. [`markdown`] and [`csv`] write the table, made of [`Line`]s.
//!
//! Invariant: no published number is computed here. What the data file does not have is shown as
//! missing.

pub mod csv;
pub mod estimate;
pub mod markdown;
pub mod measured;
pub mod published;
pub mod results;

use estimate::Need;
use measured::{Measured, Verdict};
use published::{Row, Subject, Table};

/// A row of the table, with what became of it.
#[derive(Clone, Debug)]
pub struct Line<'t> {
    /// The class.
    pub subject: &'t Subject,
    /// The scope of it.
    pub row: &'t Row,
    /// What was measured, or why nothing was.
    pub state: State,
    /// What it may need, of a row that was not measured.
    pub need: Option<Need>,
}

/// Whether a row was measured.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// beget explored the whole scope.
    Measured(Measured),
    /// It did not, for this reason.
    NotRun(String),
}

impl State {
    /// What was measured.
    #[must_use]
    pub fn measured(&self) -> Option<&Measured> {
        match self {
            Self::Measured(measured) => Some(measured),
            Self::NotRun(_) => None,
        }
    }
}

impl<'t> Line<'t> {
    /// The rows of a table in its order; `None` leaves a row out.
    #[must_use]
    pub fn all(
        table: &'t Table,
        mut state_of: impl FnMut(&'t Subject, &'t Row) -> Option<State>,
    ) -> Vec<Self> {
        let mut lines = Vec::new();
        for subject in &table.subjects {
            let states = subject.rows.iter().filter_map(|row| Some((row, state_of(subject, row)?)));
            let states: Vec<_> = states.collect();
            let measured: Vec<_> =
                states.iter().filter_map(|(_, state)| state.measured()).collect();
            let need = |row, state: &State| match state {
                State::Measured(_) => None,
                State::NotRun(_) => estimate::need(subject, row, &measured),
            };
            let needs: Vec<_> = states.iter().map(|(row, state)| need(row, state)).collect();
            lines.extend(states.into_iter().zip(needs).map(|((row, state), need)| Self {
                subject,
                row,
                state,
                need,
            }));
        }
        lines
    }

    /// What the counts are found to be. `None`: nothing was counted.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        let measured = self.state.measured()?;
        Some(measured.verdict(self.row, self.subject.constructors.n_calls(self.row.k)))
    }

    /// Names the row in messages.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}, k = {}", self.subject.suite, self.row.k)
    }
}

/// A line for each row whose counts are not the published ones.
#[must_use]
pub fn differing(lines: &[Line<'_>]) -> Vec<String> {
    let told = |line: &Line<'_>| match line.verdict()? {
        Verdict::Differs(how) => Some(format!("{}: {how}", line.name())),
        Verdict::Equal | Verdict::Unknown => None,
    };
    lines.iter().filter_map(told).collect()
}
