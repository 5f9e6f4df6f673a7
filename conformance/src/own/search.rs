//! The search: sequences of calls by their length, each run from the start.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use super::{Form, Limits, OwnSuite, Pools, Role, Sight, Slot};

/// A structure: its form, and the call that left it first.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundStructure {
    /// The position of its type.
    pub ty: usize,
    /// Its form.
    pub form: Form,
    /// The calls of its recipe, all in all.
    pub cost: u32,
    /// The method of the last call.
    pub op: usize,
    /// The structures it was called on.
    pub arguments: Vec<usize>,
    /// Its literals, by their positions.
    pub literals: Vec<usize>,
    /// Which of the structures that the call left it is: arguments first, then results.
    pub output: usize,
}

/// A call that panicked, though no rule allows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The panic's message.
    pub message: String,
    /// Where it panicked: file, line and column.
    pub place: String,
    /// The method.
    pub op: usize,
    /// The structures it was called on.
    pub arguments: Vec<usize>,
}

/// Calls by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Left a new structure.
    pub kept: u64,
    /// Left known ones only.
    pub matched: u64,
    /// Left one beyond the limits.
    pub out_of_scope: u64,
    /// Broke a rule of use.
    pub misuse: u64,
    /// Panicked.
    pub failures: u64,
}

impl Counted {
    fn calls(&self) -> u64 {
        self.kept + self.matched + self.out_of_scope + self.misuse + self.failures
    }
}

/// All sequences of one length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Their length.
    pub calls: u32,
    /// The structures that no shorter one builds.
    pub new: u64,
    /// How many there are.
    pub explored: u64,
}

/// A suite with what a scope says of it.
pub struct Space {
    /// The suite.
    pub suite: OwnSuite,
    /// The bounds.
    pub limits: Limits,
    /// The literals.
    pub pools: Pools,
    /// Whether `Err` is misuse.
    pub errors_are_misuse: bool,
    /// Panics whose message has one of these in it are misuse.
    pub misuse_panics: Vec<&'static str>,
    /// Runs before each call on a structure is built from the start.
    pub before: fn(),
    /// For each method, its parameters.
    roles: Vec<Vec<Role>>,
}

impl Space {
    /// A space.
    pub fn new(suite: OwnSuite, limits: Limits, pools: Pools) -> Self {
        let roles =
            suite.ops.iter().map(|op| op.params.iter().map(|param| param(&pools)).collect());
        let roles = roles.collect();
        Space {
            suite,
            limits,
            pools,
            errors_are_misuse: true,
            misuse_panics: Vec::new(),
            before: || {},
            roles,
        }
    }

    /// The types of a method's structure parameters.
    fn types(&self, op: usize) -> Vec<usize> {
        let position =
            |id| self.suite.types.iter().position(|ty| ty.id == id).expect("a type of the suite");
        let structures = self.roles[op].iter().filter_map(|role| match role {
            Role::Structure(id) => Some(position(*id)),
            Role::Literal(_) => None,
        });
        structures.collect()
    }

    /// For each literal parameter of a method how many literals there are.
    pub fn n_literals(&self, op: usize) -> Vec<usize> {
        let lengths = self.roles[op].iter().filter_map(|role| match role {
            Role::Structure(_) => None,
            Role::Literal(literals) => Some(literals.len()),
        });
        lengths.collect()
    }

    /// The form of a value of a type of the suite; `None` if it is beyond the limits.
    pub fn form(&self, value: &dyn Any) -> Option<(usize, Form)> {
        let ty = self.suite.types.iter().position(|ty| ty.id == value.type_id())?;
        let form = Sight::of(&|sight| (self.suite.types[ty].show)(value, sight), &self.limits)?;
        Some((ty, form))
    }

    /// The structure number `output` that a call leaves; `None` if it leaves none or fails.
    pub fn leave(
        &self,
        op: usize,
        structures: Vec<Box<dyn Any>>,
        literals: &[usize],
        output: usize,
    ) -> Option<Box<dyn Any>> {
        match call(self, op, structures, literals) {
            Left::Structures(mut left) => {
                let meant = left.get_mut(output).and_then(Option::take);
                drop_quietly(left);
                meant
            }
            _ => None,
        }
    }
}

