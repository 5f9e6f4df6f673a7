//! Sequences that share their beginnings: what the pool keeps.

use std::collections::BTreeSet;
use std::sync::Arc;

use beget_plan::scope::{Plan, PlannedIdx};
use beget_suite::{
    Binding, Literal, Method, MethodIdx, Operand, ParamKind, Sequence, Statement, Variable,
};

/// A statement with the values of its literals.
#[derive(Clone, Debug)]
pub struct CallStep {
    /// The statement. All structures that its method may return are bound.
    pub statement: Statement,
    /// The literals, in the order of the literal parameters.
    pub literals: Vec<Literal>,
}

/// A sequence of calls: other sequences one after another, whose variables are numbered in this
/// order, and steps of its own behind them.
///
/// Parts are shared, so a sequence costs what its own steps cost, however long it is.
#[derive(Debug, Default)]
pub struct Fragment {
    parts: Vec<Arc<Fragment>>,
    steps: Vec<Arc<CallStep>>,
    n_variables: usize,
    n_statements: usize,
}

impl CallStep {
    /// A call of a method of the plan; what it returns is bound from variable `first` on.
    ///
    /// # Panics
    /// If there are fewer structures or literals than the method takes.
    pub fn new(
        plan: &Plan,
        planned: PlannedIdx,
        structures: &[Variable],
        literals: Vec<Literal>,
        first: usize,
    ) -> Self {
        let method = plan.method(planned);
        let (mut variables, mut sources) = (structures.iter(), literals.iter());
        let argument = |kind: &ParamKind| match kind {
            ParamKind::Structure { .. } => {
                Operand::Variable(*variables.next().expect("a variable for each structure"))
            }
            ParamKind::Literal { .. } => {
                Operand::Literal(sources.next().expect("a literal for each").source.clone())
            }
        };
        let arguments = method.params.iter().map(|param| &param.kind).map(argument).collect();
        let bindings = all_bindings(method, first);
        let (method, ends) = (plan.planned(planned).method, Vec::new());
        let statement = Statement { method, arguments, bindings, ends, panics: false };
        CallStep { statement, literals }
    }

    /// The variables of the structures passed.
    pub(crate) fn structures(&self) -> Vec<Variable> {
        self.statement.variables().map(|(_, variable)| variable).collect()
    }

    /// The same with other literals.
    ///
    /// # Panics
    /// If they are fewer.
    #[must_use]
    pub fn with_literals(&self, literals: Vec<Literal>) -> Self {
        let mut step = CallStep { statement: self.statement.clone(), literals };
        let mut sources = step.literals.iter();
        for argument in &mut step.statement.arguments {
            if let Operand::Literal(source) = argument {
                source.clone_from(&sources.next().expect("a literal for each").source);
            }
        }
        step
    }

    /// The same with the numbers of all variables changed.
    #[must_use]
    pub(crate) fn renumbered(&self, number: impl Fn(Variable) -> Variable) -> Self {
        CallStep { statement: self.statement.renumbered(number), literals: self.literals.clone() }
    }
}

/// Bindings for all structures that a method may return, from variable `first` on.
pub(crate) fn all_bindings(method: &Method, first: usize) -> Vec<Binding> {
    let outputs = 0..method.outputs.len();
    outputs.map(|output| Binding { output, variable: Variable(first + output) }).collect()
}

impl Fragment {
    /// `parts` one after another, and `steps` on their variables.
    pub fn new(parts: Vec<Arc<Fragment>>, steps: Vec<Arc<CallStep>>) -> Self {
        let n_bindings: usize = steps.iter().map(|step| step.statement.bindings.len()).sum();
        let n_variables = n_bindings + parts.iter().map(|part| part.n_variables).sum::<usize>();
        let n_statements = steps.len() + parts.iter().map(|part| part.n_statements).sum::<usize>();
        Fragment { parts, steps, n_variables, n_statements }
    }

    /// How many variables it has.
    pub fn n_variables(&self) -> usize {
        self.n_variables
    }

    /// How many calls it makes.
    pub fn n_statements(&self) -> usize {
        self.n_statements
    }

    /// The sequences that it was made of: its parts, and theirs where these have no calls of their
    /// own.
    pub(crate) fn beginnings(&self) -> impl Iterator<Item = &Arc<Fragment>> {
        let of_joined = |part: &'_ Arc<Fragment>| part.steps.is_empty();
        let joined = self.parts.iter().filter(move |part| of_joined(part));
        self.parts.iter().chain(joined.flat_map(|part| &part.parts))
    }

