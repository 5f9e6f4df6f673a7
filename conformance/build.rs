//! Writes the randomly generated suites: `BEGET_CONFORMANCE_SUITES` of them (60), from seed
//! `BEGET_CONFORMANCE_SEED` (1).

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

#[path = "src/dice.rs"]
mod dice;
#[path = "src/generator.rs"]
mod generator;

fn number(name: &str, default: u64) -> u64 {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}: {text}")))
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/generator.rs");
    println!("cargo::rerun-if-changed=src/dice.rs");
    let first = number("BEGET_CONFORMANCE_SEED", 1);
    let n = number("BEGET_CONFORMANCE_SUITES", 60);
    let mut source = String::new();
    let mut cases = String::new();
    for seed in first..first + n {
        source.push_str(&generator::module(seed));
        writeln!(cases, "suite_{seed}::case(),").expect("a string");
    }
    writeln!(source, "/// All of them.\npub fn all() -> Vec<Case> {{\nvec![{cases}]\n}}")
        .expect("a string");
    let directory = env::var("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&directory).join("random.rs"), source).expect("the source is written");
}
