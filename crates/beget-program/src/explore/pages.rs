//! The pages of the explorer: what an address shows.
//!
//! A page is a function of the address alone, so an address that is kept or sent shows the same,
//! as soon as its search is done. The module knows no sockets.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::time::Instant;

use askama::Template;
use beget_heap::FormRef;

use crate::records::{
    ChangeMarks, FieldRecord, Header, ObjectRecord, StructureRecord, figure, hex, shown,
};

use beget_search::run::{LiveCall, LiveCalls, LiveOutcome};

use super::index::Index;
use super::live::LiveRun;
use super::query::{ListQuery, value_of};
use super::search::{ListSearch, MOST_ASKED, STEP};

/// Structures on a page of a list.
const PAGE_LENGTH: usize = 100;
/// The outcomes of a call in the form.
const OUTCOMES: [&str; 4] = ["returned", "out of scope", "misuse", "failure"];
/// The most continuations that a page of a structure lists.
const MOST_CHILDREN: usize = 100;

/// The directory that is explored.
pub(super) struct Site {
    index: Index,
    /// Structures by level and by size, counted once.
    by_level: BTreeMap<u32, u64>,
    by_objects: BTreeMap<u32, u64>,
    header: Header,
    live: LiveRun,
    /// The search of the last list: the next page of it needs no new one.
    search: RefCell<Option<ListSearch>>,
}

/// The answer to a request.
pub(super) struct PageReply {
    pub(super) status: u16,
    pub(super) html: String,
}

#[derive(Template)]
#[template(path = "explore/page.html")]
struct SiteTemplate<'p> {
    page: &'p SitePage,
}

/// A page with the parts that it has.
#[derive(Default)]
struct SitePage {
    suite: String,
    k: u32,
    /// The methods of the run, for its form.
    methods: Vec<String>,
    title: String,
    problem: String,
    form: Option<ListQuery>,
    /// A search goes on, and more may come to this page.
    grows: bool,
    lines: Vec<String>,
    picture: String,
    tables: Vec<LinkTable>,
    code: String,
    /// A link to more about it.
    onward: Option<LinkedText>,
    previous: Option<String>,
    next: Option<String>,
}

struct LinkTable {
    title: &'static str,
    none: &'static str,
    columns: Vec<&'static str>,
    rows: Vec<Vec<LinkedText>>,
}

#[derive(Default)]
struct LinkedText {
    text: String,
    link: String,
}

impl Site {
    pub(super) fn new(index: Index, header: Header, live: LiveRun) -> Site {
        let count = |number: &dyn Fn(usize) -> u32| {
            let mut counts = BTreeMap::new();
            (0..index.len()).for_each(|at| *counts.entry(number(at)).or_default() += 1);
            counts
        };
        let (by_level, by_objects) = (count(&|at| index.calls(at)), count(&|at| index.objects(at)));
        Site { by_level, by_objects, index, header, live, search: RefCell::default() }
    }

    /// The answer to an address: a path and what stands behind its question mark.
    pub(super) fn answer(&self, address: &str) -> PageReply {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let found = match path {
            "/" => Ok((200, self.overview())),
            "/structures" => self.list(query),
            _ => match structure_of(path) {
                Some((id, false)) => self.structure(id),
                Some((id, true)) => self.calls(id),
                None => Ok((404, self.problem("No such page", "The overview has all links."))),
            },
        };
        let (status, page) = found.unwrap_or_else(|error| {
            (500, self.problem("The file of structures cannot be read", &error.to_string()))
        });
        let Header { suite, k, methods, .. } = self.header.clone();
        let page = SitePage { suite, k, methods, ..page };
        let html = SiteTemplate { page: &page }.render();
        PageReply { status, html: html.unwrap_or_else(|error| error.to_string()) }
    }

    fn problem(&self, title: &str, problem: &str) -> SitePage {
        SitePage { title: title.to_owned(), problem: problem.to_owned(), ..SitePage::default() }
    }

