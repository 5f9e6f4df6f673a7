//! Generation with and without state matching and builders, at growing scopes.

use std::io;

use super::data::{Columns, Data, Ours, Subject};
use super::runner::{Limits, Ran, Runner};
use super::{ablation_text, sets, text};

/// The names of the configurations, as the paper has them, in the order of [`Columns::all`].
pub const NAMES: [&str; 4] = ["SM/BLD", "SM", "BLD", "NoOPT"];

/// One run of one configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The scope.
    pub k: u32,
    /// The run.
    pub ran: Ran,
}

/// What was measured of one subject.
#[derive(Clone, Debug, PartialEq)]
pub struct SubjectRuns {
    /// What was asked.
    pub subject: Subject,
    /// The full API.
    pub api: Vec<String>,
    /// The builders; `None` if they could not be identified.
    pub builders: Option<Vec<String>>,
    /// The runs of each configuration by growing scope, from 1; only the last may be one that did
    /// not finish, and the first ones may be refused.
    pub columns: Columns<Vec<Cell>>,
}

/// How far an ablation goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Limits of each run.
    pub runs: Limits,
    /// Limits of the identification of builders.
    pub identification: Limits,
    /// The largest scope for runs.
    pub largest: u32,
    /// The largest scope for the identification.
    pub largest_identification: u32,
}

impl<T> Columns<T> {
    /// The entries in the order of [`NAMES`].
    pub fn all(&self) -> [&T; 4] {
        [&self.sm_bld, &self.sm, &self.bld, &self.no_opt]
    }
}

impl Cell {
    /// Whether everything was done: the space is exhausted, or all sequences as long as the paper's
    /// tool allows were made.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        matches!(self.ran.stop_reason(), "exhausted" | "max_levels")
    }

    /// The wall time of the search.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.ran.seconds("seconds").unwrap_or(self.ran.wall)
    }
}

impl SubjectRuns {
    /// The largest scope that a configuration finished; 0 if none.
    #[must_use]
    pub fn reached(cells: &[Cell]) -> u32 {
        cells.iter().filter(|cell| cell.is_finished()).map(|cell| cell.k).max().unwrap_or(0)
    }

    /// The runs with builders and with the full API, both with state matching, at the largest scope
    /// that both finish.
    #[must_use]
    pub fn compared(&self) -> Option<(&Cell, &Cell)> {
        self.pairs().last()
    }

    /// How many times faster generation is with builders, at which scope. `None` if that was over
    /// too soon to tell.
    #[must_use]
    pub fn speed_up(&self) -> Option<(f64, u32)> {
        let (with, without) = self.compared()?;
        // A run shorter than the clock can tell counts as one of a tenth of a millisecond.
        let times = without.seconds() / with.seconds().max(1e-4);
        (without.seconds().max(with.seconds()) >= 0.01).then_some((times, with.k))
    }

    /// The scopes at which builders and full API give different sets.
    #[must_use]
    pub fn differs_at(&self) -> Vec<String> {
        let extent = |cell: &Cell| {
            (cell.ran.number("generated"), cell.ran.text("digest").map(str::to_owned))
        };
        let differing = self.pairs().filter(|(with, without)| extent(with) != extent(without));
        differing.map(|(with, _)| with.k.to_string()).collect()
    }

    fn pairs(&self) -> impl Iterator<Item = (&Cell, &Cell)> {
        let pairs = self.columns.sm_bld.iter().zip(&self.columns.sm);
        pairs.filter(|(with, without)| with.is_finished() && without.is_finished())
    }
}

