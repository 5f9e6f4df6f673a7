//! A generator of suites: types and methods drawn by chance, written as Rust source.
//!
//! The build script includes this file too, so it uses nothing but the standard library. A seed
//! decides everything: the module `suite_<seed>` is the same on every machine.

use std::fmt::Write as _;

use crate::dice::Dice;

/// What a field holds: each kind knows its type, its first value, and what a method may do with it.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Byte,
    Wide,
    Signed,
    Flag,
    Float,
    Maybe,
    Boxed,
    Shared,
    Atomic,
    Watched,
    Cell,
    Borrowed,
    Items,
    Links,
    Deque,
    Map,
    Set,
    Text,
    Tree,
    Chain,
    Choice,
    Heap,
}

const KINDS: [Kind; 22] = [
    Kind::Byte,
    Kind::Wide,
    Kind::Signed,
    Kind::Flag,
    Kind::Float,
    Kind::Maybe,
    Kind::Boxed,
    Kind::Shared,
    Kind::Atomic,
    Kind::Watched,
    Kind::Cell,
    Kind::Borrowed,
    Kind::Items,
    Kind::Links,
    Kind::Deque,
    Kind::Map,
    Kind::Set,
    Kind::Text,
    Kind::Tree,
    Kind::Chain,
    Kind::Choice,
    Kind::Heap,
];

impl Kind {
    fn ty(self) -> &'static str {
        match self {
            Kind::Byte => "u8",
            Kind::Wide => "u128",
            Kind::Signed => "i64",
            Kind::Flag => "bool",
            Kind::Float => "f64",
            Kind::Maybe => "Option<Option<u8>>",
            Kind::Boxed => "Option<Box<u8>>",
            Kind::Shared => "Rc<u8>",
            Kind::Atomic => "Arc<u8>",
            Kind::Watched => "Weak<u8>",
            Kind::Cell => "Rc<Cell<u8>>",
            Kind::Borrowed => "RefCell<Vec<u8>>",
            Kind::Items => "Vec<u8>",
            Kind::Links => "Vec<Rc<u8>>",
            Kind::Deque => "VecDeque<u8>",
            Kind::Map => "BTreeMap<u8, Box<u8>>",
            Kind::Set => "HashSet<u8>",
            Kind::Text => "String",
            Kind::Tree => "Option<Box<Node>>",
            Kind::Chain => "Option<Rc<Link>>",
            Kind::Choice => "Choice",
            Kind::Heap => "BinaryHeap<u8>",
        }
    }

    fn first(self) -> &'static str {
        match self {
            Kind::Byte | Kind::Wide | Kind::Signed => "0",
            Kind::Flag => "false",
            Kind::Float => "-0.0",
            Kind::Maybe | Kind::Boxed | Kind::Tree | Kind::Chain => "None",
            Kind::Shared => "Rc::new(0)",
            Kind::Atomic => "Arc::new(1)",
            Kind::Watched => "Weak::new()",
            Kind::Cell => "Rc::new(Cell::new(0))",
            Kind::Text => "String::new()",
            Kind::Choice => "Choice::None",
            _ => "Default::default()",
        }
    }

    /// A statement that changes field `f`; `v` is a `u8` below 4, `o` another structure of the same
    /// type or nothing.
    fn step(self, f: &str, dice: &mut Dice) -> String {
        let steps: &[&str] = match self {
            Kind::Byte => &["@ = v;", "@ = (@ + v) % 4;", "@ ^= 1;", "@ = @.max(v);"],
            Kind::Wide => &["@ = !u128::from(v);", "@ >>= 63;", "@ = u128::from(v) << 70;"],
            Kind::Signed => &["@ = -i64::from(v);", "@ = i64::MIN + i64::from(v);", "@ /= 2;"],
            Kind::Flag => &["@ = !@;", "@ = v > 0;"],
            Kind::Float => &["@ = -@;", "@ = f64::from(v) / 0.0;", "@ = f64::from(v);"],
            Kind::Maybe => {
                &["@ = Some(None);", "@ = Some(Some(v));", "@ = @.map(|_| None);", "@ = None;"]
            }
            Kind::Boxed => {
                &["@ = Some(Box::new(v));", "@ = None;", "if let Some(b) = &mut @ { **b ^= 1; }"]
            }
            Kind::Shared => &[
                "@ = Rc::new(v);",
                "if let Some(s) = Rc::get_mut(&mut @) { *s = v; }",
                "*Rc::make_mut(&mut @) ^= 1;",
                "@ = Rc::new(Rc::strong_count(&@) as u8);",
            ],
            Kind::Atomic => &[
                "@ = Arc::new(v);",
                "if let Some(s) = Arc::get_mut(&mut @) { *s ^= 1; }",
                "@ = Arc::new(Arc::strong_count(&@) as u8);",
            ],
            Kind::Watched => &["@ = Weak::new();", "@ = Rc::downgrade(&Rc::new(v));"],
            Kind::Cell => {
                &["@.set(v);", "@ = Rc::new(Cell::new(v));", "@.set(3 - @.get().min(3));"]
            }
            Kind::Borrowed => {
                &["@.borrow_mut().push(v);", "@.borrow_mut().pop();", "@.borrow_mut().reverse();"]
            }
            Kind::Items => &[
                "@.push(v);",
                "@.pop();",
                "let n = @.len().min(1); @.rotate_left(n);",
                "@.insert(0, v);",
                "@.remove(0);",
            ],
            Kind::Links => &[
                "@.push(Rc::new(v));",
                "@.extend(@.first().cloned());",
                "@.pop();",
                "if let Some(s) = @.first_mut().and_then(Rc::get_mut) { *s = 3 - (*s).min(3); }",
            ],
            Kind::Deque => &[
                "@.push_front(v);",
                "@.push_back(v);",
                "@.pop_back();",
                "@.rotate_right(@.len().min(1));",
            ],
            Kind::Map => &[
                "@.insert(v, Box::new(v));",
                "@.remove(&v);",
                "for b in @.values_mut() { **b ^= 1; }",
            ],
            Kind::Set => &["@.insert(v);", "@.remove(&v);", "@.retain(|i| *i != v);"],
            Kind::Text => &["@.push('a');", "@ = \"\\u{e4}\".to_owned();", "@.pop();"],
            Kind::Tree => &[
                "grow(&mut @, v);",
                "@ = @.take().and_then(|n| n.left);",
                "if let Some(n) = &mut @ { let l = n.left.take(); n.left = std::mem::replace(&mut n.right, l); }",
            ],
            Kind::Chain => &[
                "@ = Some(Rc::new(Link { mark: Cell::new(v), next: RefCell::new(@.take()) }));",
                "@ = @.take().and_then(|l| l.next.borrow().clone());",
                "if let Some(l) = &@ { l.mark.set(v); }",
                "if let Some(l) = &@ { let me = Rc::clone(l); *l.next.borrow_mut() = Some(me); }",
            ],
            Kind::Choice => &[
                "@ = Choice::One(v);",
                "@ = Choice::Two { left: Box::new(std::mem::replace(&mut @, Choice::None)), right: v > 1 };",
                "if let Choice::Two { left, .. } = std::mem::replace(&mut @, Choice::None) { @ = *left; }",
            ],
            Kind::Heap => &["@.push(v);", "@.pop();", "@.extend([v, v]);"],
        };
        dice.one(steps).replace('@', f)
    }
}

