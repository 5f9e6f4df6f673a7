//! The identity of the main type's structures: the scope chooses among those of the suite.

use std::sync::Arc;

use beget_suite::{StateKind, Suite, Type};

use crate::scope::diagnostic::{Diagnostics, Span};
use crate::scope::file::ScopeFile;
use crate::scope::read::Spanned;

impl ScopeFile {
    /// The suite with the identity of structures that the scope chooses.
    ///
    /// # Errors
    ///
    /// If the suite does not have it, or some type does not have the suite's.
    pub(super) fn seen(&self, suite: &Arc<Suite>) -> Result<Arc<Suite>, Diagnostics> {
        let seen = match &self.scope.state {
            None => suite.clone(),
            Some(Spanned { value, span }) => match suite.seen_by(*value) {
                Some(seen) => Arc::new(seen),
                None => return Err(self.unseen(&suite.types[0], *value, span.clone())),
            },
        };
        if let (Some(state), Some(repok)) = (&self.scope.state, self.scope.repoks.first())
            && state.value != suite.types[0].state
        {
            let help = "leave out one of both".to_owned();
            let message = "search spaces of repOKs are for structures as the suite sees them";
            return Err(self.wrong(repok.name.inside(), message.to_owned(), help));
        }
        let is_dark = |ty: &&Type| ty.state == StateKind::Shown && !ty.shows_anything();
        match seen.types.iter().find(is_dark) {
            Some(ty) => Err(self.unseen(ty, StateKind::Shown, self.scope.suite.inside())),
            None => Ok(seen),
        }
    }

    /// Rejects structures that are identified by their memory.
    ///
    /// # Errors
    ///
    /// If they are.
    pub fn refuse_bytes(&self) -> Result<(), Diagnostics> {
        match &self.scope.state {
            Some(Spanned { value: StateKind::Bytes, span }) => {
                let message = "`state: Bytes` is for `generate` and `check` of the command line";
                let help = "write `state: Shown`".to_owned();
                Err(self.wrong(span.clone(), message.to_owned(), help))
            }
            _ => Ok(()),
        }
    }

    fn unseen(&self, ty: &Type, state: StateKind, span: Span) -> Diagnostics {
        let name = ty.name;
        let message = match state {
            StateKind::Fields => format!("`{name}` has no heap of its own"),
            StateKind::Abstraction => format!("the suite has no abstraction of `{name}`"),
            StateKind::Shown => format!("`{name}` shows nothing"),
            StateKind::Bytes => format!("the memory of `{name}` cannot be looked at"),
        };
        let states = ty.states();
        let others = states.iter().filter(|known| **known != state);
        let others: Vec<String> = others.map(|known| format!("`state: {known}`")).collect();
        let remedy = match state {
            StateKind::Fields => "derive `beget::Heap` for it",
            StateKind::Abstraction => {
                "write `abstraction |value| -> Seen { ... };` in its block of the suite"
            }
            StateKind::Shown => {
                "list a method in the suite that takes `&self` alone, or write an `abstraction`"
            }
            StateKind::Bytes => "let a macro of beget write the suite",
        };
        let help = match others.is_empty() {
            true => remedy.to_owned(),
            false => format!("write {}, or {remedy}", others.join(" or ")),
        };
        self.wrong(span, message, help)
    }

    fn wrong(&self, span: Span, message: String, help: String) -> Diagnostics {
        let mut problems = Diagnostics::default();
        problems.push_with(|| self.source.error(span, message).maybe_help(Some(help)));
        problems
    }
}
