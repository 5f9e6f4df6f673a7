//! Errors that are no misuse: what was changed before them counts.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Purse { coins: u8, debts: u8 }
}

impl Purse {
    pub fn new() -> Result<Purse, ()> {
        Ok(Purse { coins: 0, debts: 0 })
    }

    pub fn pay(&mut self, price: u8) -> Result<u8, String> {
        match self.coins.checked_sub(price) {
            Some(coins) => self.coins = coins,
            None => {
                self.debts = (self.debts + 1).min(2);
                return Err("not enough".to_owned());
            }
        }
        Ok(self.coins)
    }

    pub fn earn(&mut self, wage: u8) {
        self.coins = (self.coins + wage) % 5;
    }

    pub fn merge(self, other: &mut Purse) -> Result<Purse, Purse> {
        if other.coins == 0 {
            other.debts = 0;
            return Err(self);
        }
        Ok(Purse { coins: self.coins, debts: other.debts })
    }
}

both! {
    /// Purses.
    suite Purses "awkward::errors" {
        for Purse {
            fn new() -> Result<Purse, ()>;
            fn pay(&mut self, price: u8) -> Result<u8, String>;
            fn earn(&mut self, wage: u8);
            fn merge(self, other: &mut Purse) -> Result<Purse, Purse>;
        }
    }
}

pub fn case() -> Case {
    crate::case!(Purses, Scope { errors: false, ..Scope::of(3) })
}