    /// The memory that it takes, without its parts and the steps that are in `counted`, to which
    /// its steps are added.
    pub(crate) fn bytes(&self, counted: &mut BTreeSet<*const CallStep>) -> usize {
        let of_step = |step: &Arc<CallStep>| {
            let Statement { arguments, bindings, .. } = &step.statement;
            let of_argument = |argument: &Operand| match argument {
                Operand::Variable(_) => 0,
                // The literal has its source too.
                Operand::Literal(source) => 2 * source.len() + size_of::<Literal>(),
            };
            let of_arguments: usize = arguments.iter().map(of_argument).sum();
            size_of::<CallStep>()
                + size_of::<Operand>() * arguments.len()
                + size_of::<Binding>() * bindings.len()
                + of_arguments
        };
        let new = self.steps.iter().filter(|step| counted.insert(Arc::as_ptr(step)));
        let steps: usize = new.map(of_step).sum();
        let n_shared = self.parts.len() + self.steps.len();
        size_of::<Self>() + size_of::<Arc<Fragment>>() * n_shared + steps
    }

    /// Shows all steps in order, each with the number that its variables are counted from, until
    /// `visit` fails.
    ///
    /// # Errors
    /// The error of `visit`.
    pub(crate) fn visit<'f, E>(
        &'f self,
        visit: &mut dyn FnMut(usize, &'f CallStep) -> Result<(), E>,
    ) -> Result<(), E> {
        // A sequence may be deeper than a stack.
        let mut pending = vec![(self, 0, 0, 0)];
        while let Some((fragment, first, part, offset)) = pending.pop() {
            if let Some(next) = fragment.parts.get(part) {
                pending.push((fragment, first, part + 1, offset + next.n_variables));
                pending.push((next, first + offset, 0, 0));
            } else {
                fragment.steps.iter().try_for_each(|step| visit(first, step))?;
            }
        }
        Ok(())
    }

    /// All steps in order, on variables of their own.
    pub fn to_steps(&self) -> Vec<CallStep> {
        let mut steps = Vec::with_capacity(self.n_statements);
        let pushed = self.visit(&mut |first, step| -> Result<(), std::convert::Infallible> {
            steps.push(step.renumbered(|variable| variable.counted_from(first)));
            Ok(())
        });
        let Ok(()) = pushed;
        steps
    }

    /// The sequence, whose result is `result`.
    pub fn to_sequence(&self, result: Option<Variable>) -> Sequence {
        to_sequence(&self.to_steps(), result)
    }
}

/// A chain of parts may be as long as a sequence, and dropping each in its follower would need that
/// much of the stack.
impl Drop for Fragment {
    fn drop(&mut self) {
        let mut pending = std::mem::take(&mut self.parts);
        while let Some(part) = pending.pop() {
            if let Some(mut fragment) = Arc::into_inner(part) {
                pending.append(&mut fragment.parts);
            }
        }
    }
}

/// The sequence of some steps.
pub(crate) fn to_sequence(steps: &[CallStep], result: Option<Variable>) -> Sequence {
    Sequence { statements: steps.iter().map(|step| step.statement.clone()).collect(), result }
}

/// The steps of a sequence whose literals are those of the plan, with all that calls return bound,
/// and the variable of its result; `None` if a literal is not one of the plan's.
pub(crate) fn steps_of(
    plan: &Plan,
    sequence: &Sequence,
) -> Option<(Vec<CallStep>, Option<Variable>)> {
    let literals =
        sequence.literals(|method, index, source| literal_of(plan, method, index, source));
    let (mut numbers, mut n_variables) = (std::collections::BTreeMap::new(), 0);
    let mut steps = Vec::new();
    for (statement, literals) in sequence.statements.iter().zip(literals.ok()?) {
        let arguments = statement.arguments.iter().map(|argument| match argument {
            Operand::Variable(variable) => numbers.get(variable).copied().map(Operand::Variable),
            Operand::Literal(source) => Some(Operand::Literal(source.clone())),
        });
        let arguments = arguments.collect::<Option<_>>()?;
        let bindings = all_bindings(plan.suite.method(statement.method), n_variables);
        for binding in &statement.bindings {
            numbers.insert(binding.variable, Variable(n_variables + binding.output));
        }
        n_variables += bindings.len();
        let ended = statement.ends.iter().map(|variable| numbers.get(variable).copied());
        let ends = ended.collect::<Option<_>>()?;
        let Statement { method, panics, .. } = *statement;
        steps.push(CallStep {
            statement: Statement { method, arguments, bindings, ends, panics },
            literals,
        });
    }
    let result = sequence.result.and_then(|result| numbers.get(&result).copied());
    Some((steps, result))
}

