//! The macros, described. The crate `beget-macros`, which has their code, knows nothing of what
//! their examples call.

/// Implements `beget::Heap` for a struct or enum: shows its fields to the walk, in the order of
/// their names, and reconstructs a value from its canonical form.
///
/// ```
/// use beget::Heap;
/// use beget::heap::{Bounds, canonical_form, laws};
///
/// #[derive(Heap)]
/// struct Stack {
///     head: Option<Box<Node>>,
///     len: usize,
/// }
///
/// #[derive(Heap)]
/// struct Node {
///     value: u8,
///     next: Option<Box<Node>>,
/// }
///
/// let stack = |value| Stack { head: Some(Box::new(Node { value, next: None })), len: 1 };
/// laws::check(&stack(1)).unwrap();
/// let form = |stack| canonical_form(&stack, &Bounds::unlimited()).unwrap();
/// assert_eq!(form(stack(1)), form(stack(1)));
/// assert_ne!(form(stack(1)), form(stack(2)));
/// ```
///
/// Type parameters get the bounds that the fields require: `Heap` where they are walked, `Ord` or
/// `Eq + Hash` as keys, `Copy` in a `Cell`. Types with lifetimes are rejected: a heap owns its
/// contents.
///
/// # Options of the type
///
/// `#[heap(name = "node")]` names the class in scope files and pictures, instead of the type's own
/// name. `#[heap(bound = "K: Ord")]` adds bounds to those that the fields require. `#[heap(crate =
/// path)]` gives the path of the crate `beget`, if not `::beget`.
///
/// # Options of a field
///
/// | option | the field |
/// | --- | --- |
/// | `skip`, `skip = value` | takes no part; a decoded value gets `Default` or `value` |
/// | `plain` | is shown by content: pointers in it are neither counted nor distinguished |
/// | `unsafe(pointer)` | is a raw pointer that is followed; see below |
/// | `unsafe(buffer = len)` | is a raw pointer to `len` elements, a field |
/// | `arena`, `arena(any_order)` | is the `Vec` that links lead into; its slots show their numbers, or not |
/// | `link = Node`, `null = value` | is an index that means a pointer to a `Node` in an arena, or a collection of such; `null` is the index for "none" of a type without `None` |
/// | `with = function` | is shown as the result of `fn(&Field) -> impl Heap`; such a type cannot be decoded |
/// | `debug` | is shown by its `Debug`, a `Vec` by that of each element: values with the same text are equal; such a type cannot be decoded |
///
/// `#[heap(unsafe(pointers))]` on the type stands for `unsafe(pointer)` on all its raw pointers.
///
/// ## Raw pointers
///
/// `#[heap(unsafe(pointer))]` on a `*mut T`, `*const T`, `NonNull<T>` or `Option<NonNull<T>>` is
/// your promise: *whenever the value is walked, the pointer is null or points to a live value that
/// was allocated as `Box` does and belongs to this structure.* The emitted code then has an
/// `unsafe` block.
///
/// ```
/// use beget::Heap;
///
/// #[derive(Heap)]
/// struct List {
///     #[heap(unsafe(pointer))]
///     head: *mut Node,
/// }
///
/// #[derive(Heap)]
/// struct Node {
///     value: u8,
///     #[heap(unsafe(pointer))]
///     next: *mut Node,
///     #[heap(unsafe(pointer))]
///     previous: *mut Node,
/// }
///
/// let list = List { head: std::ptr::null_mut() };
/// beget::heap::laws::check(&list).unwrap();
/// ```
///
/// ## Arenas
///
/// If the order of slots makes no difference, two lists that differ only in the slots they use are
/// the same structure:
///
/// ```
/// use beget::Heap;
/// use beget::heap::{Bounds, canonical_form};
///
/// #[derive(Heap)]
/// struct List {
///     #[heap(arena(any_order))]
///     nodes: Vec<Node>,
///     #[heap(link = Node, null = usize::MAX)]
///     head: usize,
/// }
///
/// #[derive(Heap)]
/// struct Node {
///     value: u8,
///     #[heap(link = Node)]
///     next: Option<u32>,
/// }
///
/// let node = |value, next| Node { value, next };
/// let forwards = List { nodes: vec![node(1, Some(1)), node(2, None)], head: 0 };
/// let backwards = List { nodes: vec![node(2, None), node(1, Some(0))], head: 1 };
/// let form = |list| canonical_form(&list, &Bounds::unlimited()).unwrap();
/// assert_eq!(form(forwards), form(backwards));
/// ```
///
/// A struct has at most three arenas, each of an element type of its own.
pub use beget_macros::Heap;

