//! Eight kinds of types as crates have them, each with what beget needs of it. The book's cookbook
//! shows their declarations.
//!
//! beget is a dev-dependency, and all its marks stand behind `cfg_attr(test, ..)`.

mod bytes;
mod cache;
mod connection;
mod deque;
mod intervals;
mod node;
mod outline;
mod pipeline;

pub use bytes::Bytes;
pub use cache::Cache;
pub use connection::{Connection, Event, Refused};
pub use deque::Deque;
pub use intervals::Intervals;
pub use node::Node;
pub use outline::Outline;
pub use pipeline::{AtMost, Pipeline, Plus, Step};
