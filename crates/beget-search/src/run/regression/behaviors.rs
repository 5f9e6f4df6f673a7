//! The behaviour of structures.
//!
//! Tests of a scope consist of the same few calls in different orders, and these return the same
//! few values. So a behaviour names its calls and results by numbers, and each is stored once.

use beget_engine::store::StructureId;
use beget_plan::finding::StopReason;
use beget_suite::{MethodIdx, ReturnValue, Statement, Variable};

/// The most results of a method that a new one is compared with.
const MOST_COMPARED: usize = 32;

/// The behaviour of some structures.
#[derive(Debug, Default)]
pub struct Behaviors {
    /// One for each structure, in order.
    pub all: Vec<Behavior>,
    /// The omissions, and their reasons.
    pub left_out: Vec<String>,
    /// The reason why there are fewer than requested.
    pub stopped: Option<StopReason>,
    pub(super) pool: CallPool,
}

/// The calls that build a structure, then observer calls, with their results.
#[derive(Debug)]
pub struct Behavior {
    /// The structure's number.
    pub id: StructureId,
    /// The variable that holds the structure.
    pub variable: Variable,
    /// The calls.
    pub calls: Vec<ObservedCall>,
    /// The number of calls that build the structure.
    pub n_building: usize,
}

/// A call, and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObservedCall {
    /// The call.
    pub statement: StatementIdx,
    /// The result, which is always the same. `None` if it has no plain value, or varies.
    pub returned: Option<ResultIdx>,
}

/// The number of a statement among those of some behaviours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StatementIdx(u32);

/// The number of a result among those of some behaviours. Results of different methods have
/// different numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResultIdx(u32);

impl StatementIdx {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ResultIdx {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Behaviors {
    /// The statement of that number.
    pub fn statement(&self, statement: StatementIdx) -> &Statement {
        self.pool.statement(statement)
    }

    /// The statements of a behaviour.
    pub fn statements(&self, behavior: &Behavior) -> impl Iterator<Item = &Statement> {
        behavior.calls.iter().map(|call| self.pool.statement(call.statement))
    }

    /// The results of the calls of a behaviour, where these have one.
    pub fn results(&self, behavior: &Behavior) -> impl Iterator<Item = Option<&ReturnValue>> {
        behavior.calls.iter().map(|call| call.returned.map(|returned| self.result(returned)))
    }

    /// The result of that number.
    pub fn result(&self, result: ResultIdx) -> &ReturnValue {
        self.pool.result(result)
    }

    /// The number of statements.
    pub fn n_statements(&self) -> usize {
        self.pool.statements.len()
    }

    /// The number of different results.
    pub fn n_results(&self) -> usize {
        self.pool.results.len()
    }

    /// Adds other behaviours after these, with their omissions.
    pub(super) fn append(&mut self, mut other: Behaviors) {
        self.pool.append(&mut other);
        self.all.append(&mut other.all);
        for left_out in other.left_out {
            if !self.left_out.contains(&left_out) {
                self.left_out.push(left_out);
            }
        }
        self.stopped = self.stopped.or(other.stopped);
    }
}

/// The statements and results of behaviours.
#[derive(Debug, Default)]
pub(super) struct CallPool {
    statements: Vec<Statement>,
    results: Vec<ReturnValue>,
    /// The first different results of each method, by its position in the suite.
    by_method: Vec<Vec<ResultIdx>>,
}

impl CallPool {
    pub(super) fn statement(&self, statement: StatementIdx) -> &Statement {
        &self.statements[statement.index()]
    }

    pub(super) fn result(&self, result: ResultIdx) -> &ReturnValue {
        &self.results[result.index()]
    }

    pub(super) fn add_statement(&mut self, statement: Statement) -> StatementIdx {
        self.statements.push(statement);
        StatementIdx(number(self.statements.len() - 1))
    }

    /// Adds a result of a method, unless one of the first is like it.
    pub(super) fn add_result(&mut self, method: MethodIdx, result: ReturnValue) -> ResultIdx {
        if self.by_method.len() <= method.index() {
            self.by_method.resize_with(method.index() + 1, Vec::new);
        }
        let known = &mut self.by_method[method.index()];
        let results = &self.results;
        if let Some(like) = known.iter().find(|one| results[one.index()].looks_like(&result)) {
            return *like;
        }
        let idx = ResultIdx(number(results.len()));
        if known.len() < MOST_COMPARED {
            known.push(idx);
        }
        self.results.push(result);
        idx
    }

    /// Takes over the statements and results of other behaviours, and renumbers them there.
    fn append(&mut self, other: &mut Behaviors) {
        let n_statements = number(self.statements.len());
        let n_results = number(self.results.len());
        for call in other.all.iter_mut().flat_map(|behavior| &mut behavior.calls) {
            call.statement.0 += n_statements;
            call.returned = call.returned.map(|ResultIdx(number)| ResultIdx(number + n_results));
        }
        self.statements.append(&mut other.pool.statements);
        self.results.append(&mut other.pool.results);
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("memory ends before 2^32 statements")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A behaviour for each of some results, of methods with these numbers.
    fn behaviors_of(results: Vec<(usize, ReturnValue)>) -> Behaviors {
        let mut found = Behaviors::default();
        for (method, result) in results {
            let method = MethodIdx::new(method);
            let (arguments, bindings, ends) = (Vec::new(), Vec::new(), Vec::new());
            let statement = Statement { method, arguments, bindings, panics: false, ends };
            let statement = found.pool.add_statement(statement);
            let returned = Some(found.pool.add_result(method, result));
            let calls = vec![ObservedCall { statement, returned }];
            let (id, variable) = (StructureId::new(0), Variable(0));
            found.all.push(Behavior { id, variable, calls, n_building: 1 });
        }
        found
    }

    fn some() -> ReturnValue {
        ReturnValue::Some(Box::new(ReturnValue::None))
    }

    #[test]
    fn a_result_is_kept_once_for_each_method() {
        let results = [(0, some()), (1, some()), (0, ReturnValue::None), (0, some())];
        let found = behaviors_of(results.into());
        let numbers: Vec<_> = found.all.iter().map(|one| one.calls[0].returned).collect();
        assert_eq!(numbers, [0, 1, 2, 0].map(|number| Some(ResultIdx(number))));
        assert_eq!(found.n_results(), 3);
    }

    #[test]
    fn behaviors_that_are_added_keep_their_calls_and_results() {
        let mut found = behaviors_of(vec![(0, ReturnValue::None), (1, some())]);
        let mut other = behaviors_of(vec![(2, some()), (3, ReturnValue::None)]);
        found.left_out = vec!["one".to_owned()];
        other.left_out = vec!["one".to_owned(), "two".to_owned()];
        found.append(other);
        let methods = found.all.iter().flat_map(|one| found.statements(one));
        let methods: Vec<_> = methods.map(|statement| statement.method.index()).collect();
        assert_eq!(methods, [0, 1, 2, 3]);
        let results = found.all.iter().flat_map(|one| found.results(one));
        let is_none: Vec<_> =
            results.map(|result| matches!(result, Some(ReturnValue::None))).collect();
        assert_eq!(is_none, [true, false, false, true]);
        assert_eq!(found.left_out, ["one", "two"]);
    }
}
