//! Hash maps and sets whose keys are equal by their address and alike in form, beside what shares
//! them: which of two keys it shares is told by no key.
#![allow(clippy::disallowed_types, reason = "the order of hash maps is what the suite is about")]

use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::both;
use crate::case::{Case, Scope};
use crate::own::{Show, Sight};

#[derive(Clone, beget::Heap)]
pub struct ById {
    value: Rc<u8>,
}

impl PartialEq for ById {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.value, &other.value)
    }
}

impl Eq for ById {}

impl Hash for ById {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Rc::as_ptr(&self.value).hash(state);
    }
}

#[derive(beget::Heap)]
pub struct Crowd {
    first: Option<ById>,
    last: Option<ById>,
    members: HashSet<ById>,
    next: HashMap<ById, ById>,
}

impl Show for Crowd {
    fn show(&self, sight: &mut Sight<'_>) {
        let one = |one: Option<&ById>, sight: &mut Sight<'_>| {
            one.map(|one| one.value.clone()).show(sight);
        };
        one(self.first.as_ref(), sight);
        one(self.last.as_ref(), sight);
        sight.unordered::<HashSet<ById>, _>(self.members.iter().collect(), |member, sight| {
            member.value.show(sight);
        });
        sight.unordered::<HashMap<ById, ById>, _>(self.next.iter().collect(), |pair, sight| {
            pair.0.value.show(sight);
            pair.1.value.show(sight);
        });
    }
}

/// Of all members anew.
impl Clone for Crowd {
    fn clone(&self) -> Self {
        let mut known: Vec<(ById, ById)> = Vec::new();
        let mut new = |old: &ById| {
            if let Some((_, new)) = known.iter().find(|(known, _)| known == old) {
                return new.clone();
            }
            let new = ById { value: Rc::new(*old.value) };
            known.push((old.clone(), new.clone()));
            new
        };
        Crowd {
            first: self.first.as_ref().map(&mut new),
            last: self.last.as_ref().map(&mut new),
            members: self.members.iter().map(&mut new).collect(),
            next: self.next.iter().map(|(key, value)| (new(key), new(value))).collect(),
        }
    }
}

impl Crowd {
    pub fn new() -> Self {
        Crowd { first: None, last: None, members: HashSet::new(), next: HashMap::new() }
    }

    pub fn join(&mut self) {
        let member = ById { value: Rc::new(0) };
        self.last = Some(member.clone());
        self.first.get_or_insert_with(|| member.clone());
        self.members.insert(member);
    }

    pub fn follow(&mut self) {
        if let (Some(first), Some(last)) = (&self.first, &self.last) {
            self.next.insert(last.clone(), first.clone());
        }
    }

    pub fn lead(&mut self) {
        self.first = self.last.take();
    }

    pub fn leave(&mut self) {
        if let Some(last) = self.last.take() {
            self.members.remove(&last);
        }
    }

    pub fn alone(&mut self) {
        for member in &self.members {
            self.next.entry(member.clone()).or_insert_with(|| member.clone());
        }
    }
}

both! {
    /// Crowds.
    suite Crowds "awkward::tied_keys" {
        for Crowd {
            fn new() -> Self;
            fn join(&mut self);
            fn follow(&mut self);
            fn lead(&mut self);
            fn leave(&mut self);
            fn alone(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Crowds, Scope::of(3))
}
