//! The search of a list by what only reading a structure tells: its fields, its recipe, its calls.
//!
//! A file of a million structures takes seconds to read, and a page must not. So a search goes on
//! in short steps: one when its page is asked for, more while the server has nothing else to do. A
//! page shows what is found so far, and says so.

use std::io;
use std::time::{Duration, Instant};

use crate::error::CliError;
use crate::interrupt;
use crate::records::StructureRecord;

use super::filter::{Filter, FilterError};
use super::index::Index;
use super::live::LiveFilter;
use super::query::ListQuery;

/// The longest step, which is most of the time of a page.
pub(super) const STEP: Duration = Duration::from_millis(80);
/// The most structures that calls and repOKs are run on for a list.
pub(super) const MOST_ASKED: usize = 2_000;

/// A search that is done or goes on.
#[derive(Debug)]
pub(super) struct ListSearch {
    query: ListQuery,
    filter: Option<Filter>,
    level: Option<u32>,
    objects: Option<u32>,
    /// The structures that need not be read again lie before this position.
    n_read: usize,
    /// The positions that are chosen.
    chosen: Vec<u32>,
    /// The structures that calls and repOKs are to be run on, when all are read.
    to_ask: Vec<(u32, StructureRecord)>,
    /// The structures that calls and repOKs are not run on, because there are too many.
    n_not_asked: usize,
    is_done: bool,
    /// Why calls or repOKs could not be run.
    problem: Option<String>,
}

impl ListSearch {
    /// A search that has read nothing.
    ///
    /// # Errors
    /// If the text of the filter is wrong.
    pub(super) fn new(query: &ListQuery) -> Result<ListSearch, FilterError> {
        let text = query.filter.trim();
        let filter = if text.is_empty() { None } else { Some(Filter::parse(text)?) };
        let [level, objects] = query.numbers();
        Ok(ListSearch {
            query: query.clone(),
            filter,
            level,
            objects,
            n_read: 0,
            chosen: Vec::new(),
            to_ask: Vec::new(),
            n_not_asked: 0,
            is_done: false,
            problem: None,
        })
    }

    pub(super) fn is_of(&self, query: &ListQuery) -> bool {
        self.query == *query
    }

    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    /// The positions that are chosen so far, in order.
    pub(super) fn chosen(&self) -> &[u32] {
        &self.chosen
    }

    pub(super) fn n_read(&self) -> usize {
        self.n_read
    }

    pub(super) fn n_not_asked(&self) -> usize {
        self.n_not_asked
    }

    pub(super) fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// Reads on until the moment, and at least one structure. What needs no reading is not cut.
    /// `select` chooses by calls and repOKs, when all is read.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(super) fn go_on(
        &mut self,
        index: &Index,
        end: Instant,
        select: impl FnOnce(Vec<(u32, StructureRecord)>, &LiveFilter) -> Result<Vec<u32>, CliError>,
    ) -> io::Result<()> {
        let needs_reading = self.query.needs_reading();
        while !self.is_done && self.n_read < index.len() {
            self.look_at(self.n_read, index)?;
            self.n_read += 1;
            // Ctrl-C does not wait for a search either.
            if needs_reading && (Instant::now() >= end || interrupt::is_interrupted()) {
                break;
            }
        }
        if self.is_done || self.n_read < index.len() {
            return Ok(());
        }
        self.is_done = true;
        if !self.query.live.is_empty() {
            match select(std::mem::take(&mut self.to_ask), &self.query.live) {
                Ok(chosen) => self.chosen = chosen,
                Err(error) => self.problem = Some(error.to_string()),
            }
        }
        Ok(())
    }

    fn look_at(&mut self, at: usize, index: &Index) -> io::Result<()> {
        let is_near = self.level.is_none_or(|level| index.calls(at) == level)
            && self.objects.is_none_or(|objects| index.objects(at) == objects);
        if !is_near {
            return Ok(());
        }
        if !self.query.needs_reading() {
            self.chosen.push(at as u32);
            return Ok(());
        }
        let structure = index.read(at)?;
        let has_call = structure.recipe.iter().any(|line| line.contains(&self.query.call));
        if !has_call || self.filter.as_ref().is_some_and(|filter| !filter.holds(&structure)) {
            return Ok(());
        }
        match self.query.live.is_empty() {
            true => self.chosen.push(at as u32),
            false if self.to_ask.len() < MOST_ASKED => self.to_ask.push((at as u32, structure)),
            false => self.n_not_asked += 1,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Structures whose field `n` is their number, some with `f(1)` in their recipes.
    fn index(n_structures: u32) -> Index {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("structures.jsonl");
        let line = |id: u32| {
            json!({
                "id": id, "type": "T", "calls": 1, "form": id.to_string(), "variable": "t",
                "recipe": [format!("let t = T::f({});", id % 3)],
                "heap": [{"object": 0, "class": "T", "fields": {"n": id}}],
            })
        };
        let lines: String = (0..n_structures).map(|id| format!("{}\n", line(id))).collect();
        std::fs::write(&path, lines).unwrap();
        Index::of(&path).unwrap()
    }

    fn selected(asked: Vec<(u32, StructureRecord)>, _: &LiveFilter) -> Result<Vec<u32>, CliError> {
        Ok(asked.into_iter().map(|(at, _)| at).filter(|at| at % 2 == 0).collect())
    }

    #[test]
    fn a_search_in_steps_finds_what_one_look_finds_and_grows_to_it() {
        let index = index(20);
        let by_filter = ListQuery { filter: "n > 6".to_owned(), ..ListQuery::default() };
        let by_call = ListQuery { call: "f(1)".to_owned(), ..by_filter.clone() };
        let live = LiveFilter { method: "f".to_owned(), ..LiveFilter::default() };
        let by_live = ListQuery { live, ..by_call.clone() };
        for (query, expected) in [
            (by_filter, (7..20).collect::<Vec<u32>>()),
            (by_call, vec![7, 10, 13, 16, 19]),
            (by_live, vec![10, 16]),
        ] {
            let mut search = ListSearch::new(&query).unwrap();
            let mut n_steps = 0;
            while !search.is_done() {
                assert!(expected.starts_with(search.chosen()), "{query:?}");
                search.go_on(&index, Instant::now(), selected).unwrap();
                n_steps += 1;
                assert_eq!(search.n_read(), n_steps, "a step reads one structure at least");
            }
            assert_eq!(search.chosen(), expected, "{query:?}");
            assert_eq!(n_steps, 20);
        }
    }

    #[test]
    fn what_needs_no_reading_takes_one_step() {
        let index = index(20);
        let mut search = ListSearch::new(&ListQuery { level: "1".into(), ..ListQuery::default() });
        let search = search.as_mut().unwrap();
        search.go_on(&index, Instant::now(), selected).unwrap();
        assert!(search.is_done());
        assert_eq!(search.chosen().len(), 20);
    }

    #[test]
    fn calls_are_run_on_the_first_structures_only_and_the_others_are_counted() {
        let n_structures = MOST_ASKED as u32 + 5;
        let live = LiveFilter { method: "f".to_owned(), ..LiveFilter::default() };
        let mut search = ListSearch::new(&ListQuery { live, ..ListQuery::default() }).unwrap();
        let end = Instant::now() + Duration::from_secs(3600);
        search.go_on(&index(n_structures), end, selected).unwrap();
        assert_eq!(search.n_not_asked(), 5);
        assert_eq!(search.chosen().len(), MOST_ASKED / 2);
    }
}