/// Derives a typed view of a type that derives `Heap`, for its repOKs.
///
/// For `struct List` it makes `ListView<'_>`, a position in a table of cells, with one method per
/// field; `#[view(name = Other)]` renames it. Pointers return an `Option` of the target's view. An
/// enum without fields is its own view and must be `Copy`.
///
/// ```
/// use beget::heap::view::{RepOk, Verdict, clause};
/// use beget::{HasRepOks, Heap, HeapView};
///
/// #[derive(Heap, HeapView)]
/// struct Stack {
///     top: Option<Box<Node>>,
///     len: usize,
/// }
///
/// #[derive(Heap, HeapView)]
/// struct Node {
///     below: Option<Box<Node>>,
///     value: u8,
/// }
///
/// fn is_empty_without_top(stack: StackView<'_>) -> Verdict {
///     clause("an empty stack has no top", stack.top().is_some() || stack.len() == 0)
/// }
///
/// impl HasRepOks for Stack {
///     fn rep_oks() -> Vec<RepOk<Self>> {
///         vec![RepOk::<Self>::new("corrected", is_empty_without_top)]
///     }
/// }
///
/// beget::assert_rep_ok("corrected", &Stack { top: None, len: 0 });
/// ```
pub use beget_macros::HeapView;

/// Implements `beget::Domain` for a struct or enum whose fields have domains: its values are all
/// combinations of its fields' values, variant by variant in source order, the last field varying
/// fastest.
///
/// ```
/// use beget::Domain;
/// use beget::suites::Pools;
///
/// #[derive(Clone, Domain)]
/// enum Command {
///     Clear,
///     Set { key: u8, on: bool },
/// }
///
/// let pools = Pools { ints: Some(vec![1, 2]), ..Pools::default() };
/// let commands = Command::values(&pools).unwrap();
/// assert_eq!(commands.len(), 1 + 2 * 2);
/// assert_eq!(commands[1].to_source(), "Command::Set { key: 1, on: false }");
/// ```
///
/// A type with lifetimes has a domain for `'static`, so its texts are `&str`. A scope can restrict
/// the variants of an enum by its name. Types that contain themselves are rejected, because they
/// have infinitely many values. `#[domain(crate = path)]` gives the path of the crate `beget`, if
/// not `::beget`.
pub use beget_macros::Domain;

