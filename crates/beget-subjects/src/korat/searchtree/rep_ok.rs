//! The repOK of the search tree. No flaw is known.
//!
//! The original writes "no bound" as -1 and so refuses that key; here it is refused by a clause.

use beget::heap::view::{NodeSet, RepOk, Verdict, Worklist, clause};

use super::{NodeView, SearchTree, SearchTreeView};

/// The published repOK.
pub const REP_OKS: [RepOk<SearchTree>; 1] = [RepOk::<SearchTree>::new("published", rep_ok)];

fn rep_ok(tree: SearchTreeView<'_>) -> Verdict {
    let Some(root) = tree.root() else {
        return clause("an empty tree has size 0", tree.size() == 0);
    };
    let n_nodes = count_acyclic(root)?;
    clause("the size is the number of nodes", n_nodes == tree.size())?;
    is_ordered(root, None, None)
}

/// The number of nodes, if none is met twice.
fn count_acyclic(root: NodeView<'_>) -> Result<i64, beget::heap::view::Broken> {
    let (mut seen, mut pending) = (NodeSet::new(), Worklist::new());
    seen.insert(root);
    pending.push(root);
    while let Some(node) = pending.pop_first() {
        if let Some(left) = node.left() {
            clause("no node is met twice", seen.insert(left))?;
            pending.push(left);
        }
        if let Some(right) = node.right() {
            clause("no node is met twice", seen.insert(right))?;
            pending.push(right);
        }
    }
    Ok(seen.len() as i64)
}

fn is_ordered(node: NodeView<'_>, low: Option<i64>, high: Option<i64>) -> Verdict {
    let info = node.info();
    clause("no key is -1", info != -1)?;
    let is_between = low.is_none_or(|low| info > low) && high.is_none_or(|high| info < high);
    clause("keys are in order", is_between)?;
    if let Some(left) = node.left() {
        is_ordered(left, low, Some(info))?;
    }
    match node.right() {
        Some(right) => is_ordered(right, Some(info), high),
        None => Ok(()),
    }
}
