//! Writes `benchmarks/results/shown_defects.md`: what is found of each defect if structures are told
//! apart by all that they show, without the abstraction of the text.

use std::path::Path;

use beget_defects::run::{OtherState, by_state};
use beget_defects::{DEFECTS, Defect};

const HEAD: &str = "# Published defects, by what types show\n\n\
    The defects of `defects.md`, once more with `state: Shown` in the scope in place of the abstraction that the text \
    has. At most 3,000 calls and 10 seconds: where no number grows with a structure, nothing else ends such a run. `just defects` writes this.\n\n\
    | crate | defect | by the text: rank | structures | calls | by what it shows: rank | structures | calls | complete |\n\
    | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n";

const SHOWN: OtherState = OtherState { name: "Shown", processes: |_, _| None };

fn main() {
    let mut defects: Vec<&Defect> = DEFECTS.iter().collect();
    defects.sort_by_key(|defect| (defect.old, defect.claim, defect.what));
    let mut rows = String::new();
    let mut n_found = 0;
    for defect in &defects {
        let by_text = (defect.run)();
        let by_shown = by_state(SHOWN, || std::panic::catch_unwind(defect.run));
        n_found += usize::from(by_shown.as_ref().is_ok_and(|run| defect.rank_in(run).is_some()));
        let shown = match &by_shown {
            Ok(run) => defect.cells(run) + if run.is_complete { " | yes" } else { " | no" },
            Err(_) => "it shows nothing | | | ".to_owned(),
        };
        let text = defect.cells(&by_text);
        let row = format!("| {} | {} | {text} | {shown} |\n", defect.old, defect.what);
        print!("{row}");
        rows += &row;
    }
    let total = format!("\nFound by what they show: {n_found} of {}.\n", defects.len());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benchmarks/results/shown_defects.md");
    std::fs::write(&path, format!("{HEAD}{rows}{total}")).expect("the results can be written");
    println!("{total}");
}
