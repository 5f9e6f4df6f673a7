//! Writes `benchmarks/results/memory_defects.md`: what is found of each defect if structures are told
//! apart by their memory. Each defect is a process of its own, since memory that is not as it seems
//! may end it, and that starts others to compare with.

use std::path::Path;
use std::process::Command;

use beget_backends::supervise::{CallLimits, Remains, Supervisor, connection, is_worker, serve};
use beget_defects::run::{OtherState, Processes, by_state};
use beget_defects::{DEFECTS, Defect};
use beget_plan::scope::Plan;
use beget_run::{Input, N_PEERS, OracleSet, Workers};

beget::install_allocator!(unsafe);

const HEAD: &str = "# Published defects, by the memory of structures\n\n\
    The defects of `defects.md`, once more with `state: Bytes` in the scope in place of the abstraction that the text has. \
    At most 3,000 calls and 10 seconds, as in `shown_defects.md`. The last column has the places of memory that were not the same \
    in all processes, and are left out. `just defects` writes this.\n\n\
    | crate | defect | rank | structures | calls | complete | seconds | doubted |\n\
    | --- | --- | ---: | ---: | ---: | --- | ---: | ---: |\n";

const BYTES: OtherState = OtherState { name: "Bytes", processes };

/// The process that makes the calls of a run, since some do not return, and those that repeat them;
/// where this is one of them, it does.
fn processes(input: &Input<'_>, plan: &Plan) -> Option<Processes> {
    if is_worker() {
        let oracles = OracleSet::of(input, &[]);
        serve(connection().expect("a supervisor"), plan, Default::default(), Some(&oracles));
    }
    let workers = start(Remains::Usual);
    Some(Processes { workers, peers: (0..N_PEERS).map(|_| start(Remains::Apart)).collect() })
}

fn start(remains: Remains) -> Box<dyn Workers> {
    let limits = CallLimits { time: None, memory_mib: 4096 };
    let start = || defect_command(std::env::args().nth(1).as_deref().unwrap_or_default());
    let process = Supervisor::start_with(Box::new(start), 1, limits, remains, |_| ());
    Box::new(process.expect("it can be started"))
}

/// This program for one defect.
fn defect_command(number: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this one"));
    command.arg(number);
    command
}

fn main() {
    let mut defects: Vec<&Defect> = DEFECTS.iter().collect();
    defects.sort_by_key(|defect| (defect.old, defect.claim, defect.what));
    match std::env::args().nth(1) {
        Some(number) => print_cells(defects[number.parse::<usize>().expect("a number")]),
        None => write_table(&defects),
    }
}

fn print_cells(defect: &Defect) {
    let run = by_state(BYTES, defect.run);
    let complete = if run.is_complete { "yes" } else { "no" };
    let (seconds, n_doubted) = (run.seconds, run.doubted.len());
    println!("{} | {complete} | {seconds:.1} | {n_doubted}", defect.cells(&run));
    eprintln!("{}: {}", defect.old, run.ended_by);
    run.doubted.iter().for_each(|doubted| eprintln!("    {doubted}"));
}

fn write_table(defects: &[&Defect]) {
    let mut rows = String::new();
    let mut n_found = 0;
    for (number, defect) in defects.iter().enumerate() {
        let mut command = defect_command(&number.to_string());
        let output = command.stderr(std::process::Stdio::inherit()).output();
        let output = output.expect("it can be started");
        let cells = String::from_utf8_lossy(&output.stdout);
        let cells = match output.status.success() {
            true => cells.trim_end(),
            false => "- | cannot be told apart so | | | |",
        };
        n_found += usize::from(!cells.starts_with('-'));
        let row = format!("| {} | {} | {cells} |\n", defect.old, defect.what);
        print!("{row}");
        rows += &row;
    }
    let total = format!("\nFound by their memory: {n_found} of {}.\n", defects.len());
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../benchmarks/results/memory_defects.md");
    std::fs::write(&path, format!("{HEAD}{rows}{total}")).expect("the results can be written");
    println!("{total}");
}
