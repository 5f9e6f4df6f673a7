//! Calls of a subject in worker processes, which may die or hang: the run goes on.
//!
//! A [`Supervisor`] makes the calls of a run by workers: processes of the same program, started
//! with the same arguments, that end up in [`serve`] with the same plan. It gives them blocks as
//! [messages](beget_engine::message) and adds up what they send back; it is a
//! [`BlockRunner`](beget_engine::BlockRunner) as the threads are, with the same results.
//!
//! A worker notes each call, by two stores, in a page of memory that its supervisor reads. If the
//! worker dies, or is stopped because the call passes a [limit](CallLimits), the page names the
//! call. It is made once more, alone, in a fresh process. If that ends in the same way, it is a
//! [finding](beget_plan::finding::Kind::is_fatal); the calls before it and behind it are made as if
//! it were not there. If not, the block is made again as a whole, and the death is a finding too.
//!
//! The crate does not know of terminals, arguments or tests. It has its clock only for limits:
//! results do not depend on it as long as every call either ends within them or never.
//!
//! # Limits
//!
//! A worker's note needs Linux. Calls that a subject makes on threads of its own, after the call
//! that started them, are blamed on another call; made alone, that one does not die again.
#![warn(missing_docs)]
#![cfg(unix)]

mod confirm;
mod death;
mod frame;
mod limits;
mod output;
mod page;
mod process;
mod supervisor;
mod worker;

pub use limits::CallLimits;
pub use process::StartError;
pub use supervisor::{Remains, Supervisor, WorkerStart};
pub use worker::{connection, is_worker, serve};
