//! An enum whose variants hold boxes of itself.

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone, PartialEq, Debug)]
    pub enum Expr { Unit, Lit(value: i8), Neg(inner: Box<Expr>), Add { left: Box<Expr>, right: Box<Expr> } }
}

impl Expr {
    pub fn unit() -> Self {
        Expr::Unit
    }

    pub fn lit(value: i8) -> Self {
        Expr::Lit(value)
    }

    pub fn neg(self) -> Self {
        Expr::Neg(Box::new(self))
    }

    pub fn add(&self, other: &Expr) -> Expr {
        Expr::Add { left: Box::new(self.clone()), right: Box::new(other.clone()) }
    }

    pub fn inner(self) -> Option<Expr> {
        match self {
            Expr::Neg(inner) => Some(*inner),
            _ => None,
        }
    }

    pub fn simplify(&mut self) {
        if let Expr::Add { left, right } = self
            && left == right
        {
            *self = Expr::Neg(std::mem::replace(left, Box::new(Expr::Unit)));
        }
    }
}

both! {
    /// Expressions.
    suite Exprs "awkward::expressions" {
        for Expr {
            fn unit() -> Self;
            fn lit(value: i8) -> Self;
            fn neg(self) -> Self;
            fn add(&self, other: &Expr) -> Expr;
            fn inner(self) -> Option<Expr>;
            fn simplify(&mut self);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Exprs, Scope { ints: vec![-1, 5], ..Scope::of(2) })
}
