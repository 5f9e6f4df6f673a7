//! The builders of a subject: what each search finds, with its certificate, beside the published
//! set.

use std::io;

use super::data::{Data, Ours, Subject};
use super::runner::{Limits, Ran, Runner};
use super::{sets_text, text};

/// The searches, the first of which the ablation goes by.
pub const SEARCHES: [&str; 3] = ["hill-climbing", "genetic", "exact"];

/// What was found out about the builders of one subject.
#[derive(Clone, Debug, PartialEq)]
pub struct SubjectSets {
    /// What was asked.
    pub subject: Subject,
    /// The scope, which a quick run makes smaller.
    pub k: u32,
    /// The methods of the suite that took part.
    pub api: Vec<String>,
    /// One run for each search, in the order of [`SEARCHES`].
    pub found: Vec<Ran>,
    /// The published set, if there is one.
    pub published: Option<Published>,
}

/// What was found out about a published set.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// Generation with the full API, and with the published methods.
    pub full: Ran,
    /// See there.
    pub generated: Ran,
    /// The search for builders among the published methods alone: the set is minimal if all are
    /// found.
    pub reduced: Ran,
}

/// How a published set relates to one that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// They are the same.
    Same,
    /// Both build everything.
    BothSuffice,
    /// Only the one that was found builds everything.
    OnlyFoundSuffices,
    /// Only the published one builds everything.
    OnlyPublishedSuffices,
    /// Neither does.
    NeitherSuffices,
    /// A run stopped early, or there is no published set.
    Unknown,
}

impl Published {
    /// Whether it builds what the full API builds: the same number and the same digest.
    #[must_use]
    pub fn is_sufficient(&self) -> Option<bool> {
        let extent = |ran: &Ran| {
            let digest = ran.text("digest")?.to_owned();
            ran.flag("complete")?.then_some((ran.number("generated")?, digest))
        };
        Some(extent(&self.full)? == extent(&self.generated)?)
    }

    /// Whether it builds less without any one of its methods.
    #[must_use]
    pub fn is_minimal(&self, set: &[String]) -> Option<bool> {
        let found = self.reduced.names("builders")?;
        Some(found.len() == set.len())
    }
}

impl SubjectSets {
    /// How the published set relates to that of a run.
    #[must_use]
    pub fn relation(&self, found: &Ran) -> Relation {
        let published = self.published.as_ref().zip(self.subject.published.as_ref());
        let Some(((published, set), builders)) = published.zip(found.names("builders")) else {
            return Relation::Unknown;
        };
        if is_same(set, &builders) {
            return Relation::Same;
        }
        match (published.is_sufficient(), found.flag("sufficient")) {
            (Some(true), Some(true)) => Relation::BothSuffice,
            (Some(false), Some(true)) => Relation::OnlyFoundSuffices,
            (Some(true), Some(false)) => Relation::OnlyPublishedSuffices,
            (Some(false), Some(false)) => Relation::NeitherSuffices,
            _ => Relation::Unknown,
        }
    }
}

fn is_same(left: &[String], right: &[String]) -> bool {
    left.len() == right.len() && left.iter().all(|name| right.contains(name))
}

/// Where methods stand in the source of a suite.
///
/// # Errors
/// If there is no such suite.
pub fn methods_of(suite: &str) -> io::Result<Vec<String>> {
    let suites = beget_subjects::suites();
    let found = suites.iter().find(|found| found.name == suite);
    let found = found.ok_or_else(|| io::Error::other(format!("there is no suite {suite}")))?;
    Ok(found.methods.iter().map(|method| method.name.to_owned()).collect())
}

/// Finds the builders of a subject by one search.
///
/// # Errors
/// If a run cannot be made.
pub fn identify(
    subject: &Subject,
    k: u32,
    search: &str,
    runner: &mut Runner,
    limits: Limits,
) -> io::Result<Ran> {
    let api = subject.api(&methods_of(&subject.suite)?);
    let args = command("builders", subject, k, &api);
    let search = ["--search", search].map(str::to_owned);
    runner.run(&[args, search.to_vec()].concat(), limits)
}

/// Measures everything about the sets of one subject.
///
/// # Errors
/// If a run cannot be made.
pub fn measure(
    subject: &Subject,
    k: u32,
    runner: &mut Runner,
    limits: Limits,
) -> io::Result<SubjectSets> {
    let api = subject.api(&methods_of(&subject.suite)?);
    let found = SEARCHES.iter().map(|search| identify(subject, k, search, runner, limits));
    let found = found.collect::<io::Result<Vec<Ran>>>()?;
    let mut run = |name: &str, methods| runner.run(&command(name, subject, k, methods), limits);
    let published = match &subject.published {
        Some(set) => Some(Published {
            full: run("generate", &api)?,
            generated: run("generate", set)?,
            reduced: run("builders", set)?,
        }),
        None => None,
    };
    Ok(SubjectSets { subject: subject.clone(), k, api, found, published })
}

/// A command on a subject with some of its methods.
pub(super) fn command(name: &str, subject: &Subject, k: u32, methods: &[String]) -> Vec<String> {
    let (scope, k) = (subject.scope_file(), k.to_string());
    [name, &scope, "-k", &k, "--methods", &methods.join(",")].map(str::to_owned).to_vec()
}

/// The longest identification by a search, of suites whose names begin so.
pub(super) fn longest(sets: &[SubjectSets], search: &str, suites: &[String]) -> Option<String> {
    let search = SEARCHES.iter().position(|name| *name == search)?;
    let is_meant = |set: &&SubjectSets| suites.iter().any(|s| set.subject.suite.starts_with(s));
    let times = sets.iter().filter(is_meant).filter_map(|set| {
        let ran = &set.found[search];
        ran.flag("complete")?.then_some((ran.cpu, set))
    });
    let (time, set) = times.max_by(|left, right| left.0.total_cmp(&right.0))?;
    let SubjectSets { subject: Subject { suite, .. }, k, api, .. } = set;
    let (time, n_methods) = (text::seconds(time), api.len());
    Some(format!("{time} s of CPU (`{suite}`, {n_methods} methods, k = {k})"))
}

/// The documents: Markdown and CSV.
#[must_use]
pub fn documents(data: &Data, sets: &[SubjectSets], about: &str) -> (String, String) {
    let stated = data.statements.iter().filter(|statement| statement.ours.is_about_sets());
    let stated = text::statements(stated, |figure| match figure {
        Ours::Identification { search, suites } => longest(sets, search, suites),
        _ => None,
    });
    (sets_text::markdown(sets, about, &stated), sets_text::csv(sets))
}