/// What was found.
#[derive(Debug, Default)]
pub struct All {
    /// The structures in the order of discovery.
    pub found: Vec<FoundStructure>,
    /// The outcomes.
    pub counted: Counted,
    /// The levels.
    pub levels: Vec<Level>,
    /// The failures, in order.
    pub failures: Vec<Failure>,
    /// What destructors that panicked on what a call left said.
    pub drop_panics: BTreeSet<String>,
}

/// What one call left.
enum Left {
    Structures(Vec<Slot>),
    Misuse,
    Failed(Panic),
}

/// Every structure of `space`; `None` if there are more than `most` calls.
pub fn enumerate(space: &Space, most: u64) -> Option<All> {
    let mut search = Search { space, all: All::default(), known: HashMap::new() };
    let mut signatures: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for op in 0..space.suite.ops.len() {
        let types = space.types(op);
        match signatures.iter_mut().find(|(known, _)| *known == types) {
            Some((_, ops)) => ops.push(op),
            None => signatures.push((types, vec![op])),
        }
    }
    let most_arguments = signatures.iter().map(|(types, _)| types.len()).max().unwrap_or(0) as u32;
    let mut level = 1;
    let mut most_cost = 0;
    while level == 1 || level - 1 <= most_arguments * most_cost {
        let (n_found, calls) = (search.all.found.len(), search.all.counted.calls());
        for tuple in search.tuples(&signatures, level - 1) {
            for &op in &signatures[tuple.0].1 {
                search.call_with_all_literals(op, &tuple.1, level);
            }
            if search.all.counted.calls() > most {
                return None;
            }
        }
        let new = (search.all.found.len() - n_found) as u64;
        if new > 0 {
            most_cost = level;
        }
        let explored = search.all.counted.calls() - calls;
        search.all.levels.push(Level { calls: level, new, explored });
        level += 1;
    }
    Some(search.all)
}

/// The value of structure `id`, by its recipe.
///
/// # Panics
/// If the recipe does not leave it.
pub fn replay(space: &Space, found: &[FoundStructure], id: usize) -> Box<dyn Any> {
    let FoundStructure { op, arguments, literals, output, .. } = &found[id];
    let arguments = arguments.iter().map(|&argument| replay(space, found, argument)).collect();
    let value = space.leave(*op, arguments, literals, *output);
    value.expect("a recipe leaves its structure each time that it is run")
}

/// Makes one call.
fn call(space: &Space, op: usize, structures: Vec<Box<dyn Any>>, literals: &[usize]) -> Left {
    let (mut structures, mut literals) = (structures.into_iter(), literals.iter());
    let of_role = |role: &Role| match role {
        Role::Structure(_) => structures.next(),
        Role::Literal(all) => all[*literals.next().expect("a literal")](),
    };
    let mut slots: Vec<Slot> = space.roles[op].iter().map(of_role).collect();
    let mut results = Vec::new();
    let run = space.suite.ops[op].run;
    let ran = caught(|| run(&mut slots, &mut results));
    let ended = match ran {
        Ok(true) if space.errors_are_misuse => Some(Left::Misuse),
        Ok(_) => None,
        Err(payload) => Some(failed(space, &*payload)),
    };
    if let Some(left) = ended {
        drop_quietly((slots, results));
        return left;
    }
    let roles = space.roles[op].iter().zip(slots);
    let structures = roles.filter(|(role, _)| matches!(role, Role::Structure(_)));
    Left::Structures(structures.map(|(_, slot)| slot).chain(results).collect())
}

/// A panic that no rule allows.
struct Panic {
    message: String,
    place: String,
}

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
    /// Where the last panic was.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs what may panic, and keeps the panic from being printed.
fn caught<R>(work: impl FnOnce() -> R) -> Result<R, Box<dyn Any + Send>> {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            PLACE.set(info.location().map(ToString::to_string).unwrap_or_default());
            if !IS_QUIET.get() {
                previous(info);
            }
        }));
    });
    let was_quiet = IS_QUIET.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    IS_QUIET.set(was_quiet);
    result
}

/// Drops values; a destructor that panics then does so after the call, which is no part of it.
/// Returns what it says.
pub fn drop_quietly<T>(values: T) -> Option<String> {
    let payload = caught(|| drop(values)).err()?;
    Some(text_of(&*payload))
}

fn text_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic payload that is no string".to_owned())
}

