//! Writes `benchmarks/results/deep_defects.md`: each defect with the random run that finds it and
//! the small scope that does not, and its minimised calls. The tests of `fixed` say that the fixed
//! versions are quiet.

use std::fmt::Write as _;
use std::path::Path;

use beget_deep_defects::{DEFECTS, DeepDefect};

const HEAD: &str = "# Published defects that no small scope has\n\n\
    What `just defects` found in old versions of other crates, by the texts in `defects/deep/src`. The page \
    `docs/src/defects.md` says how to read this table. Times are those of one run of a development build.\n\n\
    | crate | defect | told of in | finding | calls made | seconds | small scope: structures | calls | found there | without it |\n\
    | --- | --- | --- | --- | ---: | ---: | ---: | ---: | --- | --- |\n";

fn main() {
    let (mut rows, mut sequences) = (String::new(), String::new());
    for defect in DEFECTS {
        let DeepDefect { old, what, claim, name, n_calls, fixed, .. } = defect;
        let run = (defect.random)();
        let found = defect.find(&run);
        let small = (defect.exhaustive)();
        let n_found = match small.findings.len() {
            0 => "nothing".to_owned(),
            n => format!("{n} findings"),
        };
        let _ = writeln!(
            rows,
            "| {old} | {what} | {claim} | `{name}`, by {n_calls} calls | {} | {:.1} | {} | {} | {n_found} | {fixed} |",
            run.calls, run.seconds, small.structures, small.calls
        );
        let _ = write!(sequences, "\n## {old}\n\n```text\n{}\n```\n", found.recipe);
    }
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/results/deep_defects.md");
    std::fs::write(&path, format!("{HEAD}{rows}{sequences}")).expect("the results can be written");
    print!("{rows}");
}
