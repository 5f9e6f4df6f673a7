//! Runs one rival as a process of its own and prints its counters as one line of JSON.

use beget_benchmarks::outcome::{Outcome, expected};
use beget_benchmarks::{floor, naive, stateright_model};
use clap::{Parser, Subcommand};

/// Enumerate NodeCachingLinkedList with an engine other than beget.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    engine: Engine,
    /// Scope: literals `0..k`, at most `k` nodes.
    #[arg(short, long, global = true, default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=14))]
    k: u8,
}

#[derive(Subcommand)]
enum Engine {
    /// The whole list in one machine word.
    Floor,
    /// A model for the checker stateright, breadth-first.
    Stateright {
        /// Worker threads of the checker.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
        threads: u8,
        /// Use one word for a state instead of an arena of nodes.
        #[arg(long)]
        words: bool,
    },
    /// Ordinary objects, every call sequence replayed from scratch.
    Naive,
}

fn main() {
    let Arguments { engine, k } = Arguments::parse();
    let outcome = run(&engine, k);
    println!("{}", serde_json::to_string(&outcome).expect("counters have a JSON form"));
    if outcome != expected(k) {
        eprintln!("wrong counts at scope {k}: expected {:?}", expected(k));
        std::process::exit(1);
    }
}

fn run(engine: &Engine, k: u8) -> Outcome {
    match engine {
        Engine::Floor => floor::run(k),
        Engine::Stateright { threads, words: false } => {
            stateright_model::run(k, usize::from(*threads))
        }
        Engine::Stateright { threads, words: true } => {
            stateright_model::run_words(k, usize::from(*threads))
        }
        Engine::Naive => naive::run(k),
    }
}
