//! The verdict of a test on the space of its run: a run without findings that tried almost nothing
//! does not pass.

use std::fmt;

use beget_run::{CheckRun, Depth, Input, Thin, warnings};

use super::{CheckError, tell_past_harness};

/// Judges a run that found nothing in all of its scope. A thin space is a warning with a given k,
/// and fails the test without one, that is, with a `depth`.
///
/// # Errors
/// [`CheckError::Thin`] and [`CheckError::Warnings`].
pub(super) fn judge(
    input: &Input<'_>,
    run: &CheckRun,
    depth: Option<&Depth>,
) -> Result<(), CheckError> {
    let widened = depth.map(|depth| &depth.widened);
    let mut all = warnings(run);
    if let Some(thin) = Thin::of(run, widened).filter(|_| !input.accepts_thin()) {
        if depth.is_some() || input.is_strict() {
            return Err(CheckError::Thin(thin));
        }
        all.insert(0, thin.to_string());
    }
    if input.is_strict() && !all.is_empty() {
        return Err(CheckError::Warnings(all));
    }
    let suite = &run.corpus.plan.suite.name;
    all.iter().for_each(|text| tell_past_harness(&format!("beget: warning: {suite}: {text}\n")));
    Ok(())
}

/// Writes the message about a space that is almost empty.
pub(super) fn write_thin(f: &mut fmt::Formatter<'_>, thin: &Thin) -> fmt::Result {
    write!(f, "nothing was found, but almost nothing was tried: {thin}")?;
    match thin.advice.is_empty() {
        true => f.write_str("; `thin = true` in `check!` accepts it"),
        false => write!(
            f,
            "; write `{}` in `check!` (`{}` in a scope file), or `thin = true` to accept it",
            thin.advice.in_check(),
            thin.advice
        ),
    }
}

/// Writes the message about warnings that fail.
pub(super) fn write_warnings(f: &mut fmt::Formatter<'_>, warnings: &[String]) -> fmt::Result {
    f.write_str("nothing was found, but the scope is strict:")?;
    warnings.iter().try_for_each(|text| write!(f, "\n    {text}"))
}
