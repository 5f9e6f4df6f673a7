//! Recognising from signatures which types of a suite are keys.

use crate::{Method, Passing, Suite, TypeIdx};

impl Suite {
    /// The suite with its keys: those of the types `declared`, and those that the signatures show
    /// to be keys, without the types in `structures`. No keys of other structures are passed for
    /// the types `own`.
    ///
    /// # Panics
    ///
    /// Like [`Suite::with_keys`].
    #[must_use]
    pub fn with_all_keys(
        self,
        declared: &[TypeIdx],
        own: &[TypeIdx],
        structures: &[TypeIdx],
    ) -> Suite {
        let found = self.found_keys();
        let is_key =
            |ty: &TypeIdx| declared.contains(ty) || found.contains(ty) && !structures.contains(ty);
        let keys: Vec<TypeIdx> = (0..self.types.len()).map(TypeIdx::new).filter(is_key).collect();
        if keys.is_empty() { self } else { self.with_keys(&keys, own) }
    }

    /// The types that the signatures show to be keys: methods of the main type return their values
    /// and take them, nothing else returns any, and none is passed without a structure of the main
    /// type. So such a value can only be given back.
    ///
    /// A type without `Clone` is none, because a key is passed more than once.
    pub(crate) fn found_keys(&self) -> Vec<TypeIdx> {
        let further = (1..self.types.len()).map(TypeIdx::new);
        further
            .filter(|ty| self.types[ty.index()].clone.is_some() && self.is_found_key(*ty))
            .collect()
    }

    fn is_found_key(&self, key: TypeIdx) -> bool {
        const ANY: [Passing; 3] = [Passing::Mut, Passing::Ref, Passing::Value];
        let returning = || self.methods.iter().filter(|method| returns(method, key));
        let taking = || self.methods.iter().filter(|method| takes(method, key, &ANY));
        let is_issued = returning().any(|method| takes(method, TypeIdx::new(0), &[Passing::Mut]));
        let is_from_main = returning().all(|method| takes(method, TypeIdx::new(0), &ANY[..2]));
        // A value changed in place is a structure.
        let is_for_main = taking().all(|method| {
            takes(method, TypeIdx::new(0), &ANY) && !takes(method, key, &[Passing::Mut])
        });
        is_issued && is_from_main && taking().next().is_some() && is_for_main
    }
}

fn returns(method: &Method, ty: TypeIdx) -> bool {
    method.outputs.iter().any(|output| output.ty == ty)
}

fn takes(method: &Method, ty: TypeIdx, passed: &[Passing]) -> bool {
    method.structure_params().any(|(taken, passing)| taken == ty && passed.contains(&passing))
}
