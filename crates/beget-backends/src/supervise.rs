//! Calls of a subject in worker processes, which may die or hang while the run continues.
//!
//! A [`Supervisor`] makes the calls of a run by workers: processes of the same program, started
//! with the same arguments, that reach [`serve`] with the same plan. It sends them blocks as
//! [messages](beget_engine::message) and adds up their results; it is a
//! [`BlockRunner`](beget_engine::BlockRunner) as the threads are, with the same results.
//!
//! A worker notes each call, by two stores, in a page of memory that its supervisor reads. If the
//! worker dies, or is stopped because the call passes a [limit](CallLimits), the page names the
//! call. The call is made once more, alone, in a fresh process. If that ends in the same way, it is
//! a [finding](beget_plan::finding::Kind::is_fatal); the calls before and behind it are made
//! without it. If not, the whole block is made again, and the death is a finding too.
//!
//! The module does not know terminals, arguments or tests. It uses its clock only for limits:
//! results do not depend on it as long as every call either ends within them or never.
//!
//! # Limits
//!
//! A worker's note needs Linux. Calls that a subject makes on threads of its own, after the call
//! that started them, are blamed on another call; made alone, that one does not die again.
//!
//! # Decisions
//!
//! - **The connection** is a socket in the place of the worker's standard input, a descriptor that
//!   the standard library passes on without unsafe code, and that `cargo beget` uses likewise.
//!   Harnesses and subjects print to the other two, a pipe that the supervisor keeps until the
//!   block is over. Each worker is a process group, so that Ctrl-C is the supervisor's. A thread of
//!   the worker reads the socket, and ends the process with it: no worker outlives its supervisor,
//!   whatever a call does.
//! - **The note.** `CurrentCall` writes the task and the call to words of a shared mapping, by the
//!   stores that it makes anyway; the supervisor reads them from the file. So a death names its
//!   call at once. Without such a page, a block would have to be made again with a message before
//!   each call, or be halved until the call is found: several processes for a death, and as many
//!   time limits for a call that does not return. The mapping is unsafe code, and is in
//!   `crates/beget-process/src/alloc.rs` for that reason.
//! - **Long messages** are in the same file behind the page. Through the socket, both sides waited
//!   for each other.
//! - **The cost when nothing happens** was 1.11 times the processor time on NCL 8, a third of it in
//!   page faults: each message was allocated from memory that the one before had just given back.
//!   Both sides keep freed memory now (`keep_freed_memory` in
//!   `crates/beget-process/src/alloc/process.rs`), and candidates are written and read by words:
//!   34,000 page faults in place of 98,000, and 1.06 times the processor time (medians of
//!   interleaved runs of `generate scopes/roops/ncl.ron -k 8`, `--threads 1` beside `--processes
//!   1`).
//! - **Confirming and continuing** (`confirm.rs`): the call alone, in a fresh process that shows
//!   its panics; then `Block::cut` gives the calls before, which are made again, and those behind.
//!   `BlockResult::append` adds the pieces up. Each death removes a call, so this ends; the work is
//!   that of the block, once more for each death up to its call.
//! - **Own work** is not a call: the note has a bit for it, in the word of the literals, so that
//!   the next call overwrites it and calls that change nothing do not set it. It is set while
//!   structures are reconstructed and walked, with limits twenty times as large
//!   (`OWN_WORK_FACTOR`). Work that passes them is a finding `left_out`, and such a run ends with
//!   `StopReason::LeftOut` in place of `Exhausted`.
//! - **Limits** (`limits.rs`) are checked ten times a second while a worker does not answer, and
//!   never otherwise: when nothing happens they cost nothing. A loop without end takes processor
//!   time even on a busy machine.
//! - Workers are off by default: the case studies neither die nor hang, and measurements are of one
//!   process. Contracts and repOKs are not asked in workers: they go through the whole corpus with
//!   a memory of their own, and are not cut into blocks.
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