/// The source of the module of `seed`.
pub(crate) fn module(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let mut out = format!("/// Drawn with seed {seed}.\npub mod suite_{seed} {{\n");
    out.push_str("use super::prelude::*;\n");
    let n_types = 1 + dice.below(2) * dice.below(2);
    let names = ["Alpha", "Beta"];
    let types: Vec<Vec<Kind>> = (0..n_types)
        .map(|_| (0..1 + dice.below(3)).map(|_| KINDS[dice.below(KINDS.len())]).collect())
        .collect();
    let mut declared = String::new();
    for (index, fields) in types.iter().enumerate() {
        let name = names[index];
        let is_clone = dice.below(4) > 0;
        let derive = if is_clone { "#[derive(Clone)]" } else { "" };
        let members: Vec<String> =
            fields.iter().enumerate().map(|(i, kind)| format!("f{i}: {}", kind.ty())).collect();
        writeln!(out, "seen! {{ {derive} pub struct {name} {{ {} }} }}", members.join(", "))
            .unwrap();
        writeln!(out, "impl {name} {{").unwrap();
        let firsts: Vec<String> =
            fields.iter().enumerate().map(|(i, kind)| format!("f{i}: {}", kind.first())).collect();
        writeln!(out, "pub fn new_{index}() -> Self {{ {name} {{ {} }} }}", firsts.join(", "))
            .unwrap();
        writeln!(declared, "for {name} {{ fn new_{index}() -> Self;").unwrap();
        for number in 0..2 + dice.below(3) {
            let method = Method { name: format!("m{index}_{number}"), own: index, is_clone };
            let (signature, body) = method.write(&types, &mut dice);
            writeln!(out, "pub {signature} {{ {body} }}").unwrap();
            writeln!(declared, "{signature};").unwrap();
        }
        out.push_str("}\n");
        declared.push_str("}\n");
    }
    let k = 1 + dice.below(3);
    let errors = dice.below(3) > 0;
    writeln!(out, "both! {{ suite Drawn \"random::{seed}\" {{\n{declared}}} }}").unwrap();
    writeln!(
        out,
        "pub fn case() -> Case {{ case!(Drawn, Scope {{ ints: vec![{}], objects: {}, errors: {errors}, \
         panics: vec![\"allowed\"], strings: vec![\"\\u{{e4}}\"], ..Scope::of({k}) }}) }}\n}}",
        dice.one(&["0, 1", "1, 3", "2", "0, 3"]),
        1 + dice.below(3),
    )
    .unwrap();
    out
}

