//! The space that a scope file gives the search from a repOK.

use beget_oracle::rep_ok::{Predicate, Subject};
use beget_plan::scope::Resolution;
use beget_run::{Input, InputError};

use crate::repok::{CandidateSpace, Finitization};

/// The name of the repOK that is to be right.
pub(crate) const CORRECTED: &str = "corrected";

/// A repOK with the space of its search.
#[derive(Debug)]
pub struct RepOkSpace<'i> {
    /// The type that it is of.
    pub subject: &'i Subject,
    /// The repOK.
    pub rep_ok: &'i Predicate,
    /// The candidates within the scope.
    pub space: CandidateSpace,
}

impl<'i> RepOkSpace<'i> {
    /// The repOK of that name, or else `corrected`, or else the first, with its space in the scope.
    ///
    /// # Errors
    /// If there is no such repOK, or the scope gives it no space that fits.
    pub fn new(
        input: &'i Input<'_>,
        name: Option<&str>,
        resolved: &Resolution,
    ) -> Result<Self, InputError> {
        let subject = input.subject()?;
        let rep_ok = match name {
            Some(name) => input.rep_ok(name)?,
            None => subject.rep_ok(CORRECTED).unwrap_or(&subject.rep_oks[0]),
        };
        let space = space(input, subject, rep_ok.name, resolved)?;
        Ok(RepOkSpace { subject, rep_ok, space })
    }
}

fn space(
    input: &Input<'_>,
    subject: &Subject,
    name: &str,
    resolved: &Resolution,
) -> Result<CandidateSpace, InputError> {
    let (path, name) = (input.path().display().to_string(), name.to_owned());
    let given = resolved.finitizations.iter().find(|given| given.name == name);
    let Some(given) = given else { return Err(InputError::NoSpace { path, name }) };
    let finitization = Finitization::of_scope(given, &subject.shapes);
    let space = finitization
        .and_then(|finitization| CandidateSpace::of_shapes(subject.shapes.clone(), &finitization));
    space.map_err(|source| InputError::WrongSpace { path, name, source: source.into() })
}
