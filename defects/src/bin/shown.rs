//! Writes `benchmarks/results/shown_defects.md`: what is found of each defect if structures are told
//! apart by all that they show, or by their memory, without the abstraction of the text.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use beget::run::Workers;
use beget::scope::Plan;
use beget_defects::run::{OtherState, Run, by_state};
use beget_defects::{DEFECTS, Defect};
use beget_supervise::{CallLimits, Remains, Supervisor, connection, is_worker, serve};

beget::install_allocator!(unsafe);

const HEAD: &str = "# Published defects, by what types show and by their memory\n\n\
    The defects of `defects.md`, once more with `state: Shown` and `state: Bytes` in the scope in place of the abstraction that the text \
    has. At most 3,000 calls and 10 seconds: where no number grows with a structure, nothing else ends such a run. `just defects` writes this.\n\n\
    | crate | defect | by the text: rank | structures | calls | by what it shows: rank | structures | calls | complete | by memory: rank | structures | calls | complete |\n\
    | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | --- |\n";

const SHOWN: OtherState = OtherState { name: "Shown", peers: |_| None };
const BYTES: OtherState = OtherState { name: "Bytes", peers };

/// The number of the defect that is being looked for.
static NUMBER: AtomicUsize = AtomicUsize::new(0);

/// The process that makes the calls of a run once more; where this is one, it does.
fn peers(plan: &Plan) -> Option<Box<dyn Workers>> {
    if is_worker() {
        serve(connection().expect("a supervisor"), plan, Default::default());
    }
    let program = std::env::current_exe().expect("this one");
    let start = move || {
        let mut command = Command::new(&program);
        command.arg(NUMBER.load(Relaxed).to_string());
        command
    };
    let limits = CallLimits { time: None, memory_mib: 4096 };
    let peers = Supervisor::start_with(Box::new(start), 1, limits, Remains::Apart, |_| ());
    Some(Box::new(peers.expect("it can be started")))
}

fn main() {
    let mut defects: Vec<&Defect> = DEFECTS.iter().collect();
    defects.sort_by_key(|defect| (defect.old, defect.claim, defect.what));
    if is_worker() {
        let number = std::env::args().nth(1).and_then(|number| number.parse().ok());
        let number: usize = number.expect("the number of a defect");
        by_state(BYTES, || (defects[number].run)());
        return;
    }
    let mut rows = String::new();
    let mut n_found = [0; 2];
    for (number, defect) in defects.iter().enumerate() {
        NUMBER.store(number, Relaxed);
        let by_text = (defect.run)();
        let mut row = format!("| {} | {} | {}", defect.old, defect.what, cells(defect, &by_text));
        for (state, n_found) in [SHOWN, BYTES].into_iter().zip(&mut n_found) {
            let run = by_state(state, || std::panic::catch_unwind(defect.run));
            *n_found += usize::from(run.as_ref().is_ok_and(|run| rank(defect, run).is_some()));
            row += " | ";
            row += &match &run {
                Ok(run) => cells(defect, run) + if run.is_complete { " | yes" } else { " | no" },
                Err(_) => "cannot be told apart so | | | ".to_owned(),
            };
        }
        row += " |\n";
        print!("{row}");
        rows += &row;
    }
    let ([by_shown, by_bytes], n) = (n_found, defects.len());
    let total = format!(
        "\nFound by what they show: {by_shown} of {n}; by their memory: {by_bytes} of {n}.\n"
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benchmarks/results/shown_defects.md");
    std::fs::write(&path, format!("{HEAD}{rows}{total}")).expect("the results can be written");
    println!("{total}");
}

/// Where the finding stands in the report, by the same call if there is one.
fn rank(defect: &Defect, run: &Run) -> Option<usize> {
    let by_call = run.findings.iter().position(|found| defect.is_shown_by(found));
    let by_kind = || run.findings.iter().position(|found| defect.is_of_kind(found));
    by_call.or_else(by_kind).map(|at| at + 1)
}

fn cells(defect: &Defect, run: &Run) -> String {
    let of = run.findings.len();
    let rank = rank(defect, run).map_or_else(|| "-".to_owned(), |rank| format!("{rank} of {of}"));
    format!("{rank} | {} | {}", run.structures, run.calls)
}
