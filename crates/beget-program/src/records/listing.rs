//! Suites, and the choices of a scope, as text.

use std::fmt::Write as _;

use crate::records::Verbosity;
use beget_engine::{CopyOptions, choose_copy_strategy};
use beget_heap::Schema;
use beget_oracle::ApplicableContracts;
use beget_plan::scope::{Plan, PlannedMethod};
use beget_suite::{AbsentMethod, Literal, Method, StateKind, Suite, Type, TypeIdx};

/// The suites of a program with their descriptions.
pub fn list_suites(suites: &[Suite]) -> String {
    if suites.is_empty() {
        return "This program has no suites.\n".to_owned();
    }
    let width = suites.iter().map(|suite| suite.name.chars().count()).max().unwrap_or(0);
    let indent = " ".repeat(width + 2);
    let mut text = String::new();
    for suite in suites {
        let types: Vec<&str> = suite.types.iter().map(|ty| ty.name).collect();
        let _ = writeln!(text, "{:width$}  {}", suite.name, first_sentence(suite.doc));
        let plural = if suite.methods.len() == 1 { "" } else { "s" };
        let _ = writeln!(
            text,
            "{indent}{} method{plural} on {}",
            suite.methods.len(),
            types.join(", ")
        );
    }
    text
}

fn first_sentence(doc: &str) -> String {
    let paragraph = doc.trim().split("\n\n").next().unwrap_or("");
    let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.find(". ") {
        Some(end) => line[..=end].to_owned(),
        None => line,
    }
}

/// A scope with its suite: methods, bounds, the contracts that a check asks, and how
/// structures are reconstructed and copied. Verbosely, also what the suite's own blocks leave out,
/// and what the contracts ask.
pub fn list_plan(plan: &Plan, oracle: &ApplicableContracts<'_>, verbosity: Verbosity) -> String {
    let suite = &plan.suite;
    let mut text = String::new();
    let _ = writeln!(text, "{}: {}", suite.name, first_sentence(suite.doc));
    let (used, all) = (plan.methods.len(), suite.methods.len());
    let _ = writeln!(text, "\nAt k = {}, {used} of {all} methods take part:", plan.k);
    for method in suite.method_idxs() {
        let planned = plan.find_planned(method).map(|planned| plan.planned(planned));
        write_method(&mut text, suite.method(method), planned);
    }
    if verbosity == Verbosity::Verbose {
        write_absent(&mut text, suite);
    }
    write_invariants(&mut text, suite);
    write_contracts(&mut text, suite, oracle, verbosity);
    text.push_str("\nBounds:\n");
    write_bounds(&mut text, plan);
    text.push_str("\nHow structures are reconstructed:\n");
    for ty in &suite.types {
        write_copy_strategy(&mut text, ty, plan);
    }
    text
}

fn write_absent(text: &mut String, suite: &Suite) {
    if !suite.absent.is_empty() {
        text.push_str("\nNo methods of the suite, by its declaration:\n");
    }
    for AbsentMethod { name, reason } in &suite.absent {
        let _ = writeln!(text, "  {name}: {reason}");
    }
}

fn write_invariants(text: &mut String, suite: &Suite) {
    if !suite.invariants.is_empty() {
        text.push_str("\nInvariants of every structure:\n");
    }
    for invariant in &suite.invariants {
        let _ = writeln!(text, "  {}::{}", suite.types[invariant.ty.index()].name, invariant.name);
    }
}

fn write_contracts(
    text: &mut String,
    suite: &Suite,
    oracle: &ApplicableContracts<'_>,
    verbosity: Verbosity,
) {
    if !oracle.is_idle() {
        text.push_str("\nContracts that a check asks:\n");
    }
    for (idx, ty) in suite.types.iter().enumerate() {
        let contracts: Vec<_> = oracle.contracts_of(TypeIdx::new(idx)).collect();
        if contracts.is_empty() {
            continue;
        }
        if verbosity < Verbosity::Verbose {
            let names: Vec<_> = contracts.iter().map(|contract| contract.name).collect();
            let _ = writeln!(text, "  {}: {}", ty.name, names.join(", "));
            continue;
        }
        for contract in contracts {
            let _ = writeln!(text, "  {}::{}: {}", ty.name, contract.name, contract.sentence);
        }
    }
}