struct Method {
    name: String,
    own: usize,
    is_clone: bool,
}

impl Method {
    /// The signature and the body.
    fn write(&self, types: &[Vec<Kind>], dice: &mut Dice) -> (String, String) {
        let name = &self.name;
        let fields = &types[self.own];
        let mut body = String::new();
        for _ in 0..1 + dice.below(2) {
            let field = dice.below(fields.len());
            let step = fields[field].step(&format!("self.f{field}"), dice);
            match dice.below(5) {
                0 => writeln!(body, "if v != 1 {{ {step} }}").unwrap(),
                _ => writeln!(body, "{step}").unwrap(),
            }
        }
        match dice.below(12) {
            0 => body.push_str("assert!(v != 3, \"allowed\");\n"),
            1 => body.push_str("assert!(v != 3, \"forbidden {v}\");\n"),
            _ => {}
        }
        let watch = self.watch(fields);
        if let Some(watch) = watch.filter(|_| dice.below(2) == 0) {
            body.push_str(&watch);
        }
        let with_v = |result: &str| format!("fn {name}(&mut self, v: u8){result}");
        match dice.below(9) {
            0 => (
                format!("fn {name}(&mut self, other: &mut Self, v: u8)"),
                format!("let _ = v; {body} std::mem::swap(&mut self.f0, &mut other.f0);"),
            ),
            1 => (
                format!("fn {name}(self, other: Self, v: u8) -> Self"),
                format!(
                    "let mut this = self; this.go_{name}(v); this.f0 = other.f0; this }}\nfn go_{name}(&mut self, v: u8) {{ let _ = v; {body}"
                ),
            ),
            2 => (
                with_v(" -> Result<(), u8>"),
                format!("{body} if v == 0 {{ return Err(v); }} Ok(())"),
            ),
            3 if self.is_clone => (
                with_v(" -> Option<Self>"),
                format!("let before = self.clone(); {body} (v != 0).then_some(before)"),
            ),
            4 => (
                format!("fn {name}(self, v: u8) -> (u8, Option<Box<Self>>)"),
                format!(
                    "let mut this = self; this.go_{name}(v); (v, Some(Box::new(this))) }}\nfn go_{name}(&mut self, v: u8) {{ let _ = v; {body}"
                ),
            ),
            5 => (format!("fn {name}(&mut self)"), format!("let v = 2_u8; let _ = v; {body}")),
            _ => (with_v(""), format!("let _ = v; {body}")),
        }
    }

    /// A statement that makes one field point at another's object.
    fn watch(&self, fields: &[Kind]) -> Option<String> {
        let at = |kind| fields.iter().position(|field| *field == kind);
        if let (Some(weak), Some(shared)) = (at(Kind::Watched), at(Kind::Shared)) {
            return Some(format!("self.f{weak} = Rc::downgrade(&self.f{shared});"));
        }
        if let (Some(links), Some(shared)) = (at(Kind::Links), at(Kind::Shared)) {
            return Some(format!("self.f{links}.push(Rc::clone(&self.f{shared}));"));
        }
        let (first, second) = (at(Kind::Shared)?, fields.iter().rposition(|f| *f == Kind::Shared)?);
        (first < second).then(|| format!("self.f{second} = Rc::clone(&self.f{first});"))
    }
}
