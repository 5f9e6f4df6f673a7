//! What becomes of a batch of blocks when a copy policy fails in one of them.

use super::BlockResult;
use crate::rebuild::reconstruct::{CopyStrategies, Losses};

/// Makes the calls of a batch by `call_all`. The copy strategies are the same for all blocks of a
/// batch, so which block first loses one does not depend on threads.
///
/// If the region is lost, the whole batch is repeated without it: another block may have read,
/// through a static, what the block that noticed had put there. If trust is lost, so are all
/// earlier results; the caller must not take any.
pub(crate) fn call_batch(
    copy_strategies: &CopyStrategies,
    mut call_all: impl FnMut() -> Vec<BlockResult>,
) -> (Vec<BlockResult>, Losses) {
    let results = call_all();
    let mut lost = Losses::default();
    results.iter().for_each(|result| lost |= result.lost);
    copy_strategies.lose(lost);
    if !lost.region || lost.trust {
        return (results, lost);
    }
    let noticed = results.into_iter().find(|result| result.lost.region);
    let mut again = call_all();
    again.iter().for_each(|result| lost |= result.lost);
    copy_strategies.lose(lost);
    if let (Some(first), Some(noticed)) = (again.first_mut(), noticed) {
        first.ledger.notes.splice(0..0, noticed.ledger.notes);
    }
    (again, lost)
}