fn failed(space: &Space, payload: &(dyn Any + Send)) -> Left {
    let message = text_of(payload);
    match space.misuse_panics.iter().any(|part| message.contains(part)) {
        true => Left::Misuse,
        false => Left::Failed(Panic { message, place: PLACE.take() }),
    }
}

struct Search<'s> {
    space: &'s Space,
    all: All,
    known: HashMap<(usize, Form), usize>,
}

impl Search<'_> {
    /// The tuples of structures that cost `cost` together, with their signatures, in the documented
    /// order: by the first structure, then by signature, then by the other structures.
    fn tuples(
        &self,
        signatures: &[(Vec<usize>, Vec<usize>)],
        cost: u32,
    ) -> Vec<(usize, Vec<usize>)> {
        let mut tuples = Vec::new();
        let without = signatures.iter().position(|(types, _)| types.is_empty());
        if cost == 0 {
            tuples.extend(without.map(|signature| (signature, Vec::new())));
            return tuples;
        }
        for first in 0..self.all.found.len() {
            for (signature, (types, _)) in signatures.iter().enumerate() {
                if !types.is_empty() {
                    self.complete(types, Vec::new(), first..first + 1, cost, &mut |tuple| {
                        tuples.push((signature, tuple));
                    });
                }
            }
        }
        tuples
    }

    fn complete(
        &self,
        types: &[usize],
        tuple: Vec<usize>,
        from: std::ops::Range<usize>,
        rest: u32,
        visit: &mut dyn FnMut(Vec<usize>),
    ) {
        let Some((ty, types)) = types.split_first() else {
            if rest == 0 {
                visit(tuple);
            }
            return;
        };
        for id in from {
            let found = &self.all.found[id];
            if found.ty == *ty && found.cost <= rest {
                let longer = [&tuple[..], &[id]].concat();
                let all = 0..self.all.found.len();
                self.complete(types, longer, all, rest - found.cost, visit);
            }
        }
    }

    fn call_with_all_literals(&mut self, op: usize, arguments: &[usize], level: u32) {
        let lengths = self.space.n_literals(op);
        let n_tuples: usize = lengths.iter().product();
        for index in 0..n_tuples {
            let mut literals = Vec::new();
            let mut rest = index;
            for length in lengths.iter().rev() {
                literals.insert(0, rest % length);
                rest /= length;
            }
            self.call(op, arguments, literals, level);
        }
    }

    fn call(&mut self, op: usize, arguments: &[usize], literals: Vec<usize>, level: u32) {
        let space = self.space;
        (space.before)();
        let values = arguments.iter().map(|&id| replay(space, &self.all.found, id)).collect();
        let left = match call(space, op, values, &literals) {
            Left::Structures(left) => left,
            Left::Misuse => return self.all.counted.misuse += 1,
            Left::Failed(panic) => return self.fail(panic, op, arguments),
        };
        let look =
            || left.iter().map(|slot| slot.as_deref().map(|value| space.form(value))).collect();
        let seen: Result<Vec<_>, _> = caught(look);
        self.all.drop_panics.extend(drop_quietly(left));
        let forms = match seen {
            Ok(forms) => forms,
            Err(payload) => match failed(space, &*payload) {
                Left::Failed(panic) => return self.fail(panic, op, arguments),
                _ => return self.all.counted.misuse += 1,
            },
        };
        if forms.iter().flatten().any(Option::is_none) {
            self.all.counted.out_of_scope += 1;
            return;
        }
        let mut is_new = false;
        for (output, form) in forms.into_iter().enumerate() {
            let Some(Some((ty, form))) = form else { continue };
            if !self.known.contains_key(&(ty, form.clone())) {
                self.known.insert((ty, form.clone()), self.all.found.len());
                let (arguments, literals) = (arguments.to_vec(), literals.clone());
                self.all.found.push(FoundStructure {
                    ty,
                    form,
                    cost: level,
                    op,
                    arguments,
                    literals,
                    output,
                });
                is_new = true;
            }
        }
        *(if is_new { &mut self.all.counted.kept } else { &mut self.all.counted.matched }) += 1;
    }

    fn fail(&mut self, panic: Panic, op: usize, arguments: &[usize]) {
        self.all.counted.failures += 1;
        let Panic { message, place } = panic;
        self.all.failures.push(Failure { message, place, op, arguments: arguments.to_vec() });
    }
}
