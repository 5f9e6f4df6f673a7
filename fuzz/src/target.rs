//! What is done with an input.

use beget_engine::CallTable;
use beget_plan::scope::{MethodsOverride, Overrides, Resolution, ScopeFile};
use beget_search::builders_file::BuildersFile;
use beget_search::repok::{CandidateSpace, Finitization};
use fastrand::Rng;

use crate::{Corpus, mutate};

/// Which reader an input is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A scope file, with the expressions in it; read, resolved, its calls numbered and its repOKs'
    /// spaces made.
    Scope,
    /// A file of builders; read, checked, and named by a scope.
    Builders,
    /// A command line.
    Arguments,
}

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is right.
    Taken,
    /// It is wrong, and there is a message.
    Refused,
}

/// One input.
#[derive(Debug)]
pub(crate) enum Input {
    Scope { text: String, suite: usize, overrides: Box<Overrides>, builders: String },
    Builders { text: String, suite: usize },
    Arguments(Vec<String>),
}

impl Input {
    /// Input number `number` of the seed.
    pub(crate) fn new(corpus: &Corpus, seed: u64, number: u64) -> Self {
        // The numbers are spread over the seeds of the generator, so that neighbours have nothing
        // in common.
        let mut rng = Rng::with_seed(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let rng = &mut rng;
        let scope = |rng: &mut Rng| corpus.scopes[rng.usize(..corpus.scopes.len())].clone();
        let builders = |rng: &mut Rng| corpus.builders[rng.usize(..corpus.builders.len())].clone();
        let line = |rng: &mut Rng| corpus.lines[rng.usize(..corpus.lines.len())].clone();
        let suite = rng.usize(..corpus.suites.len());
        match rng.u8(..20) {
            0..14 => Input::Scope {
                text: mutate::text(&scope(rng), rng, &scope),
                suite,
                overrides: Box::new(overrides(corpus, suite, rng)),
                builders: builders(rng),
            },
            14..17 => Input::Builders { text: mutate::text(&builders(rng), rng, &builders), suite },
            _ => Input::Arguments(mutate::words(&line(rng), rng, &line)),
        }
    }

    pub(crate) fn kind(&self) -> Kind {
        match self {
            Input::Scope { .. } => Kind::Scope,
            Input::Builders { .. } => Kind::Builders,
            Input::Arguments(_) => Kind::Arguments,
        }
    }

    /// Reads it.
    pub(crate) fn read(&self, corpus: &Corpus) -> Outcome {
        let is_taken = match self {
            Input::Scope { text, suite, overrides, builders } => {
                read_scope(corpus, text, *suite, overrides, builders)
            }
            Input::Builders { text, suite } => read_builders(corpus, text, *suite),
            Input::Arguments(words) => {
                let program = std::iter::once("beget".to_owned());
                let checked = beget_program::check_arguments(program.chain(words.iter().cloned()));
                checked.map_err(|message| assert!(!message.is_empty())).is_ok()
            }
        };
        if is_taken { Outcome::Taken } else { Outcome::Refused }
    }
}

/// What a command line may say otherwise than the file.
fn overrides(corpus: &Corpus, suite: usize, rng: &mut Rng) -> Overrides {
    // Lists of a million literals are read a thousand times slower than others, so they are rare.
    let number = |rng: &mut Rng| match rng.u16(..4000) {
        0..400 => Some(rng.u32(..10)),
        400..700 => Some(mutate::choose(&[64, 1000, 1_000_001, u32::MAX], rng)),
        700..702 => Some(999_999),
        _ => None,
    };
    let methods = match rng.u8(..8) {
        0 => Some(MethodsOverride::All),
        1 => Some(MethodsOverride::WithLiterals),
        2 => {
            let methods = &corpus.suites[suite].methods;
            let name = methods[rng.usize(..methods.len())].name.to_owned();
            Some(MethodsOverride::Only(vec!["new".to_owned(), name]))
        }
        _ => None,
    };
    Overrides { k: number(rng), slack: number(rng), methods, ..Overrides::default() }
}

fn read_scope(
    corpus: &Corpus,
    text: &str,
    suite: usize,
    overrides: &Overrides,
    builders: &str,
) -> bool {
    let file = match ScopeFile::parse("scopes/fuzz.ron", text) {
        Ok(file) => file,
        Err(problems) => return is_shown(&problems.to_string()),
    };
    let suite = corpus.suite(file.suite_name()).unwrap_or(&corpus.suites[suite]);
    let resolved = match file.resolve(suite, overrides, &|_| Ok(builders.to_owned())) {
        Ok(resolved) => resolved,
        Err(problems) => return is_shown(&problems.to_string()),
    };
    CallTable::new(&resolved.plan);
    let _ = resolved.warnings.to_string();
    spaces(corpus, &suite.name, &resolved);
    true
}

/// Makes the spaces of the searches from repOKs; those that do not fit the type are refused.
fn spaces(corpus: &Corpus, suite: &str, resolved: &Resolution) {
    let Some((_, subject)) = corpus.subjects.iter().find(|(name, _)| name == suite) else { return };
    for given in &resolved.finitizations {
        let finitization = Finitization::of_scope(given, &subject.shapes);
        if let Err(error) = finitization.and_then(|finitization| {
            CandidateSpace::of_shapes(subject.shapes.clone(), &finitization)
        }) {
            is_shown(&error.to_string());
        }
    }
}

fn read_builders(corpus: &Corpus, text: &str, suite: usize) -> bool {
    let suite = &corpus.suites[suite];
    let scope = format!(
        "(suite: {:?}, k: 2, objects: {{\"*\": \"k\"}}, ints: \"0..k\", methods: Builders(\"b.ron\"))",
        suite.name
    );
    let file = ScopeFile::parse("scopes/fuzz.ron", &scope).expect("a right scope");
    if let Err(problems) = file.resolve(suite, &Overrides::default(), &|_| Ok(text.to_owned())) {
        is_shown(&problems.to_string());
    }
    match BuildersFile::from_ron(text) {
        Ok(builders) => {
            let own = corpus.suite(&builders.suite).unwrap_or(suite);
            builders.check(own).map_err(|error| is_shown(&error.to_string())).is_ok()
        }
        Err(error) => is_shown(&error.to_string()),
    }
}

/// Nothing is refused without a message, and no message can move the cursor of a terminal.
fn is_shown(message: &str) -> bool {
    let is_control = |char: char| char.is_control() && !matches!(char, '\n' | '\t');
    assert!(!message.is_empty(), "refused without a message");
    assert!(!message.contains(is_control), "a control character in {message:?}");
    false
}
