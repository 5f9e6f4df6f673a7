//! The tuples of structures that a method is still to be tried on.

use std::ops::Range;

use crate::calls::Signature;
use crate::engine::Member;
use crate::store::StoreError;
use crate::worker::{Parent, Shared};

/// Lists the tuples that have a member not below `old`, in order.
pub(super) struct Tuples<'t, 's> {
    pub(super) shared: &'t Shared<'s>,
    pub(super) signature: &'t Signature,
    /// What the second and later members are taken from, by type.
    pub(super) members: &'t [Vec<Member>],
    pub(super) old: u32,
}

impl<'t> Tuples<'t, '_> {
    /// Those whose first member is in `first`; for a constructor, the one empty tuple.
    pub(super) fn starting_in(
        &self,
        first: &Range<u32>,
        visit: &mut dyn FnMut(&'t Signature, &[Parent<'_>]),
    ) -> Result<(), StoreError> {
        let Some(&ty) = self.signature.types.first() else {
            visit(self.signature, &[]);
            return Ok(());
        };
        self.shared.maker.store.scan(first.clone(), &mut |id, form| {
            if self.shared.maker.type_of(form) == ty {
                self.complete(&mut vec![Parent { id, ty, form }], visit);
            }
        })
    }

    fn complete(
        &self,
        tuple: &mut Vec<Parent<'_>>,
        visit: &mut dyn FnMut(&'t Signature, &[Parent<'_>]),
    ) {
        let Some(ty) = self.signature.types.get(tuple.len()) else {
            visit(self.signature, tuple);
            return;
        };
        let is_last = tuple.len() + 1 == self.signature.types.len();
        let has_new = tuple.iter().any(|parent| parent.id.0 >= self.old);
        let members = &self.members[ty.0];
        let start = match is_last && !has_new {
            true => members.partition_point(|member| member.id.0 < self.old),
            false => 0,
        };
        for member in &members[start..] {
            let mut longer = tuple.clone();
            longer.push(Parent { id: member.id, ty: member.ty, form: &member.form });
            self.complete(&mut longer, visit);
        }
    }
}
