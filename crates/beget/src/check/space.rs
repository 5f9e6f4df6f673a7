//! The verdict of a test on the space of its run: a run without findings that tried almost nothing
//! does not pass.

use std::fmt;

use beget_run::{CheckRun, Depth, Input, SpaceVerdict, Thin};

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
    let verdict = SpaceVerdict::of(
        run,
        depth,
        input.file.scope.accepts_thin,
        input.file.scope.is_strict.unwrap_or(false),
    );
    let (is_refused, fails) = (verdict.is_refused(), verdict.fails());
    let SpaceVerdict { thin, warnings, .. } = verdict;
    match thin {
        Some(thin) if is_refused => return Err(CheckError::Thin(thin)),
        _ if fails => return Err(CheckError::Warnings(warnings)),
        thin => {
            let suite = &run.corpus.plan.suite.name;
            let all = thin.map(|thin| thin.to_string()).into_iter().chain(warnings);
            all.for_each(|text| tell_past_harness(&format!("beget: warning: {suite}: {text}\n")));
        }
    }
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