    fn overview(&self) -> SitePage {
        let rows = |counts: &BTreeMap<u32, u64>, key: &str| {
            let row = |(number, count): (&u32, &u64)| {
                let link = format!("/structures?{key}={number}");
                vec![LinkedText { text: number.to_string(), link }, LinkedText::text(count)]
            };
            counts.iter().map(row).collect()
        };
        let levels = rows(&self.by_level, "level");
        let sizes = rows(&self.by_objects, "objects");
        let state = match self.header.complete {
            true => "The run is complete.".to_owned(),
            false => {
                format!("The run is incomplete: {}.", self.header.stop_reason.replace('_', " "))
            }
        };
        let lines = vec![state, format!("Methods: {}.", self.header.methods.join(", "))];
        let table = |title, first, rows| LinkTable {
            title,
            none: "There are no structures.",
            columns: vec![first, "structures"],
            rows,
        };
        SitePage {
            title: format!("{} structures of {}", self.index.len(), self.header.suite),
            form: Some(ListQuery::default()),
            lines,
            tables: vec![
                table("By level: the calls of a shortest recipe", "level", levels),
                table("By size: objects of all classes, the value itself too", "objects", sizes),
            ],
            ..SitePage::default()
        }
    }

    fn list(&self, query: &str) -> io::Result<(u16, SitePage)> {
        let choice = ListQuery::of(query);
        let page: usize = value_of(query, "page").parse().unwrap_or(0);
        let refused = |problem: &str| {
            let page = self.problem("The filter cannot be applied", problem);
            Ok((400, SitePage { form: Some(choice.clone()), ..page }))
        };
        if !self.search.borrow().as_ref().is_some_and(|search| search.is_of(&choice)) {
            match ListSearch::new(&choice) {
                Ok(search) => *self.search.borrow_mut() = Some(search),
                Err(error) => return refused(&error.to_string()),
            }
        }
        self.search_on()?;
        let search = self.search.borrow();
        let search = search.as_ref().expect("a search was begun");
        if let Some(problem) = search.problem() {
            return refused(problem);
        }
        let chosen = search.chosen();
        let n_pages = chosen.len().div_ceil(PAGE_LENGTH).max(1);
        let shown = chosen.iter().skip(page.saturating_mul(PAGE_LENGTH)).take(PAGE_LENGTH);
        let rows: Vec<_> = shown.map(|&at| self.row(at as usize)).collect::<io::Result<_>>()?;
        let link = |page: usize| format!("/structures?{}&page={page}", choice.to_query());
        let title = match search.is_done() {
            true => format!("{} structures, page {} of {n_pages}", chosen.len(), page + 1),
            false => format!("{} structures so far, page {}", chosen.len(), page + 1),
        };
        let page = SitePage {
            title,
            lines: self.state_of(search),
            // A full page stays as it is.
            grows: !search.is_done() && rows.len() < PAGE_LENGTH,
            tables: vec![LinkTable {
                title: "Structures",
                none: "None on this page.",
                columns: vec!["structure", "level", "objects", "last call"],
                rows,
            }],
            previous: page.checked_sub(1).map(link),
            next: (page + 1 < n_pages).then(|| link(page + 1)),
            form: Some(choice),
            ..SitePage::default()
        };
        Ok((200, page))
    }

    /// What a list does not have, in words.
    fn state_of(&self, search: &ListSearch) -> Vec<String> {
        let going_on = (!search.is_done()).then(|| {
            format!(
                "The search goes on: {} of {} structures are read.",
                search.n_read(),
                self.index.len()
            )
        });
        let not_asked = (search.n_not_asked() > 0).then(|| {
            format!(
                "Calls and repOKs are run on the first {MOST_ASKED} structures that the other fields leave; \
                 {} more are not asked.",
                search.n_not_asked()
            )
        });
        going_on.into_iter().chain(not_asked).collect()
    }

    /// Goes on with the search of the last list for a step, and returns whether it is done.
    pub(super) fn search_on(&self) -> io::Result<bool> {
        match self.search.borrow_mut().as_mut() {
            Some(search) => {
                let select = |asked, filter: &_| self.live.select(asked, filter);
                search.go_on(&self.index, Instant::now() + STEP, select)?;
                Ok(search.is_done())
            }
            None => Ok(true),
        }
    }