/// Declares a suite from the signatures of the methods that take part: a unit struct that
/// implements `beget::HasSuite`.
///
/// ```
/// use beget::HasSuite;
///
/// beget::suite! {
///     /// The standard double-ended queue over small integers.
///     #[name = "std::deque"]
///     pub suite Deque for std::collections::VecDeque<u8> {
///         fn new() -> Self;
///         fn push_back(&mut self, value: u8);
///         fn pop_front(&mut self) -> Option<u8>;
///         fn append(&mut self, other: &mut Self);
///     }
/// }
///
/// let suite = Deque::suite();
/// assert_eq!(suite.name, "std::deque");
/// assert_eq!(suite.methods[1].signature, "fn push_back(&mut self, value: u8)");
/// ```
///
/// The order of the signatures is the order of the methods. Names are unique in a suite. The
/// signatures are checked against the real ones when the emitted calls are compiled, except that
/// lifetimes are left to inference.
///
/// # Parameters
///
/// A parameter of type `Self` or of another type of the suite, by value, `&` or `&mut`, takes a
/// structure. Every other one takes literals of its type's `Domain`: `&str` and `&[T]` those of
/// strings and vectors, `&T` and `&mut T` those of `T`. A structure may be in a `Box`, `Rc`, `Arc`,
/// `Option`, `Vec` or `&[_]`; an `Option` turns a signature into two methods (`link`,
/// `link_without_next`), a list into three (`concat_0_parts`, ...). References may be inside
/// (`Option<&str>`, `&[&str]`). `#[values(Mode::A, Mode::B)]` before a parameter lists the values
/// of a type that has no domain. Generic, async and unsafe functions and parameters that take
/// functions are rejected.
///
/// `consts(MAX_LEN, Self::CAP);` at the beginning of the block of a type names constants that serve
/// as literals for parameters of their types, beside those of a scope.
///
/// # Results
///
/// Structures are found in `Self`, `Option`, `Result`, `Box`, `Vec`, `VecDeque`, slices, arrays and
/// tuples of these, behind references, and in an `Rc` or `Arc`. A borrowed one is cloned, unless it
/// is one of the arguments or its type is not `Clone`: then the call gives no new structure. At
/// most eight are taken from a list, and a call that returns more is out of scope. The rest of a
/// method's result is dropped. `Err` is the outcome of the call, not a result; recipes `unwrap`, so
/// the error should be `Debug`.
///
/// # Other functions
///
/// `= path` after a signature names the function to call: with a receiver and a single name another
/// method, otherwise a function (`self::name` for one in scope that takes the receiver first).
///
/// ```
/// # use beget::HasSuite;
/// # type Bytes = std::collections::VecDeque<u8>;
/// fn pair(first: u8, second: u8) -> Bytes {
///     [first, second].into()
/// }
///
/// beget::suite! {
///     suite Deque for std::collections::VecDeque<u8> as Bytes {
///         fn room_for_ten(capacity: usize) -> Self = Self::with_capacity;
///         fn pair(first: u8, second: u8) -> Self = pair;
///         fn push(&mut self, value: u8) = push_back;
///     }
/// }
///
/// assert_eq!(Deque::suite().methods[0].path, "Bytes::with_capacity");
/// ```
///
/// `as Bytes` is the name by which recipes write the type; by default it is the last segment of the
/// path.
///
/// # Several types, foreign types
///
/// The first item of a type's block may be an abstraction: a function to a value that has a heap.
/// Structures of a type without `Heap` are then equal if these values are.
///
/// ```
/// # use beget::HasSuite;
/// pub struct Bag(Vec<u8>);
///
/// impl Bag {
///     pub fn fill(&mut self, from: &std::collections::VecDeque<u8>) {
///         self.0.extend(from);
///     }
/// }
///
/// beget::suite! {
///     /// Bags and what fills them.
///     pub suite Bags {
///         for Bag {
///             abstraction |bag| -> Vec<u8> {
///                 let mut values = bag.0.clone();
///                 values.sort();
///                 values
///             };
///             fn fill(&mut self, from: &Bytes);
///         }
///         for std::collections::VecDeque<u8> as Bytes {
///             fn new() -> Self;
///             fn push_back(&mut self, value: u8);
///         }
///     }
/// }
///
/// assert_eq!(Bags::suite().types.len(), 2);
/// ```
///
/// `#[crate = path]` before `suite` gives the path of the crate `beget`, if not `::beget`.
pub use beget_macros::suite;

