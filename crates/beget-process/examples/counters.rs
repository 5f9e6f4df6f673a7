//! Prints whether this program is optimised, and how many regions of it are covered, before and
//! after more of it is executed.

use std::hint::black_box;

use beget_process::coverage::Coverage;
use beget_process::coverage::counters::RegionCounters;

fn sign(x: i32) -> &'static str {
    if x < 0 {
        "negative"
    } else if x == 0 {
        "zero"
    } else {
        "positive"
    }
}

fn main() {
    println!("optimised: {}", beget_process::IS_OPTIMISED);
    let Some(counters) = RegionCounters::of_this_program() else {
        println!("no counters");
        return;
    };
    black_box(sign(black_box(0)));
    let before = counters.covered();
    counters.reset();
    let reset = counters.covered();
    black_box(sign(black_box(1)));
    let one = counters.covered();
    black_box(sign(black_box(1)));
    let same = counters.covered();
    black_box(sign(black_box(-1)));
    let other = counters.covered();
    let grew = |from, to: usize| if to > from { "more" } else { "no more" };
    println!("before a reset: {}", grew(reset, before));
    println!("again: {}, another branch: {}", grew(one, same), grew(same, other));
    println!("counted: {}", counters.unit());
    println!("covered at most all: {}", counters.known().is_some_and(|known| other <= known));
}
