#[derive(Clone, beget::Heap)]
pub struct Account {
    pub cents: u8,
}

#[beget::api]
impl Account {
    pub fn new() -> Self {
        Account { cents: 0 }
    }
}

#[derive(Clone, beget::Heap)]
pub struct Bank {
    accounts: Vec<Account>,
}

#[beget::api]
impl Bank {
    pub fn new() -> Self {
        Bank { accounts: Vec::new() }
    }

    pub fn add(&mut self, account: Account) {
        self.accounts.push(account);
    }

    pub fn has(&self, account: &Account) -> bool {
        self.accounts.iter().any(|known| known.cents == account.cents)
    }
}

fn main() {}
