//! Forms: a value written as a list of tokens, and the bounds on it.

use std::any::TypeId;
use std::collections::HashMap;

use super::Show;

/// One token of a form.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Token {
    /// A truth value, or whether something is there.
    Flag(bool),
    /// A negative integer.
    Minus(u128),
    /// Any other integer.
    Plus(u128),
    /// The bits of a floating-point number.
    Float(u64),
    /// A character.
    Char(char),
    /// A text, as its bytes.
    Text(Vec<u8>),
    /// The position of an enum's variant.
    Variant(u32),
    /// The number of elements that follow.
    Length(usize),
    /// An object that was not met before; what is in it follows.
    New,
    /// The object of that number, met before.
    Again(usize),
}

/// A value's form.
pub type Form = Vec<Token>;

/// The bounds of a scope.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Most objects by class name.
    pub named: Vec<(&'static str, u32)>,
    /// Most objects of every other class.
    pub others: u32,
    /// Longest array or collection.
    pub arrays: usize,
    /// Longest text, in bytes.
    pub text: usize,
}

impl Limits {
    fn most(&self, class: &str) -> u32 {
        let short = class.split('<').next().unwrap_or(class);
        let short = short.rsplit("::").next().unwrap_or(short);
        let named = self.named.iter().find(|(name, _)| *name == short);
        named.map_or(self.others, |(_, most)| *most)
    }
}

/// What looks at one value and writes its form.
#[derive(Debug)]
pub struct Sight<'l> {
    limits: &'l Limits,
    tokens: Form,
    /// Objects by address and class: an object and its first field share an address.
    met: HashMap<(usize, TypeId), usize>,
    n_met: usize,
    counts: HashMap<TypeId, u32>,
    is_beyond: bool,
    /// Which entry came next wherever there is no order, of how many.
    choices: Vec<(usize, usize)>,
    n_chosen: usize,
}

impl<'l> Sight<'l> {
    /// The form of `value`; `None` if it is beyond the limits. Where contents have no order, it is
    /// the least of the forms in all orders.
    pub fn of(value: &dyn Fn(&mut Sight<'_>), limits: &'l Limits) -> Option<Form> {
        let (mut choices, mut least) = (Vec::new(), None::<Form>);
        loop {
            let mut sight = Sight {
                limits,
                tokens: Vec::new(),
                met: HashMap::new(),
                n_met: 0,
                counts: HashMap::new(),
                is_beyond: false,
                choices,
                n_chosen: 0,
            };
            value(&mut sight);
            if sight.is_beyond {
                return None;
            }
            if least.as_ref().is_none_or(|least| sight.tokens < *least) {
                least = Some(sight.tokens);
            }
            choices = sight.choices;
            while choices.pop_if(|(choice, of)| *choice + 1 == *of).is_some() {}
            match choices.last_mut() {
                Some((choice, _)) => *choice += 1,
                None => return least,
            }
        }
    }

    /// Writes the contents of a collection of type `C` that have no order.
    pub fn unordered<C: 'static, E>(&mut self, mut entries: Vec<E>, show: impl Fn(E, &mut Self)) {
        self.array::<C>(entries.len());
        while !entries.is_empty() {
            if self.n_chosen == self.choices.len() {
                self.choices.push((0, entries.len()));
            }
            let (choice, _) = self.choices[self.n_chosen];
            self.n_chosen += 1;
            show(entries.remove(choice), self);
        }
    }

    /// Writes a token.
    pub fn put(&mut self, token: Token) {
        self.tokens.push(token);
    }

    /// Writes an integer.
    pub fn int(&mut self, negative: bool, magnitude: u128) {
        self.put(if negative { Token::Minus(magnitude) } else { Token::Plus(magnitude) });
    }

    /// Writes a text by its bytes.
    pub fn text(&mut self, text: &[u8]) {
        self.is_beyond |= text.len() > self.limits.text;
        self.put(Token::Text(text.to_vec()));
    }

    fn count(&mut self, class: (TypeId, &'static str)) {
        let count = self.counts.entry(class.0).or_default();
        *count += 1;
        self.is_beyond |= *count > self.limits.most(class.1);
    }

    /// Writes an object that lies at `address`; no address means that nothing can share it.
    pub fn object<T: Show>(&mut self, address: Option<usize>, target: &T) {
        self.object_by::<T>(address, |sight| target.show(sight));
    }

    /// As [`Sight::object`], where `show` writes what is in it.
    pub fn object_by<T: Show>(&mut self, address: Option<usize>, show: impl FnOnce(&mut Self)) {
        let class = T::class();
        if let Some(address) = address {
            if let Some(&number) = self.met.get(&(address, class.0)) {
                self.put(Token::Again(number));
                return;
            }
            self.met.insert((address, class.0), self.n_met);
            self.n_met += 1;
        }
        self.put(Token::New);
        // An array counts itself when it begins.
        if !T::IS_ARRAY {
            self.count(class);
        }
        show(self);
    }

    /// Counts the root, which is an object of its class too.
    pub fn root<T: Show>(&mut self) {
        self.count(T::class());
    }

    /// Begins an array or collection of type `C`.
    pub fn array<C: ?Sized + 'static>(&mut self, length: usize) {
        let is_root = self.tokens.is_empty() && self.counts.contains_key(&TypeId::of::<C>());
        if !is_root {
            self.count((TypeId::of::<C>(), std::any::type_name::<C>()));
        }
        self.length(length);
    }

    /// Writes how many elements follow that belong to no array, though its bound limits them.
    pub fn length(&mut self, length: usize) {
        self.is_beyond |= length > self.limits.arrays;
        self.put(Token::Length(length));
    }
}
