//! A million attempts on several threads against plain execution, and a healthy end.
//!
//! A binary of its own: it counts what is alive at its end.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    rc::Rc,
};

use beget_process::alloc::{Region, count_live, is_installed};

beget_process::alloc::install!(unsafe);

/// A subject with shared nodes, tables, text and calls that panic half-way.
#[derive(Default)]
struct Shop {
    items: Vec<Rc<RefCell<Item>>>,
    names: BTreeMap<u8, String>,
    newest: Option<Rc<RefCell<Item>>>,
}

struct Item {
    price: u8,
    next: Option<Rc<RefCell<Item>>>,
}

impl Shop {
    fn made_by(n_calls: u8) -> Shop {
        let mut shop = Shop::default();
        (0..n_calls).for_each(|step| drop(shop.call(step.wrapping_mul(37))));
        shop
    }

    /// One of many calls; every eighth panics after a change.
    fn call(&mut self, what: u8) -> std::thread::Result<u8> {
        catch_unwind(AssertUnwindSafe(|| {
            match what % 4 {
                0 => self.add(what),
                1 => drop(self.names.insert(what / 4, format!("item {what}"))),
                2 => drop(self.items.pop()),
                _ => self.items.iter().for_each(|item| item.borrow_mut().price ^= what),
            }
            if what.is_multiple_of(8) {
                resume_unwind(Box::new(format!("call {what}")));
            }
            self.items.len() as u8
        }))
    }

    fn add(&mut self, price: u8) {
        let item = Rc::new(RefCell::new(Item { price, next: self.newest.take() }));
        self.items.push(item.clone());
        self.newest = Some(item);
    }

    fn show(&self) -> String {
        let mut text = format!("{:?}", self.names);
        for item in &self.items {
            text += &format!(" {}/{}", item.borrow().price, Rc::strong_count(item));
        }
        let mut node = self.newest.clone();
        while let Some(item) = node {
            text += &format!(" > {}", item.borrow().price);
            node = item.borrow().next.clone();
        }
        text
    }
}

fn show_outcome(outcome: &std::thread::Result<u8>) -> String {
    match outcome {
        Ok(n_items) => n_items.to_string(),
        Err(payload) => payload.downcast_ref::<String>().cloned().unwrap_or_default(),
    }
}

const N_THREADS: usize = 4;
const N_STRUCTURES: usize = 40;
const N_ROUNDS: usize = 25;

/// What plain execution shows for a structure: before any call, and after each one.
fn expected(n_calls: u8) -> (String, Vec<(String, String)>) {
    let after = |what| {
        let mut shop = Shop::made_by(n_calls);
        let outcome = show_outcome(&shop.call(what));
        (outcome, shop.show())
    };
    (Shop::made_by(n_calls).show(), (0..=u8::MAX).map(after).collect())
}

fn compare(region: &mut Region, n_calls: u8) -> usize {
    let (before, after) = expected(n_calls);
    let mut n_attempts = 0;
    for _ in 0..N_ROUNDS {
        let mut image = region.build(|| Ok::<_, ()>(Shop::made_by(n_calls))).unwrap();
        for (what, (outcome, shown)) in (0..=u8::MAX).zip(&after) {
            let call = |shop: &mut Shop| shop.call(what);
            let inspect = |shop: &Shop,
                           got: &std::thread::Result<u8>,
                           after: beget_process::alloc::After<'_>| {
                assert_eq!((&show_outcome(got), &shop.show()), (outcome, shown));
                assert!(after.is_changed() || shop.show() == before);
            };
            image.attempt(call, inspect).expect("the shop keeps nothing");
            n_attempts += 1;
        }
        image.attempt(|_| (), |shop, (), _| assert_eq!(shop.show(), before)).unwrap();
    }
    n_attempts
}

#[test]
fn a_million_attempts_on_four_threads_agree_with_plain_execution() {
    let work = || {
        let mut region = Region::open().expect("the allocator is installed in this binary");
        let n_attempts: usize =
            (0..N_STRUCTURES).map(|n_calls| compare(&mut region, n_calls as u8)).sum();
        region.check_escape().expect("the shop keeps nothing");
        n_attempts
    };
    let threads = Vec::from_iter((0..N_THREADS).map(|_| std::thread::spawn(work)));
    let n_attempts: usize = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    // Calls 0..=255 on each structure of each round.
    assert_eq!(n_attempts, N_THREADS * N_STRUCTURES * N_ROUNDS * 256);
}

#[test]
fn the_shop_leaves_nothing_behind_when_it_is_dropped() {
    let ((), delta) = count_live(|| drop(Shop::made_by(20).call(4)));
    assert!(delta.is_balanced(), "{delta:?}");
}

#[test]
fn regions_are_available_again_and_again() {
    assert!(is_installed());
    for _ in 0..5_000 {
        let mut region = Region::open().expect("a closed region is used again");
        assert!(region.build(|| Ok::<_, ()>(Shop::made_by(3))).is_ok());
    }
}