    fn row(&self, at: usize) -> io::Result<Vec<LinkedText>> {
        let structure = self.index.read(at)?;
        let last = structure.recipe.last().cloned().unwrap_or_default();
        Ok(vec![
            LinkedText::structure(structure.id),
            LinkedText::text(structure.calls),
            LinkedText::text(self.index.objects(at)),
            LinkedText::text(last),
        ])
    }

    fn structure(&self, id: u64) -> io::Result<(u16, SitePage)> {
        let Some(at) = self.index.position(id) else {
            let problem = format!("There are {} structures, by number.", self.index.len());
            return Ok((404, self.problem(&format!("No structure {id}"), &problem)));
        };
        let structure = self.index.read(at)?;
        let title = format!("{} {id}", structure.ty);
        let heap = structure.heap.as_deref().unwrap_or_default();
        let picture = figure(heap, &title, &ChangeMarks::default());
        let plural = if structure.calls == 1 { "" } else { "s" };
        let mut lines = vec![format!("Built by {} call{plural} at least.", structure.calls)];
        if picture.is_none() {
            lines.push("Too large to draw, or not reconstructed.".to_owned());
        }
        let neighbour = |at: usize| format!("/structure/{}", self.index.id(at));
        let page = SitePage {
            lines,
            picture: picture.unwrap_or_default(),
            tables: vec![self.calls_in(at, &structure)?, self.calls_out(at)?, fields(heap)],
            code: structure.recipe.join("\n"),
            onward: Some(LinkedText {
                text: "Make every call on it".to_owned(),
                link: format!("/structure/{id}/calls"),
            }),
            previous: at.checked_sub(1).map(neighbour),
            next: (at + 1 < self.index.len()).then(|| neighbour(at + 1)),
            title,
            ..SitePage::default()
        };
        Ok((200, page))
    }

    /// The calls on a structure, made now.
    fn calls(&self, id: u64) -> io::Result<(u16, SitePage)> {
        let Some(at) = self.index.position(id) else { return self.structure(id) };
        let structure = self.index.read(at)?;
        let back =
            LinkedText { text: format!("{} {id}", structure.ty), link: format!("/structure/{id}") };
        let title = format!("Calls on {} {id}", structure.ty);
        let neighbour = |at: usize| format!("/structure/{}/calls", self.index.id(at));
        let page = SitePage {
            onward: Some(back),
            previous: at.checked_sub(1).map(neighbour),
            next: (at + 1 < self.index.len()).then(|| neighbour(at + 1)),
            ..SitePage::default()
        };
        let made = match self.live.calls_on(&structure) {
            Ok(made) => made,
            Err(error) => {
                let problem = error.to_string();
                let title = format!("{title} cannot be made");
                return Ok((503, SitePage { title, problem, ..page }));
            }
        };
        let mut lines =
            vec!["Each call was made now, on a structure that its recipe built.".to_owned()];
        if made.n_left_out > 0 {
            lines.push(format!("{} more calls are not made: they are too many.", made.n_left_out));
        }
        if !made.with_others.is_empty() {
            let names = made.with_others.join(", ");
            lines.push(format!("Not made, since they take another structure too: {names}."));
        }
        let tables = vec![outcomes(&made), self.made(&made, &structure)?];
        Ok((200, SitePage { title, lines, tables, code: structure.recipe.join("\n"), ..page }))
    }

    /// One row for each structure that a call left, or one for the call.
    fn made(&self, made: &LiveCalls, structure: &StructureRecord) -> io::Result<LinkTable> {
        let mut rows = Vec::new();
        for call in &made.calls {
            let begin =
                || [&call.source, &call.outcome.to_string(), &call.message].map(LinkedText::text);
            if call.left.is_empty() {
                rows.push(begin().into_iter().chain([LinkedText::default()]).collect());
            }
            for left in &call.left {
                let leads_to = self.leads_to(left.form.as_deref(), structure)?;
                rows.push(begin().into_iter().chain([leads_to]).collect());
            }
        }
        Ok(LinkTable {
            title: "Calls out",
            none: "No method of the run takes it alone.",
            columns: vec!["call", "outcome", "returned", "leads to"],
            rows,
        })
    }

