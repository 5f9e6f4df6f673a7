//! Pairs, observers, seeds, field extensions.

mod common;

use beget::{HasSuite, Heap};
use beget_builders::{
    Evolution, Exact, Found, Genetic, Goal, Search, Settings, Space, Stage, Stopped, confirm,
    extensions_of, find, identify,
};
use beget_engine::{Explorer, StopReason};
use beget_heap::extensions::{Extension, Source, Target};
use common::{ToyMethod, drawn, plan, toys};

/// A tally that only grows with the help of a stick.
#[derive(Clone, Debug, Heap)]
pub struct Tally {
    notches: u8,
}

/// What notches are cut with.
#[derive(Clone, Debug, Heap)]
pub struct Knife {
    is_sharp: bool,
}
