//! The rustdoc JSON of a crate: reading it, and finding types by their public paths.
//!
//! Only the parts in use are read, and all attributes but one are ignored, so one reader serves
//! several formats.

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};

use rustdoc_types::{Attribute, Id, Impl, Item, ItemEnum, ItemSummary};
use serde::Deserialize;
use serde_json::Value;

use crate::error::DiscoverError;
use crate::lower::TypeLookup;

/// The formats whose used parts are the same, from lowest to highest: formats 54 to 61 differ in
/// attributes, in stability and in their data on other crates.
pub const FORMATS: std::ops::RangeInclusive<u32> = 54..=61;

/// The public items of a crate, from its rustdoc JSON.
#[derive(Debug)]
pub struct Document {
    index: BTreeMap<Id, Item>,
    summaries: BTreeMap<Id, ItemSummary>,
    /// The shortest path by which an item can be named from outside.
    public: BTreeMap<Id, String>,
    /// All paths of types, the shortest first.
    types: Vec<(String, Id)>,
    crate_name: String,
    pub(crate) lookup: Cell<TypeLookup>,
}

/// The parts of the file that are read.
#[derive(Deserialize)]
struct DocumentParts {
    root: Id,
    index: BTreeMap<Id, Value>,
    paths: BTreeMap<Id, ItemSummary>,
}

#[derive(Deserialize)]
struct FormatNumber {
    format_version: u32,
}

impl Document {
    /// Reads the text of a file that rustdoc wrote, in time and memory proportional to its size.
    ///
    /// # Errors
    ///
    /// [`DiscoverError::Format`] if its format is none of [`FORMATS`], and
    /// [`DiscoverError::Unreadable`] if it does not match its format.
    pub fn read(json: &str) -> Result<Document, DiscoverError> {
        let FormatNumber { format_version } = serde_json::from_str(json)?;
        if !FORMATS.contains(&format_version) {
            return Err(DiscoverError::Format(format_version));
        }
        let DocumentParts { root, index, paths } = serde_json::from_str(json)?;
        let items = index.into_iter().map(|(id, value)| Ok((id, item(value)?)));
        let index: BTreeMap<Id, Item> = items.collect::<Result<_, serde_json::Error>>()?;
        let crate_name = index.get(&root).and_then(|item| item.name.clone()).unwrap_or_default();
        let mut document = Document {
            index,
            summaries: paths,
            public: BTreeMap::new(),
            types: Vec::new(),
            crate_name,
            lookup: Cell::default(),
        };
        document.name_items(root);
        Ok(document)
    }

    /// The name of the crate in paths.
    pub fn crate_name(&self) -> &str {
        &self.crate_name
    }

    pub(crate) fn item(&self, id: Id) -> Option<&Item> {
        self.index.get(&id)
    }

    pub(crate) fn summary(&self, id: Id) -> Option<&ItemSummary> {
        self.summaries.get(&id)
    }

    /// The name of the item from outside, if it has one.
    pub(crate) fn public_path(&self, id: Id) -> Option<&str> {
        self.public.get(&id).map(String::as_str)
    }

    /// The implementations of a struct, enum or union, with and without a trait; excludes automatic
    /// and blanket ones.
    pub(crate) fn impls(&self, id: Id) -> impl Iterator<Item = &Impl> {
        let ids: &[Id] = match self.item(id).map(|item| &item.inner) {
            Some(ItemEnum::Struct(one)) => &one.impls,
            Some(ItemEnum::Enum(one)) => &one.impls,
            Some(ItemEnum::Union(one)) => &one.impls,
            _ => &[],
        };
        let is_written =
            |one: &&Impl| !one.is_synthetic && !one.is_negative && one.blanket_impl.is_none();
        ids.iter().filter_map(|id| self.impl_of(*id)).filter(is_written)
    }

    pub(crate) fn impl_of(&self, id: Id) -> Option<&Impl> {
        match &self.item(id)?.inner {
            ItemEnum::Impl(one) => Some(one),
            _ => None,
        }
    }

    /// The implementations of a trait of the crate, in any order of their own.
    pub(crate) fn implementors(&self, id: Id) -> impl Iterator<Item = &Impl> {
        let ids: &[Id] = match self.item(id).map(|item| &item.inner) {
            Some(ItemEnum::Trait(one)) => &one.implementations,
            _ => &[],
        };
        ids.iter().filter_map(|id| self.impl_of(*id))
    }

    /// Returns whether an implementation is derived.
    pub(crate) fn is_derived(&self, of: &Impl) -> bool {
        let holds = |item: &Item| match &item.inner {
            ItemEnum::Impl(one) => std::ptr::eq(one, of),
            _ => false,
        };
        let item = self.index.values().find(|item| holds(item));
        item.is_some_and(|item| item.attrs.contains(&Attribute::AutomaticallyDerived))
    }

