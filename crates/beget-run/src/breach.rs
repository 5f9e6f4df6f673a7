//! Breaches as findings: with the calls that show them.

use std::collections::BTreeSet;

use beget_engine::Corpus;
use beget_engine::store::{Store, StoreError, StructureId};
use beget_oracle::BreachGroup;
use beget_plan::finding::{Finding, Witness};
use beget_suite::{Sequence, to_source};

use crate::elements::witness_of;

/// The finding of a breach: its witness is the last of its structures, and the message shows the
/// others.
pub(crate) fn finding_of<S: Store>(
    corpus: &Corpus<S>,
    breach: &BreachGroup,
) -> Result<Finding, StoreError> {
    let BreachGroup { problem, count, ids, ty, call, .. } = breach;
    let (mut problem, count) = (problem.clone(), *count);
    if let Some(call) = call {
        let recipe = ids.first().map(|&id| corpus.recipe(StructureId::new(id))).transpose()?;
        let witness = witness_of(&corpus.plan, *call, recipe.as_ref());
        return Ok(Finding { problem, count, witness });
    }
    if corpus.plan.suite.types.len() > 1 {
        let name = corpus.plan.suite.types[ty.index()].name;
        problem.message = format!("{} ({name})", problem.message).into();
    }
    let Some(&last) = ids.iter().max() else {
        return Ok(Finding { problem, count, witness: Witness::default() });
    };
    if let Some(others) = names_of(corpus, ids, last)? {
        problem.message = format!("{}; {others}", problem.message).into();
    }
    let (members, is_fatal) = (members(corpus, ids)?, problem.kind.is_fatal());
    let witness = Witness { members, ..witness_of_structure(corpus, last, is_fatal)? };
    Ok(Finding { problem, count, witness })
}

/// The witness that is a structure. One that may end the process is not made here.
pub(crate) fn witness_of_structure<S: Store>(
    corpus: &Corpus<S>,
    id: u64,
    is_fatal: bool,
) -> Result<Witness, StoreError> {
    Ok(Witness {
        number: Some(id),
        heap: if is_fatal { None } else { corpus.graph(StructureId::new(id))? },
        ..Witness::of_recipe(corpus.recipe(StructureId::new(id))?)
    })
}

/// The calls that build each of these structures, if there are several.
fn members<S: Store>(corpus: &Corpus<S>, ids: &[u64]) -> Result<Vec<Sequence>, StoreError> {
    let ids: BTreeSet<u64> = ids.iter().copied().collect();
    if ids.len() < 2 {
        return Ok(Vec::new());
    }
    let sequence = |id| {
        let recipe = corpus.recipe(StructureId::new(id))?;
        Ok(Sequence::of_recipe(&corpus.plan.suite, &recipe))
    };
    ids.into_iter().map(sequence).collect()
}

/// Names the structures `a`, `b` and `c`, if there are several.
fn names_of<S: Store>(
    corpus: &Corpus<S>,
    ids: &[u64],
    last: u64,
) -> Result<Option<String>, StoreError> {
    if ids.len() < 2 {
        return Ok(None);
    }
    let mut said = Vec::new();
    for (&id, name) in ids.iter().zip(["a", "b", "c"]) {
        said.push(match id == last {
            true => format!("{name} is the structure shown"),
            false => {
                let recipe = corpus.recipe(StructureId::new(id))?;
                let (source, _) = to_source(&corpus.plan.suite, &recipe);
                format!("{name} is that of `{}`", source.lines().collect::<Vec<_>>().join(" "))
            }
        });
    }
    Ok(Some(said.join(", ")))
}