fn literal_of(plan: &Plan, method: MethodIdx, index: usize, source: &str) -> Option<Literal> {
    let domains = &plan.planned(plan.find_planned(method)?).domains;
    domains.get(index)?.iter().find(|literal| literal.source == source).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(variables: &[usize], bound: &[usize]) -> Arc<CallStep> {
        let arguments = variables.iter().map(|&number| Operand::Variable(Variable(number)));
        let bindings = bound.iter().enumerate();
        let statement = Statement {
            method: MethodIdx::new(0),
            arguments: arguments.collect(),
            bindings: bindings
                .map(|(output, &number)| Binding { output, variable: Variable(number) })
                .collect(),
            ends: Vec::new(),
            panics: false,
        };
        Arc::new(CallStep { statement, literals: Vec::new() })
    }

    fn numbers(fragment: &Fragment) -> Vec<(Vec<usize>, Vec<usize>)> {
        let of_step = |step: &CallStep| {
            let bound = step.statement.bindings.iter().map(|binding| binding.variable.0);
            (step.structures().iter().map(|variable| variable.0).collect(), bound.collect())
        };
        fragment.to_steps().iter().map(of_step).collect()
    }

    #[test]
    fn parts_keep_their_variables_apart() {
        let new = Arc::new(Fragment::new(Vec::new(), vec![step(&[], &[0])]));
        let pushed = Arc::new(Fragment::new(vec![new.clone()], vec![step(&[0], &[])]));
        let joined = Fragment::new(
            vec![pushed.clone(), new, pushed],
            vec![step(&[0, 2], &[3]), step(&[3], &[])],
        );
        assert_eq!((joined.n_variables(), joined.n_statements()), (4, 7));
        let expected: [(&[usize], &[usize]); 7] = [
            (&[], &[0]),
            (&[0], &[]),
            (&[], &[1]),
            (&[], &[2]),
            (&[2], &[]),
            (&[0, 2], &[3]),
            (&[3], &[]),
        ];
        let expected = expected.map(|(taken, bound)| (taken.to_vec(), bound.to_vec()));
        assert_eq!(numbers(&joined), expected);
    }

    #[test]
    fn the_memory_of_a_sequence_is_that_of_the_steps_that_are_not_counted_yet() {
        let step = step(&[0, 1, 2], &[3, 4]);
        let of_step = size_of::<CallStep>() + 3 * size_of::<Operand>() + 2 * size_of::<Binding>();
        let fragment = Fragment::new(vec![Arc::default(); 4], vec![step.clone(), step]);
        let own = size_of::<Fragment>() + (4 + 2) * size_of::<Arc<Fragment>>();
        let mut counted = BTreeSet::new();
        let bytes = [fragment.bytes(&mut counted), fragment.bytes(&mut counted)];
        assert_eq!(bytes, [own + of_step, own]);
    }

    #[test]
    fn a_sequence_may_be_deeper_than_the_stack() {
        let mut fragment = Arc::new(Fragment::default());
        for _ in 0..1_000_000 {
            fragment = Arc::new(Fragment::new(vec![fragment], Vec::new()));
        }
        assert_eq!(fragment.to_steps().len(), 0);
        drop(fragment);
    }

    /// A literal has its source twice.
    #[test]
    fn the_literals_of_a_step_take_memory() {
        let statement = Statement {
            arguments: ["1", "2345"].map(|source| Operand::Literal(source.to_owned())).to_vec(),
            ..step(&[], &[]).statement.clone()
        };
        let step = Arc::new(CallStep { statement, literals: Vec::new() });
        let fragment = Fragment::new(Vec::new(), vec![step]);
        let own = size_of::<Fragment>() + size_of::<Arc<CallStep>>() + size_of::<CallStep>();
        let of_literals = 2 * (size_of::<Operand>() + size_of::<Literal>()) + 2 * (1 + 4);
        assert_eq!(fragment.bytes(&mut BTreeSet::new()), own + of_literals);
    }

    /// Both results of the call are bound, and the sequence has a name for the second alone.
    #[test]
    fn the_steps_of_a_sequence_bind_all_that_calls_return() {
        let plan = crate::random::tests::crockery();
        let mut statement = crate::random::tests::call(&plan, "pair", &[], None);
        statement.bindings = vec![Binding { output: 1, variable: Variable(7) }];
        let sequence =
            Sequence { statements: vec![statement.clone(), statement], result: Some(Variable(7)) };
        let (steps, result) = steps_of(&plan, &sequence).unwrap();
        let bound = |step: &CallStep| {
            let bindings = step.statement.bindings.iter();
            bindings.map(|one| (one.output, one.variable.0)).collect::<Vec<_>>()
        };
        assert_eq!(
            steps.iter().map(bound).collect::<Vec<_>>(),
            [[(0, 0), (1, 1)], [(0, 2), (1, 3)]]
        );
        assert_eq!(result, Some(Variable(3)));
    }
}
