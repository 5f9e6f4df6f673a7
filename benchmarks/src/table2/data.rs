//! What is measured, and what was published about it: a RON file.

use std::collections::BTreeSet;

use serde::Deserialize;
use thiserror::Error;

/// The subjects, and what the papers' texts state about subjects together.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// In the order of the tables.
    pub subjects: Vec<Subject>,
    /// In the order of the lists.
    pub statements: Vec<Statement>,
}

/// One suite.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subject {
    /// Its name.
    pub suite: String,
    /// The scope at which builders are identified.
    pub k: u32,
    /// The published builders.
    #[serde(default)]
    pub published: Option<Vec<String>>,
    /// Methods that cannot take part in runs of the full API.
    #[serde(default)]
    pub left_out: Vec<UnusedMethod>,
    /// What there is to say about differences from the published set.
    #[serde(default)]
    pub note: String,
    /// The published times of the ablation, as far as they are known.
    #[serde(default)]
    pub published_times: Columns<Option<String>>,
}

/// A method that cannot take part.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnusedMethod {
    /// Its name.
    pub method: String,
    /// Why not.
    pub reason: String,
}

/// One entry for each configuration of the ablation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Columns<T> {
    /// With state matching and builders.
    pub sm_bld: T,
    /// With state matching and the full API.
    pub sm: T,
    /// Without state matching, with builders.
    pub bld: T,
    /// With neither.
    pub no_opt: T,
}

/// A sentence of a paper, and what of ours stands beside it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The paper and section.
    pub source: String,
    /// What it says, in our words.
    pub text: String,
    /// What we compare with it.
    pub ours: Ours,
}

/// A figure of ours that a statement is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub enum Ours {
    /// How much faster generation with builders is than with the full API.
    SpeedUp(Vec<String>),
    /// How many scopes more are reached with builders.
    MoreScopes(Vec<String>),
    /// The largest scopes with state matching and without, with the full API.
    StateMatching(Vec<String>),
    /// The longest identification by this search, of the suites whose names begin so.
    Identification {
        /// The search.
        search: String,
        /// Beginnings of names.
        suites: Vec<String>,
    },
}

impl Ours {
    /// Whether the figure is about identification, not about the ablation.
    #[must_use]
    pub fn is_about_sets(&self) -> bool {
        matches!(self, Ours::Identification { .. })
    }
}

/// Why a text is not such a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DataError {
    /// It is not RON, or not of the form of [`Data`].
    #[error("the data does not parse: {0}")]
    Syntax(#[from] Box<ron::error::SpannedError>),
    /// A subject occurs twice.
    #[error("the subject {0:?} occurs twice")]
    Twice(String),
    /// No subject is meant.
    #[error("no subject is named like {0:?}; `beget list` names all")]
    NoSubject(String),
}

impl Data {
    /// Reads the file.
    ///
    /// # Errors
    /// If the text does not parse or names a subject twice.
    pub fn parse(text: &str) -> Result<Self, DataError> {
        let options = ron::Options::default()
            .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        let data: Self = options.from_str(text).map_err(Box::new)?;
        let mut seen = BTreeSet::new();
        match data.subjects.iter().find(|subject| !seen.insert(&subject.suite)) {
            Some(subject) => Err(DataError::Twice(subject.suite.clone())),
            None => Ok(data),
        }
    }

    /// Keeps the subjects whose names contain one of these texts; all if there is none.
    ///
    /// # Errors
    /// If a text is in no name.
    pub fn choose(&mut self, wanted: &[String]) -> Result<(), DataError> {
        for text in wanted {
            if !self.subjects.iter().any(|subject| subject.suite.contains(text)) {
                return Err(DataError::NoSubject(text.clone()));
            }
        }
        let is_wanted =
            |subject: &Subject| wanted.iter().any(|text| subject.suite.contains(text.as_str()));
        self.subjects.retain(|subject| wanted.is_empty() || is_wanted(subject));
        Ok(())
    }
}

impl Subject {
    /// The scope file, seen from the root of the repository.
    #[must_use]
    pub fn scope_file(&self) -> String {
        format!("scopes/{}.ron", self.suite.replace("::", "/"))
    }

    /// Of the methods of the suite, those that take part.
    #[must_use]
    pub fn api(&self, methods: &[String]) -> Vec<String> {
        let is_left_out = |name: &&String| self.left_out.iter().any(|left| left.method == **name);
        methods.iter().filter(|name| !is_left_out(name)).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUBJECT: &str = r#"(suite: "a::b", k: 5, published: ["new"], left_out: [(method: "spin", reason: "it never returns")])"#;

    fn data(subjects: &str) -> Result<Data, DataError> {
        Data::parse(&format!("(subjects: [{subjects}], statements: [])"))
    }

    #[test]
    fn what_is_left_out_of_a_subject_has_a_default() {
        let data = data(SUBJECT).expect("data");
        let subject = &data.subjects[0];
        assert_eq!(subject.scope_file(), "scopes/a/b.ron");
        assert_eq!(subject.published_times, Columns::default());
        let methods = ["new", "spin", "len"].map(str::to_owned);
        assert_eq!(subject.api(&methods), ["new", "len"]);
    }

    #[test]
    fn mistakes_are_errors() {
        let twice = data(&format!("{SUBJECT}, {SUBJECT}"));
        assert!(matches!(twice, Err(DataError::Twice(suite)) if suite == "a::b"));
        assert!(matches!(data(r#"(suite: "a", K: 5)"#), Err(DataError::Syntax(_))));
    }

    #[test]
    fn subjects_are_chosen_by_a_part_of_the_name() {
        let other = SUBJECT.replace("a::b", "a::c");
        let mut data = data(&format!("{SUBJECT}, {other}")).expect("data");
        assert!(matches!(data.choose(&["d".to_owned()]), Err(DataError::NoSubject(_))));
        data.choose(&["::c".to_owned()]).expect("a subject");
        assert_eq!(data.subjects[0].suite, "a::c");
        data.choose(&[]).expect("all that are left");
        assert_eq!(data.subjects.len(), 1);
    }
}
