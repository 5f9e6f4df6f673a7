//! The repOK of the linked stack. No flaw is known.

use beget::heap::view::{NodeSet, RepOk, Verdict, clause};

use super::{StackLi, StackLiView};

/// The published repOK.
pub const REP_OKS: [RepOk<StackLi>; 1] = [RepOk::<StackLi>::new("published", rep_ok)];

fn rep_ok(stack: StackLiView<'_>) -> Verdict {
    let (mut next, mut seen) = (stack.top_of_stack(), NodeSet::new());
    while let Some(node) = next {
        clause("the list is acyclic", seen.insert(node))?;
        next = node.next();
    }
    Ok(())
}
