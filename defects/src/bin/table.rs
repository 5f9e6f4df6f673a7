//! Writes `benchmarks/results/defects.md`: each defect with the finding that shows it, where that
//! stands in the report, and what it took. Runs the old versions only; the tests of `fixed` say that
//! the others are quiet.

use std::fmt::Write as _;
use std::path::Path;

use beget_defects::{DEFECTS, Defect};

const HEAD: &str = "# Published defects\n\n\
    What `just defects` found in old versions of other crates, by the texts in `defects/src`. The page \
    `docs/src/defects.md` says how to read this table. Times are those of one run of a development build.\n\n\
    | crate | defect | told of in | finding | rank | calls | seconds | lines | without it |\n\
    | --- | --- | --- | --- | ---: | ---: | ---: | ---: | --- |\n";

fn main() {
    let mut defects: Vec<&Defect> = DEFECTS.iter().collect();
    defects.sort_by_key(|defect| (defect.old, defect.claim, defect.what));
    let rows: String = defects.iter().map(|defect| row(defect)).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benchmarks/results/defects.md");
    std::fs::write(&path, format!("{HEAD}{rows}")).expect("the results can be written");
    println!("{rows}{} defects", defects.len());
}

/// A line of the table.
fn row(defect: &Defect) -> String {
    let Defect { old, what, claim, fixed, kind, name, rank, .. } = defect;
    let run = (defect.run)();
    let found = defect.find(&run);
    let name = if name.is_empty() { String::new() } else { format!(" `{name}`") };
    let calls_of_recipe = match found.calls().count() {
        1 => "1 call".to_owned(),
        n => format!("{n} calls"),
    };
    let of = run.findings.len();
    let (calls, seconds, lines) = (run.calls, run.seconds, defect.own_lines().count());
    let mut row = String::new();
    let _ = writeln!(
        row,
        "| {old} | {what} | {claim} | {kind}{name}, by {calls_of_recipe} | {rank} of {of} | {calls} | {seconds:.3} | {lines} | {fixed} |"
    );
    row
}