    /// The type that a user names by its path, with or without the crate, or by its last segment.
    ///
    /// # Errors
    ///
    /// [`DiscoverError::NoType`] with the nearest types if there is none, and
    /// [`DiscoverError::ManyTypes`] if several types have that last segment.
    pub fn find_type(&self, path: &str) -> Result<Id, DiscoverError> {
        let wanted = path.trim_start_matches("::");
        let (first, rest) = wanted.split_once("::").unwrap_or(("", wanted));
        let rest = if first.replace('-', "_") == self.crate_name { rest } else { wanted };
        let full = format!("{}::{rest}", self.crate_name);
        if let Some((_, id)) = self.types.iter().find(|(path, _)| *path == full) {
            return Ok(*id);
        }
        let suffix = format!("::{rest}");
        let mut named: Vec<_> =
            self.types.iter().filter(|(path, _)| path.ends_with(&suffix)).collect();
        named.dedup_by_key(|(_, id)| *id);
        match named[..] {
            [(_, id)] => Ok(*id),
            [] => Err(DiscoverError::NoType {
                name: path.to_owned(),
                krate: self.crate_name.clone(),
                candidates: self.candidates(rest),
            }),
            _ => Err(DiscoverError::ManyTypes {
                name: path.to_owned(),
                candidates: named.iter().map(|(path, _)| path.clone()).collect(),
            }),
        }
    }

    /// The trait that a user names by its path, as [`Document::find_type`] takes it; none if
    /// several have it.
    pub(crate) fn find_trait(&self, path: &str) -> Option<Id> {
        let own = format!("{}::", self.crate_name);
        let wanted = path.trim_start_matches("::");
        let suffix = format!("::{}", wanted.strip_prefix(&own).unwrap_or(wanted));
        let is_trait =
            |id: &Id| self.item(*id).is_some_and(|item| matches!(item.inner, ItemEnum::Trait(_)));
        let named = self.public.iter().filter(|(id, path)| path.ends_with(&suffix) && is_trait(id));
        match named.map(|(id, _)| *id).collect::<Vec<_>>()[..] {
            [id] => Some(id),
            _ => None,
        }
    }

    /// The public types with functions, those with similar names first.
    fn candidates(&self, wanted: &str) -> Vec<String> {
        let has_functions = |id: Id| {
            self.impls(id).any(|one| one.trait_.is_none() && !one.items.is_empty())
                || matches!(self.item(id).map(|item| &item.inner), Some(ItemEnum::TypeAlias(_)))
        };
        let mut found: Vec<(String, Id)> = Vec::new();
        for (path, id) in &self.types {
            if has_functions(*id) && !found.iter().any(|(_, known)| known == id) {
                found.push((path.clone(), *id));
            }
        }
        let last = |path: &str| path.rsplit("::").next().unwrap_or_default().to_lowercase();
        let distance = |path: &str| strsim::damerau_levenshtein(&last(path), &last(wanted));
        found.sort_by_key(|(path, _)| (distance(path), path.len()));
        found.into_iter().map(|(path, _)| path).collect()
    }

    /// Finds everything that can be named from outside, breadth first, so that the first path is a
    /// shortest.
    fn name_items(&mut self, root: Id) {
        let mut queue = VecDeque::from([(root, self.crate_name.clone())]);
        let mut seen = std::collections::BTreeSet::new();
        while let Some((module, path)) = queue.pop_front() {
            if !seen.insert((module, path.clone())) || path.matches("::").count() > 8 {
                continue;
            }
            // A module of another crate, all of whose names are reexported, is not in the index.
            let Some(ItemEnum::Module(module)) = self.item(module).map(|item| &item.inner) else {
                continue;
            };
            for id in module.items.clone() {
                self.name_item(id, &path, None, &mut queue);
            }
        }
        self.types.sort_by_key(|(path, _)| path.matches("::").count());
    }

    fn name_item(
        &mut self,
        id: Id,
        path: &str,
        name: Option<&str>,
        queue: &mut VecDeque<(Id, String)>,
    ) {
        let Some(item) = self.index.get(&id) else { return };
        let inner = |name: &str| format!("{path}::{name}");
        match &item.inner {
            ItemEnum::Use(import) => {
                let Some(target) = import.id else { return };
                if import.is_glob {
                    queue.push_back((target, path.to_owned()));
                } else {
                    let name = import.name.clone();
                    self.name_item(target, path, Some(&name), queue);
                }
            }
            kind => {
                let Some(name) = name.or(item.name.as_deref()) else { return };
                let full = inner(name);
                match kind {
                    ItemEnum::Module(_) => queue.push_back((id, full.clone())),
                    ItemEnum::Struct(_)
                    | ItemEnum::Enum(_)
                    | ItemEnum::Union(_)
                    | ItemEnum::TypeAlias(_) => self.types.push((full.clone(), id)),
                    _ => {}
                }
                self.public.entry(id).or_insert(full);
            }
        }
    }
}

/// An item with the one attribute that is used: others change with the formats.
fn item(mut value: Value) -> Result<Item, serde_json::Error> {
    if let Some(attributes) = value.get_mut("attrs").and_then(Value::as_array_mut) {
        attributes.retain(|attribute| attribute == "automatically_derived");
    }
    serde_json::from_value(value)
}
