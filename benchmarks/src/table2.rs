//! What builders and state matching are worth: the builders of every case study ([`sets`]), and
//! generation with and without either ([`ablation`]), after BEAPI (Politano et al., FASE 2023),
//! section 4.2, and Ponzio et al. (FASE 2019), section 5.
//!
//! Which subjects, at which scope, and what the papers say of them is data ([`data`]). Every number
//! comes from a run of `beget` as a process of its own ([`runner`]), which is kept in a journal
//! ([`journal`]), so that a measurement goes on where it was stopped.

pub mod data;
pub mod journal;
pub mod runner;

pub mod ablation;
pub mod sets;

mod ablation_text;
mod sets_text;
mod text;

#[cfg(test)]
mod tests;