fn write_method(text: &mut String, method: &Method, planned: Option<&PlannedMethod>) {
    let _ = writeln!(text, "  {}", method.signature);
    let Some(planned) = planned else {
        text.push_str("      does not take part\n");
        return;
    };
    let kind = if method.is_constructor() { "constructor, " } else { "" };
    let per = match planned.structures.len() {
        0 => "in all".to_owned(),
        1 => "on each structure".to_owned(),
        2 => "on each pair of structures".to_owned(),
        n => format!("on each {n} structures"),
    };
    let n = planned.n_tuples();
    let plural = if n == 1 { "" } else { "s" };
    let _ = writeln!(text, "      {kind}{n} call{plural} {per}");
    for ((param, domain), literals) in method.literal_params().zip(&planned.domains) {
        let n = literals.len();
        let plural = if n == 1 { "" } else { "s" };
        let _ = writeln!(
            text,
            "      {}: {}, {n} value{plural}: {}",
            param.name,
            domain.ty,
            shown(literals)
        );
    }
}

/// Some literals; all if they are few.
fn shown(literals: &[Literal]) -> String {
    const MOST: usize = 6;
    let sources = literals.iter().map(|literal| literal.source.as_str());
    if literals.len() <= MOST {
        return sources.collect::<Vec<_>>().join(", ");
    }
    let first: Vec<&str> = sources.take(MOST - 2).collect();
    let last = literals.last().map_or("", |literal| &literal.source);
    format!("{}, ..., {last}", first.join(", "))
}

fn write_bounds(text: &mut String, plan: &Plan) {
    for class in plan.schema().classes().iter().filter(|class| class.is_object) {
        let name = class.key.name;
        let bound = plan.bounds.objects.get(name).copied().unwrap_or(plan.bounds.other_objects);
        let what = if class.is_array { "arrays" } else { "objects" };
        let _ = match bound {
            u32::MAX => writeln!(text, "  {name}: any number of {what}"),
            bound => writeln!(text, "  {name}: at most {bound} {what}"),
        };
    }
}

fn write_copy_strategy(text: &mut String, ty: &Type, plan: &Plan) {
    let _ =
        writeln!(text, "  {}: {}", ty.name, choose_copy_strategy(ty, plan, CopyOptions::default()));
    match ty.state {
        StateKind::Fields => {}
        StateKind::Abstraction => text.push_str(
            "      matched by an abstraction: structures that it does not tell apart are one\n",
        ),
        StateKind::Shown => {
            text.push_str("      matched by what it shows: structures that show the same are one\n")
        }
        StateKind::Bytes => {
            text.push_str("      matched by its memory: structures of the same bytes are one\n")
        }
    }
    let mut schema = Schema::default();
    ty.describe_in(&mut schema);
    for reason in &schema.undecodable {
        let _ = writeln!(text, "      not decoded: {reason}");
    }
    if plan.layout().has_omitted() {
        text.push_str("      not decoded: the scope omits fields\n");
    }
}

#[cfg(test)]
mod tests {
    use beget_suite::Absence;

    use super::*;

    #[test]
    fn what_a_suite_leaves_out_is_listed_with_its_reason() {
        let absent = |name, reason| AbsentMethod { name, reason };
        let grow = absent("grow", Absence::NotPublic);
        let absent = vec![grow, absent("retain", Absence::Skipped)];
        let mut text = String::new();
        write_absent(&mut text, &Suite { absent, ..Suite::default() });
        let heading = "\nNo methods of the suite, by its declaration:\n";
        assert_eq!(text, format!("{heading}  grow: not `pub`\n  retain: skipped\n"));
        text.clear();
        write_absent(&mut text, &Suite::default());
        assert_eq!(text, "");
    }

    #[test]
    fn the_first_sentence_ends_at_its_full_stop_or_paragraph() {
        assert_eq!(first_sentence(" A list,\n of nodes. With more.\n\nMore."), "A list, of nodes.");
        assert_eq!(first_sentence("A list\n\nMore."), "A list");
    }
}
