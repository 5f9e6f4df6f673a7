//! Literals of every kind: enums of the subject's own, slices, vectors, options, tuples, units.

use beget::Domain;

use crate::case::{Case, Scope};
use crate::own::{Argument, Listed, Pools, Role, literal_role};
use crate::{both, seen};

#[derive(Clone, Debug, Domain)]
pub enum Order {
    Clear,
    Set { key: u8, on: bool },
    Both(Option<bool>, u8),
}

impl Listed for Order {
    fn all(pools: &Pools) -> Vec<Self> {
        let mut all = vec![Order::Clear];
        all.extend(<(u8, bool)>::all(pools).into_iter().map(|(key, on)| Order::Set { key, on }));
        let both = <(Option<bool>, u8)>::all(pools);
        all.extend(both.into_iter().map(|(maybe, key)| Order::Both(maybe, key)));
        all
    }
}

impl Argument for Order {
    fn role(pools: &Pools) -> Role {
        literal_role::<Order>(pools)
    }
}

seen! {
    #[derive(Clone)]
    pub struct Lamp { lit: Vec<bool>, last: Option<(u8, bool)> }
}

impl Lamp {
    pub fn new(lit: Vec<bool>) -> Self {
        Lamp { lit, last: None }
    }

    pub fn order(&mut self, order: Order) {
        self.last = match order {
            Order::Clear => None,
            Order::Set { key, on } => Some((key, on)),
            Order::Both(maybe, key) => maybe.map(|on| (key, !on)),
        };
    }

    pub fn light(&mut self, lit: &[bool]) {
        self.lit.extend(lit);
    }

    pub fn put(&mut self, lit: &mut Vec<u8>, unit: ()) {
        lit.pop();
        let () = unit;
        self.lit.truncate(lit.len());
    }
}

both! {
    /// Lamps.
    suite Lamps "awkward::domains" {
        for Lamp {
            fn new(lit: Vec<bool>) -> Self;
            fn order(&mut self, order: Order);
            fn light(&mut self, lit: &[bool]);
            fn put(&mut self, lit: &mut Vec<u8>, unit: ());
        }
    }
}

pub fn case() -> Case {
    crate::case!(Lamps, Scope::of(2))
}
