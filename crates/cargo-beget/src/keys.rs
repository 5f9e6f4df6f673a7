//! Types of keys: those that the structure returns and takes, and that nothing else makes.
//!
//! A suite calls with the keys that the structure itself has issued, including those of removed
//! values, so there is no need for values of invalid keys.

use rustdoc_types::{Function, ItemEnum, Type, Visibility};

use crate::constructor::ConstructorInput;
use crate::planner::Planner;
use crate::ty::{NamedTy, Substitution, Ty};

/// The other parameters of a function besides the receiver, and its result if it may issue keys.
struct KeyUse {
    inputs: Vec<Ty>,
    issued: Option<Ty>,
}

impl Planner<'_> {
    /// The types of the crate that own functions take, and calls by `&mut self` return, in the
    /// order in which they are taken. A type with `Default` or a constructor needs no keys.
    pub(crate) fn find_keys(&self) -> Vec<Ty> {
        let uses = self.key_uses();
        let mut keys: Vec<Ty> = Vec::new();
        for input in uses.iter().flat_map(|one| &one.inputs) {
            let ty = input.referent();
            let is_issued =
                || uses.iter().filter_map(|one| one.issued.as_ref()).any(|of| of.returns(ty));
            if !keys.contains(ty) && self.can_be_key(ty) && is_issued() {
                keys.push(ty.clone());
            }
        }
        keys
    }

    /// Returns whether it is a type of keys, or a reference to one.
    pub(crate) fn is_key(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Ref { is_mut: false, inner } => self.keys.contains(inner),
            ty => self.keys.contains(ty),
        }
    }

    /// The type in a suite: keys are structures, wherever they occur.
    pub(crate) fn keys_as_structures(&self, ty: &Ty) -> Ty {
        ty.map(&|ty| self.keys.contains(ty).then_some(Ty::Subject))
    }

    fn key_uses(&self) -> Vec<KeyUse> {
        let mut uses = Vec::new();
        for one in self.document.impls(self.subject.id).filter(|one| one.trait_.is_none()) {
            let Some(given) = self.applies(&one.for_) else { continue };
            for item in one.items.iter().filter_map(|id| self.document.item(*id)) {
                if let ItemEnum::Function(function) = &item.inner
                    && item.visibility == Visibility::Public
                    && !function.header.is_unsafe
                {
                    uses.push(self.key_use(function, &given));
                }
            }
        }
        uses
    }

    fn key_use(&self, function: &Function, given: &Substitution) -> KeyUse {
        let has_receiver = function.sig.inputs.first().is_some_and(|(name, _)| name == "self");
        let inputs = function.sig.inputs.iter().skip(usize::from(has_receiver));
        let inputs = inputs.map(|(_, ty)| self.lower(ty, given)).collect();
        let receiver = function.sig.inputs.first().map(|(_, ty)| ty);
        let is_mut = matches!(receiver, Some(Type::BorrowedRef { is_mutable: true, .. }));
        let output = function.sig.output.as_ref().filter(|_| has_receiver && is_mut);
        KeyUse { inputs, issued: output.map(|ty| self.lower(ty, given)) }
    }

    /// Returns whether a suite can keep and compare values of the type, and nothing else returns
    /// any.
    fn can_be_key(&self, ty: &Ty) -> bool {
        let Ty::Named(named) = ty else { return false };
        let is_own = !named.is_std && named.path.is_some() && named.n_lifetimes == 0;
        is_own
            && self.has_trait(named, "Clone")
            && self.has_trait(named, "Debug")
            && !self.has_trait(named, "Default")
            && self.variants(named).is_none()
            && self.constructors("key", named, ConstructorInput::Literals).is_empty()
    }

    fn has_trait(&self, named: &NamedTy, wanted: &str) -> bool {
        let traits = self.document.impls(named.id).filter_map(|one| one.trait_.as_ref());
        traits.into_iter().any(|path| path.path == wanted)
    }
}

impl Ty {
    /// Returns whether a result contains values of the type where a suite finds them.
    fn returns(&self, wanted: &Ty) -> bool {
        match self {
            ty if ty == wanted => true,
            Ty::Ref { inner, .. } | Ty::Slice(inner) => inner.returns(wanted),
            Ty::Tuple(parts) => parts.iter().any(|part| part.returns(wanted)),
            ty => match ty.std() {
                Some(("Option" | "Result" | "Box" | "Vec", args)) => {
                    args.first().is_some_and(|first| first.returns(wanted))
                }
                _ => false,
            },
        }
    }
}