/// Measures one subject.
///
/// # Errors
/// If a run cannot be made.
pub fn measure(subject: &Subject, runner: &mut Runner, reach: Reach) -> io::Result<SubjectRuns> {
    let api = subject.api(&sets::methods_of(&subject.suite)?);
    let k = subject.k.min(reach.largest_identification);
    let found = sets::identify(subject, k, sets::SEARCHES[0], runner, reach.identification)?;
    let builders = found.names("builders").filter(|_| found.flag("sufficient") == Some(true));
    let mut column = |methods: Option<&Vec<String>>, matches| match methods {
        Some(methods) => grow(subject, methods, matches, runner, reach),
        None => Ok(Vec::new()),
    };
    let columns = Columns {
        sm_bld: column(builders.as_ref(), true)?,
        sm: column(Some(&api), true)?,
        bld: column(builders.as_ref(), false)?,
        no_opt: column(Some(&api), false)?,
    };
    Ok(SubjectRuns { subject: subject.clone(), api, builders, columns })
}

/// Runs at scope 1, 2 and so on, up to the first that does not finish.
fn grow(
    subject: &Subject,
    methods: &[String],
    matches: bool,
    runner: &mut Runner,
    reach: Reach,
) -> io::Result<Vec<Cell>> {
    let (mut cells, mut has_finished) = (Vec::new(), false);
    for k in 1..=reach.largest {
        let mut args = sets::command("generate", subject, k, methods);
        if !matches {
            // The paper's tool makes 3k rounds at most; without state matching nothing else ends a
            // run.
            let levels = (3 * k).to_string();
            args.extend(["--no-state-matching", "--max-levels", &levels].map(str::to_owned));
        }
        let cell = Cell { k, ran: runner.run_or_refuse(&args, reach.runs)? };
        has_finished |= cell.is_finished();
        // A small scope may have no room for what the only constructor makes, and a large one has
        // more literals than `beget` takes.
        let goes_on = cell.is_finished() || (cell.ran.is_refused() && !has_finished);
        cells.push(cell);
        if !goes_on {
            break;
        }
    }
    match has_finished || cells.iter().any(|cell| !cell.ran.is_refused()) {
        true => Ok(cells),
        false => Err(io::Error::other(format!("{}: no scope is taken", subject.suite))),
    }
}

/// Our figure beside a statement.
fn figure(runs: &[SubjectRuns], ours: &Ours) -> Option<String> {
    let (suites, show): (_, fn(&SubjectRuns) -> Option<String>) = match ours {
        Ours::SpeedUp(suites) => (suites, shown_speed_up),
        Ours::MoreScopes(suites) => (suites, |runs| {
            let [with, without, ..] = runs.columns.all().map(|cells| SubjectRuns::reached(cells));
            Some(format!(
                "{} more ({with} against {without})",
                i64::from(with) - i64::from(without)
            ))
        }),
        Ours::StateMatching(suites) => (suites, |runs| {
            let [_, with, _, without] = runs.columns.all().map(|cells| SubjectRuns::reached(cells));
            Some(format!("scope {with} with, {without} without"))
        }),
        Ours::Identification { .. } => return None,
    };
    let is_meant = |runs: &&SubjectRuns| suites.contains(&runs.subject.suite);
    let shown = runs
        .iter()
        .filter(is_meant)
        .filter_map(|runs| Some(format!("`{}` {}", runs.subject.suite, show(runs)?)));
    let shown: Vec<String> = shown.collect();
    (!shown.is_empty()).then(|| shown.join(", "))
}

fn shown_speed_up(runs: &SubjectRuns) -> Option<String> {
    let (with, without) = runs.compared()?;
    let Some((times, k)) = runs.speed_up() else {
        return Some(format!("too short to tell at k = {}", with.k));
    };
    let [with, without] = [with, without].map(|cell| text::seconds(cell.seconds()));
    Some(format!("{times:.1} times at k = {k} ({with} s against {without} s)"))
}

/// The documents: Markdown and CSV.
#[must_use]
pub fn documents(data: &Data, runs: &[SubjectRuns], about: &str) -> (String, String) {
    let stated = data.statements.iter().filter(|statement| !statement.ours.is_about_sets());
    let stated = text::statements(stated, |ours| figure(runs, ours));
    (ablation_text::markdown(runs, about, &stated), ablation_text::csv(runs))
}