/// Makes an impl block the suite of its type: implements `beget::HasSuite` with the block's `pub
/// fn`s in source order. The block itself is unchanged. In a crate that uses beget only in its
/// tests, write `#[cfg_attr(test, beget::api)]`, and likewise for the marks in it:
/// `#[cfg_attr(test, api(skip))]`.
///
/// ```
/// use beget::{HasSuite, Heap};
///
/// #[derive(Clone, Heap)]
/// pub struct Stack {
///     values: Vec<u8>,
/// }
///
/// /// A stack of small integers.
/// #[beget::api(name = "docs::stack")]
/// impl Stack {
///     pub fn new() -> Self {
///         Stack { values: Vec::new() }
///     }
///
///     pub fn push(&mut self, value: u8) {
///         self.values.push(value);
///     }
///
///     #[api(skip)]
///     pub fn retain(&mut self, keep: impl FnMut(&u8) -> bool) {
///         self.values.retain(keep);
///     }
/// }
///
/// let suite = Stack::suite();
/// assert_eq!(suite.methods.len(), 2);
/// assert_eq!(suite.doc, "A stack of small integers.");
/// ```
///
/// Signatures are read as in [`suite!`].
///
/// | option of the block | |
/// | --- | --- |
/// | `name = "..."` | names the suite, otherwise it has the type's name |
/// | `only(new, push)` | takes only these functions |
/// | `skip(retain)` | takes all but these |
/// | `part = 2` | adds the block to the suite that another block of the type makes; numbers go from 2 to 9 |
/// | `at(T = u8, N = 4)` | chooses the generic parameters of the block: the suite is that of `Stack<u8, 4>` |
/// | `keys(Entity)` | declares types of keys: methods are called with the keys that they returned |
/// | `consts(MAX_LEN, Self::CAP)` | names constants that are literals of the parameters of their types |
/// | `shown` | compares structures by what the type shows |
/// | `serde` | checks the round trip through `serde` |
/// | `crate = path` | gives the path of the crate `beget`, if not `::beget` |
///
/// | mark on a function | |
/// | --- | --- |
/// | `#[api(skip)]` | leaves it out |
/// | `#[api(at(values = Vec<u8>))]` | chooses the type of a parameter of type `impl Trait`, or of a type parameter |
/// | `#[api(values(mode = [Mode::A, Mode::B]))]` | lists the values of a parameter whose type has no domain |
/// | `#[api(name = "...")]` | is its name in the suite |
/// | `#[api(requires(...))]`, `#[api(ensures(...))]` | states what holds before and after a call |
/// | `#[beget::invariant]` | makes it an invariant of every structure, see [`invariant`](macro@invariant) |
///
/// A block of a trait contributes all its functions. Functions that are left out are listed in
/// `Suite::absent`.
///
/// ```
/// use beget::{HasSuite, Heap};
///
/// #[derive(Clone, Default, Heap)]
/// pub struct Bag {
///     values: Vec<u8>,
/// }
///
/// #[beget::api]
/// impl Bag {
///     pub fn len(&self) -> usize {
///         self.values.len()
///     }
/// }
///
/// #[beget::api(part = 2)]
/// impl Extend<u8> for Bag {
///     #[api(at(I = Vec<u8>))]
///     fn extend<I: IntoIterator<Item = u8>>(&mut self, values: I) {
///         self.values.extend(values);
///     }
/// }
///
/// let names: Vec<_> = Bag::suite().methods.iter().map(|method| method.name).collect();
/// assert_eq!(names, ["len", "extend"]);
/// ```
pub use beget_macros::api;

/// Marks a function of an [`api`](macro@api) block, or a signature of [`suite!`], as an invariant,
/// which every structure must pass.
///
/// It takes `&self` and returns `bool`, `Result<_, impl Debug>`, or `()` and panics. It need not be
/// `pub`. A search checks it on each structure that a call leaves, before it follows the
/// structure's pointers; a call whose structure does not pass is a failure of kind `invariant`. In
/// a crate that uses beget only in its tests, write `#[cfg_attr(test, beget::invariant)]`.
///
/// ```
/// use beget::{HasSuite, Heap};
///
/// #[derive(Clone, Heap)]
/// pub struct Sorted {
///     values: Vec<u8>,
/// }
///
/// #[beget::api]
/// impl Sorted {
///     pub fn new() -> Self {
///         Sorted { values: Vec::new() }
///     }
///
///     pub fn insert(&mut self, value: u8) {
///         self.values.push(value);
///         self.values.sort();
///     }
///
///     #[beget::invariant]
///     fn is_sorted(&self) -> bool {
///         self.values.is_sorted()
///     }
/// }
///
/// assert_eq!(Sorted::suite().invariants[0].name, "is_sorted");
/// assert_eq!(Sorted::suite().methods.len(), 2);
/// ```
pub use beget_macros::invariant;
