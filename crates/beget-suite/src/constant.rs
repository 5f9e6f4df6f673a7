//! Constants of the user's crate that a suite names: literals with a meaning in its code, such as a
//! capacity, a limit, a reserved value.
//!
//! # Adding constants
//!
//! **Constants** are turned into literals in the suite, where their types are still known: one for
//! each type by which a parameter may ask for them (its own, lent, in an `Option`; all types of
//! texts for a text). A domain knows the type of its values, and the resolution of a scope adds the
//! constants that fit, so only the command `call`, which tries them first, knows about constants.
//! They are not added to the scope's pools: `4096` of a `usize` would become a literal of every
//! integer.

use std::any::{Any, TypeId};

use crate::{Domain, Literal, LiteralDomain, Referent, Slice, Text};

/// A constant that a suite names.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its path as the suite writes it.
    pub path: &'static str,
    /// Its value in each of the types by which a parameter may ask for it.
    ///
    /// Their sources are the value's, not the path: recipes compile wherever they are pasted, and
    /// the constant may be private.
    pub literals: Vec<Literal>,
}

impl Constant {
    /// The constant with that value.
    pub fn new<C: ConstantValue>(path: &'static str, value: C) -> Self {
        Constant { path, literals: value.literals() }
    }

    /// Its value as a literal of the domain; `None` if that is of another type.
    pub(crate) fn literal_of(&self, domain: &LiteralDomain) -> Option<&Literal> {
        let wanted = (domain.value_type)()?;
        self.literals.iter().find(|literal| (*literal.value).type_id() == wanted)
    }
}

/// The type of a constant that a suite may name: one whose values are literals, or a slice of such.
#[diagnostic::on_unimplemented(
    message = "no literals can be made of a constant of type `{Self}`",
    label = "`consts` takes constants of types with literals",
    note = "numbers, `bool`, `char`, `&str`, tuples, arrays and slices of these, and types that derive `beget::Domain` have them"
)]
pub trait ConstantValue {
    /// The value in each of the types by which a parameter may ask for it.
    fn literals(self) -> Vec<Literal>;
}

/// Parameters ask for it by its own type, even borrowed, and by an `Option` of either; for a text
/// by all types that have texts.
impl<T: Domain> ConstantValue for T {
    fn literals(self) -> Vec<Literal> {
        let text =
            (&self as &dyn Any).downcast_ref::<&'static str>().map(|text| (*text).to_owned());
        let mut literals = forms_of(self);
        if let Some(text) = text {
            literals.extend(forms_of(Text(text.clone())));
            literals.extend(forms_of(text));
        }
        literals
    }
}

/// Parameters ask for it as slices and vectors.
impl<T: Domain> ConstantValue for &'static [T] {
    fn literals(self) -> Vec<Literal> {
        let mut literals = forms_of(Slice(self.to_vec()));
        literals.extend(forms_of(self.to_vec()));
        literals
    }
}

fn forms_of<T: Domain>(value: T) -> Vec<Literal> {
    vec![
        Literal::new(value.clone()),
        Literal::new(Referent(value.clone())),
        Literal::new(Some(value.clone())),
        Literal::new(Some(Referent(value))),
    ]
}

/// The type of a domain's values, for [`LiteralDomain::value_type`].
pub(crate) fn value_type<T: 'static>() -> Option<TypeId> {
    Some(TypeId::of::<T>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Suite;

    /// The literals of a constant for parameters of type `T`.
    fn of<T: Domain>(constant: &Constant) -> Option<String> {
        let domain = LiteralDomain::of::<T>("T");
        constant.literal_of(&domain).map(|literal| {
            assert!(literal.value.is::<T>());
            literal.source.clone()
        })
    }

    #[test]
    fn a_constant_is_a_literal_of_its_type_only() {
        let limit = Constant::new("LIMIT", 4096_u32);
        assert_eq!(of::<u32>(&limit).as_deref(), Some("4096"));
        assert_eq!(of::<Referent<u32>>(&limit).as_deref(), Some("&4096"));
        assert_eq!(of::<Option<u32>>(&limit).as_deref(), Some("Some(4096)"));
        assert_eq!(of::<Option<Referent<u32>>>(&limit).as_deref(), Some("Some(&4096)"));
        for other in [of::<u64>, of::<i32>, of::<Vec<u32>>, of::<String>] as [fn(&Constant) -> _; 4]
        {
            assert_eq!(other(&limit), None);
        }
    }

    #[test]
    fn texts_and_lists_are_found_by_all_their_types() {
        let name = Constant::new("NAME", "a \"b\"");
        assert_eq!(of::<Text>(&name).as_deref(), Some(r#""a \"b\"""#));
        assert_eq!(of::<&'static str>(&name).as_deref(), Some(r#""a \"b\"""#));
        assert_eq!(of::<String>(&name).as_deref(), Some(r#"String::from("a \"b\"")"#));
        let primes = Constant::new("PRIMES", &[2_u8, 3] as &[u8]);
        assert_eq!(of::<Vec<u8>>(&primes).as_deref(), Some("vec![2, 3]"));
        assert_eq!(of::<Slice<u8>>(&primes).as_deref(), Some("[2, 3]"));
        assert_eq!(of::<[u8; 2]>(&Constant::new("PAIR", [2_u8, 3])).as_deref(), Some("[2, 3]"));
    }

    #[test]
    fn values_that_are_the_same_count_once() {
        let constants =
            vec![Constant::new("A", 7_u8), Constant::new("B", 7_u8), Constant::new("C", 9_u8)];
        let suite = Suite { constants, ..Suite::default() };
        let found = suite.constants_of(&LiteralDomain::of::<u8>("u8"));
        assert_eq!(found.iter().map(|one| &*one.source).collect::<Vec<_>>(), ["7", "9"]);
    }
}
