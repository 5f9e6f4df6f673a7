//! Keys that a table gives out, some calls giving none and some a number again, and a key of
//! another table. Structures carry their keys, so the enumerator's side is written by hand: a table
//! with the keys that its calls have returned.

use crate::case::{Case, Scope};
use crate::own::{Argument, Held, Listed, Op, OwnSuite, Pools, Role, Show, Sight, Slot, Token};
use crate::own::{literal_role, ty};
use crate::seen;

seen! {
    #[derive(Clone)]
    pub struct Table { values: Vec<Option<u8>>, free: Vec<u8> }
}

#[derive(Clone, Debug, PartialEq, beget::Heap)]
pub struct Key {
    number: u8,
}

/// Most values of a table: from then on, it gives out no new key.
const MOST: usize = 2;

impl Table {
    pub fn new() -> Self {
        Table { values: Vec::new(), free: Vec::new() }
    }

    /// Odd values are not taken.
    pub fn insert(&mut self, value: u8) -> Option<Key> {
        if value % 2 == 1 {
            return None;
        }
        let number = match self.free.pop() {
            Some(number) => number,
            None if self.values.len() == MOST => return None,
            None => {
                self.values.push(None);
                self.values.len() as u8 - 1
            }
        };
        self.values[usize::from(number)] = Some(value);
        Some(Key { number })
    }

    /// A value whose key nobody has: a key of another table finds it.
    pub fn hide(&mut self) {
        let _ = self.insert(4);
    }

    pub fn remove(&mut self, key: Key) -> Option<u8> {
        let value = self.values.get_mut(usize::from(key.number))?.take()?;
        self.free.push(key.number);
        Some(value)
    }

    pub fn raise(&mut self, key: &Key) -> bool {
        match self.values.get_mut(usize::from(key.number)) {
            Some(Some(value)) => {
                *value = 6;
                true
            }
            _ => false,
        }
    }

    /// The key of the last value, which may have been given out before.
    pub fn last(&mut self) -> Option<Key> {
        let last = self.values.iter().rposition(Option::is_some)?;
        Some(Key { number: last as u8 })
    }

    /// By `&`, so that it is not remembered.
    pub fn first(&self) -> Option<Key> {
        let first = self.values.iter().position(Option::is_some)?;
        Some(Key { number: first as u8 })
    }
}

beget::suite! {
    /// Tables.
    #[name = "awkward::foreign_keys"]
    pub suite Tables {
        for Table {
            fn new() -> Self;
            fn insert(&mut self, value: u8) -> Option<Key>;
            fn hide(&mut self);
            fn remove(&mut self, key: Key) -> Option<u8>;
            fn raise(&mut self, key: &Key) -> bool;
            fn last(&mut self) -> Option<Key>;
            fn first(&self) -> Option<Key>;
        }
        for Key {
            keys;
        }
    }
}

/// A table with the results of the calls that return a key, in their order.
struct Issuer {
    table: Table,
    issued: Vec<Option<Key>>,
}

impl Show for Issuer {
    fn show(&self, sight: &mut Sight<'_>) {
        self.table.show(sight);
        sight.length(self.issued.len());
        for key in &self.issued {
            sight.put(Token::Flag(key.is_some()));
            if let Some(key) = key {
                key.number.show(sight);
            }
        }
    }
}

/// An argument for a key.
#[derive(Clone)]
enum Which {
    Issued(usize),
    Foreign,
}

impl Listed for Which {
    fn all(pools: &Pools) -> Vec<Self> {
        (0..pools.longest).map(Which::Issued).chain([Which::Foreign]).collect()
    }
}

impl Argument for Which {
    fn role(pools: &Pools) -> Role {
        literal_role::<Which>(pools)
    }
}

impl Argument for Issuer {
    fn role(_: &Pools) -> Role {
        Role::Structure(std::any::TypeId::of::<Issuer>())
    }
}

impl Issuer {
    fn key(&self, which: &Which) -> Option<Key> {
        match which {
            Which::Issued(number) => self.issued.get(*number)?.clone(),
            Which::Foreign => self.foreign_key(),
        }
    }

    /// The first key of another table that this one has not issued, within 8 calls for each that
    /// it has and 8 more; the book's chapter on suites has the rule.
    fn foreign_key(&self) -> Option<Key> {
        let mut other = Table::new();
        let n_calls = 8 * (self.issued.len() + 1);
        let mut keys = (0..n_calls).filter_map(|number| other.insert(number as u8 % 8));
        keys.find(|key| !self.issued.contains(&Some(key.clone())))
    }
}

/// The call of `method` with a key, by the slots of an operation: misuse if there is no such key.
fn with_key<R>(slots: &mut [Slot], method: impl FnOnce(&mut Table, Key) -> R) -> bool {
    let mut slots = slots.iter_mut();
    let mut issuer = Held::<Issuer>::take(slots.next());
    let which = Held::<Which>::take(slots.next()).moved();
    let key = issuer.shared().key(&which);
    let is_misuse = key.is_none();
    if let Some(key) = key {
        method(&mut issuer.exclusive().table, key);
    }
    issuer.end();
    is_misuse
}

/// The call of `method`, whose key is remembered.
fn issuing(slots: &mut [Slot], method: impl FnOnce(&mut Table, Option<u8>) -> Option<Key>) {
    let mut slots = slots.iter_mut();
    let mut issuer = Held::<Issuer>::take(slots.next());
    let value = slots.next().map(|slot| Held::<u8>::take(Some(slot)).moved());
    let key = method(&mut issuer.exclusive().table, value);
    issuer.exclusive().issued.push(key);
    issuer.end();
}

fn own() -> OwnSuite {
    let op = |name, params, run| Op { name, params, run };
    let ops = vec![
        op("new", vec![], |_, out| {
            out.push(Some(Box::new(Issuer { table: Table::new(), issued: Vec::new() })));
            false
        }),
        op("insert", vec![Issuer::role, u8::role], |slots, _| {
            issuing(slots, |table, value| table.insert(value.expect("a value")));
            false
        }),
        op("hide", vec![Issuer::role], |slots, _| {
            let mut issuer = Held::<Issuer>::take(slots.first_mut());
            issuer.exclusive().table.hide();
            issuer.end();
            false
        }),
        op("remove", vec![Issuer::role, Which::role], |slots, _| with_key(slots, Table::remove)),
        op("raise", vec![Issuer::role, Which::role], |slots, _| {
            with_key(slots, |table, key| table.raise(&key))
        }),
        op("last", vec![Issuer::role], |slots, _| {
            issuing(slots, |table, _| table.last());
            false
        }),
        op("first", vec![Issuer::role], |slots, _| {
            let mut issuer = Held::<Issuer>::take(slots.first_mut());
            let _ = issuer.shared().table.first();
            issuer.end();
            false
        }),
    ];
    OwnSuite { types: vec![ty::<Issuer>()], ops }
}

pub fn case() -> Case {
    let scope = Scope { ints: vec![0, 1], ..Scope::of(2) };
    Case {
        name: "awkward::foreign_keys".to_owned(),
        suite: <Tables as beget::HasSuite>::suite,
        own,
        scope,
    }
}