    /// The structure with a form.
    fn leads_to(&self, form: Option<&[u8]>, from: &StructureRecord) -> io::Result<LinkedText> {
        let Some(form) = form.map(|form| hex(FormRef::new(form))) else {
            return Ok(LinkedText::text("out of scope"));
        };
        if form == from.form {
            return Ok(LinkedText::text("itself"));
        }
        Ok(match self.index.position_of_form(&form)? {
            Some(at) => LinkedText::structure(self.index.id(at)),
            None => LinkedText::text("not in the file"),
        })
    }

    /// The last call of the recipe, and what it was made on.
    fn calls_in(&self, at: usize, structure: &StructureRecord) -> io::Result<LinkTable> {
        let call = LinkedText::text(structure.recipe.last().cloned().unwrap_or_default());
        let from = match self.index.parent(at) {
            Some(parent) => LinkedText::structure(self.index.id(parent)),
            None if structure.calls <= 1 => LinkedText::text("nothing: a constructor"),
            None => LinkedText::text("several structures: see the recipe"),
        };
        let rows = vec![vec![call, from]];
        Ok(LinkTable { title: "Call in", none: "", columns: vec!["call", "made on"], rows })
    }

    /// The calls that found other structures from this one first.
    fn calls_out(&self, at: usize) -> io::Result<LinkTable> {
        let children = self.index.children(at);
        let row = |&child: &usize| {
            let structure = self.index.read(child)?;
            let call = structure.recipe.last().cloned().unwrap_or_default();
            Ok(vec![LinkedText::text(call), LinkedText::structure(structure.id)])
        };
        Ok(LinkTable {
            title: "Calls out that found a new structure",
            none: "No call on this structure left one that was not known yet.",
            columns: vec!["call", "leads to"],
            rows: children.iter().take(MOST_CHILDREN).map(row).collect::<io::Result<_>>()?,
        })
    }
}

/// The structure that a path names, and whether it asks for the calls on it.
fn structure_of(path: &str) -> Option<(u64, bool)> {
    let rest = path.strip_prefix("/structure/")?;
    let (id, asks_for_calls) = match rest.strip_suffix("/calls") {
        Some(id) => (id, true),
        None => (rest, false),
    };
    Some((id.parse().ok()?, asks_for_calls))
}

/// The calls of each method by outcome.
fn outcomes(made: &LiveCalls) -> LinkTable {
    const ALL: [LiveOutcome; 4] =
        [LiveOutcome::Returned, LiveOutcome::Misuse, LiveOutcome::Failed, LiveOutcome::Unknown];
    let row = |calls: &[LiveCall]| {
        let count = |outcome| calls.iter().filter(|call| call.outcome == outcome).count();
        std::iter::once(LinkedText::text(calls[0].method))
            .chain(ALL.map(|outcome| LinkedText::text(count(outcome))))
            .collect()
    };
    LinkTable {
        title: "By method",
        none: "There are none.",
        columns: vec!["method", "returned", "misuse", "failure", "unknown"],
        rows: made.calls.chunk_by(|one, next| one.method == next.method).map(row).collect(),
    }
}

/// The heap as a table, for those who cannot see the picture.
fn fields(heap: &[ObjectRecord]) -> LinkTable {
    let rows_of = |object: &ObjectRecord| -> Vec<Vec<LinkedText>> {
        let name = format!("{}#{}", object.class, object.object);
        let row = |(field, value): (&String, &FieldRecord)| {
            vec![LinkedText::text(&name), LinkedText::text(field), LinkedText::text(shown(value))]
        };
        object.fields.iter().map(row).collect()
    };
    LinkTable {
        title: "Fields",
        none: "It has no fields.",
        columns: vec!["object", "field", "value"],
        rows: heap.iter().flat_map(rows_of).collect(),
    }
}

impl LinkedText {
    fn text(text: impl ToString) -> LinkedText {
        LinkedText { text: text.to_string(), link: String::new() }
    }

    fn structure(id: u64) -> LinkedText {
        LinkedText { text: id.to_string(), link: format!("/structure/{id}") }
    }
}
