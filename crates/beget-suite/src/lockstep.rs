//! Two suites as one, whose structures are pairs: every call is made on both sides, and the results
//! are compared.
//!
//! A search of such a suite explores all pairs that calls can reach, so it finds every difference
//! that shows in a result within its scope. The left side is bounded, determines recipes, and is
//! shown in pictures. The right one only follows.
//!
//! # How
//!
//! **Two suites in lockstep** are a suite whose structures are pairs, so the one loop also compares
//! models and versions: bounds, copies, budgets, recipes and findings need no extra code. A pair's
//! form is the left one's, then the right one's as plain numbers, coded by a layout without bounds,
//! because the scope is the left suite's. A paired method calls each side under a guard and
//! compares the results. The glue of suites is plain function pointers, which capture nothing: so a
//! `Method` or `Type` of pairs refers to its sides in a field, and `Method::make` and
//! `Type::decode` use that.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use beget_heap::{
    Bounds, Decoder, Encoder, FormRef, HeapGraph, Layout, Primitive, Schema, Undecodable, Walker,
};
use beget_process::guard::{CaughtPanic, guarded, look_at_last_panic};

use crate::downcast::downcast;
use crate::types::TypeLayer;
use crate::{
    Breach, Call, Frame, Literal, Method, MethodIdx, Operation, Outcome, Output, ParamKind,
    Passing, ReturnValue, SameAs, Slot, Suite, Type, TypeTraits,
};

/// Two suites in lockstep.
#[derive(Clone, Debug)]
pub struct Lockstep {
    /// The suite of pairs. Its methods and types have the positions of the left suite's.
    pub suite: Suite,
    /// The methods without a partner, those of the left suite first. They are in the suite, but
    /// cannot be called on pairs.
    pub unpaired: Vec<UnpairedMethod>,
}

/// A method without a partner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnpairedMethod {
    /// The name of its suite.
    pub suite: String,
    /// Its name.
    pub method: &'static str,
    /// The difference to the other suite's method of that name; `None` if there is none.
    pub difference: Option<String>,
}

/// The notes about methods without a partner, each a suite, a name and a difference: a line for
/// each difference, then one for each suite that has methods of its own.
pub fn unpaired_notes<'u>(
    unpaired: impl IntoIterator<Item = (&'u str, &'u str, Option<&'u str>)>,
) -> Vec<String> {
    let (mut notes, mut only) = (Vec::new(), Vec::<(&str, Vec<&str>)>::new());
    for (suite, method, difference) in unpaired {
        if let Some(difference) = difference {
            notes.push(format!("not compared: `{method}`, {difference}"));
        } else if let Some((_, methods)) = only.iter_mut().find(|(known, _)| *known == suite) {
            methods.push(method);
        } else {
            only.push((suite, vec![method]));
        }
    }
    let only = only.iter().map(|(suite, all)| format!("only in {suite}: {}", all.join(", ")));
    notes.extend(only);
    notes
}

/// A method of two suites in lockstep.
#[derive(Debug)]
pub struct PairedMethod {
    sides: [Method; 2],
    /// The types of its outputs.
    outputs: Vec<&'static PairedType>,
}

/// The functions for the two values of a pair.
#[derive(Debug)]
pub(crate) struct PairedType {
    sides: [Type; 2],
    /// The suites of the two sides.
    suites: Arc<[Suite; 2]>,
    /// The schema of the right side, which no bound of a scope limits.
    schema: Schema,
    layout: Layout,
}

/// A structure of two suites in lockstep.
struct PairedValue {
    ty: &'static PairedType,
    sides: [Slot; 2],
}

impl Lockstep {
    /// Returns whether the method at this position can be called on pairs.
    pub fn is_paired(&self, method: MethodIdx) -> bool {
        self.suite.method(method).is_pair()
    }
}

/// `left` and `right` as one suite: methods of one name with the same parameters are called
/// together.
///
/// Main types are paired, and further types of one name; if both suites have the same number of
/// types, those at one position. The invariants of both suites are left out.
///
/// The types' descriptions are never freed: structures refer to them from memory that is never
/// dropped.
pub fn in_lockstep(left: &Suite, right: &Suite) -> Lockstep {
    let partners: Vec<Option<usize>> =
        (0..left.types.len()).map(|index| partner_of(left, right, index)).collect();
    let suites = Arc::new([left.clone(), right.clone()]);
    let types: Vec<Option<&'static PairedType>> = left
        .types
        .iter()
        .zip(&partners)
        .map(|(ty, partner)| partner.map(|index| PairedType::new(ty, &right.types[index], &suites)))
        .collect();
    let mut unpaired = Vec::new();
    let mut methods = Vec::new();
    for method in &left.methods {
        let partner = find_partner(method, right, &partners);
        let pair = match partner {
            Ok(partner) => {
                let outputs = method.outputs.iter().map(|output| types[output.ty.index()]);
                let outputs = outputs.map(|ty| ty.expect("a partner returns its partner"));
                let sides = [method.clone(), partner.clone()];
                let pair = PairedMethod { sides, outputs: outputs.collect() };
                Some(Arc::new(pair) as Arc<dyn Operation>)
            }
            Err(difference) => {
                let (suite, method) = (left.name.clone(), method.name);
                unpaired.push(UnpairedMethod { suite, method, difference });
                None
            }
        };
        methods.push(Method { stand_in: pair, ..method.clone() });
    }
    let is_known = |method: &&Method| left.methods.iter().any(|known| known.name == method.name);
    let unknown = right.methods.iter().filter(|method| !is_known(method));
    unpaired.extend(unknown.map(|method| {
        let suite = right.name.clone();
        UnpairedMethod { suite, method: method.name, difference: None }
    }));
    let types = left.types.iter().zip(types);
    let types = types.map(|(ty, paired)| paired.map_or_else(|| ty.clone(), PairedType::to_type));
    let suite = Suite { types: types.collect(), methods, invariants: Vec::new(), ..left.clone() };
    Lockstep { suite, unpaired }
}

impl Suite {
    /// The two suites of a suite of pairs, with its methods at their positions; `None` for other
    /// suites.
    pub fn sides(&self) -> Option<[Suite; 2]> {
        let pair: &dyn Any = self.types.iter().find_map(|ty| ty.pair)?;
        let suites = &pair.downcast_ref::<PairedType>()?.suites;
        let method = |method: &Method, side: usize| {
            let pair = method.stands_for::<PairedMethod>();
            pair.map_or_else(|| method.clone(), |pair| pair.sides[side].clone())
        };
        Some([0, 1].map(|side| {
            let methods = self.methods.iter().map(|one| method(one, side)).collect();
            Suite { methods, literals: self.literals.clone(), ..suites[side].clone() }
        }))
    }
}

/// The position of the type in `right` that is paired with type number `index` of `left`.
fn partner_of(left: &Suite, right: &Suite, index: usize) -> Option<usize> {
    if index == 0 {
        return (!right.types.is_empty()).then_some(0);
    }
    let further = right.types.iter().enumerate().skip(1);
    let mut by_name = further.filter(|(_, ty)| ty.name == left.types[index].name);
    let by_position = || (left.types.len() == right.types.len()).then_some(index);
    by_name.next().map(|(position, _)| position).or_else(by_position)
}

/// The method of `right` that corresponds to `method`, or else the difference to the method of that
/// name.
fn find_partner<'r>(
    method: &Method,
    right: &'r Suite,
    partners: &[Option<usize>],
) -> Result<&'r Method, Option<String>> {
    let partner = right.method_named(method.name).ok_or(None)?;
    let (name, signature) = (&right.name, partner.signature);
    let other = |what: &str| Err(Some(format!("{what} in {name}, `{signature}`")));
    if method.params.len() != partner.params.len() {
        return other("it has another number of parameters");
    }
    // An argument passed by `&` may be the same structure as another one; one passed by `&mut` may
    // not.
    let may_differ = method.structure_params().count() < 2;
    for (ours, theirs) in method.params.iter().zip(&partner.params) {
        if !is_same_param(&ours.kind, &theirs.kind, partners, may_differ) {
            return other(&format!("its parameter `{}` is another one", ours.name));
        }
    }
    let is_same_type =
        |(ours, theirs): (&Output, &Output)| partners[ours.ty.index()] == Some(theirs.ty.index());
    let n_outputs = [method.outputs.len(), partner.outputs.len()];
    if n_outputs[0] != n_outputs[1]
        || !method.outputs.iter().zip(&partner.outputs).all(is_same_type)
    {
        return other("it returns other structures");
    }
    if method.fallible != partner.fallible {
        return other(if method.fallible {
            "it returns no `Result`"
        } else {
            "it returns a `Result`"
        });
    }
    Ok(partner)
}

/// Returns whether both parameters take the same values. One may take structures by `&` and the
/// other by `&mut` if they `may_differ`.
fn is_same_param(
    ours: &ParamKind,
    theirs: &ParamKind,
    partners: &[Option<usize>],
    may_differ: bool,
) -> bool {
    match (ours, theirs) {
        (
            ParamKind::Structure { ty, passing },
            ParamKind::Structure { ty: other, passing: other_passing },
        ) => {
            let [is_taken, other_is_taken] =
                [passing, other_passing].map(|passing| *passing == Passing::Value);
            let is_passed_alike =
                passing == other_passing || may_differ && is_taken == other_is_taken;
            partners[ty.index()] == Some(other.index()) && is_passed_alike
        }
        (ParamKind::Literal { domain, .. }, ParamKind::Literal { domain: other, .. }) => {
            let referent = |ty: &'static str| {
                ty.strip_prefix('&').map_or(ty, |ty| ty.trim_start_matches("mut "))
            };
            (referent(domain.ty), domain.kind) == (referent(other.ty), other.kind)
        }
        _ => false,
    }
}

impl PairedType {
    fn new(left: &Type, right: &Type, suites: &Arc<[Suite; 2]>) -> &'static PairedType {
        let mut schema = Schema::default();
        right.describe_in(&mut schema);
        let layout = Layout::new(&schema, &Bounds::unlimited());
        let sides = [left.clone(), right.clone()];
        Box::leak(Box::new(PairedType { sides, suites: suites.clone(), schema, layout }))
    }

    /// The type as the suite of pairs has it.
    fn to_type(&'static self) -> Type {
        let [left, right] = &self.sides;
        let can_clone = left.clone.is_some() && right.clone.is_some() && !self.schema.has_counted;
        Type {
            name: left.name,
            describe: left.describe,
            walk: |value, encoder| downcast::<PairedValue>(value).walk(encoder),
            graph: |value, schema, layout| downcast::<PairedValue>(value).graph(schema, layout),
            decode_own: |_| Err(Undecodable::new("it is one of a pair")),
            clone: can_clone.then_some(|value| Box::new(downcast::<PairedValue>(value).clone())),
            traits: TypeTraits::default(),
            state: left.state,
            // A side's view is chosen before it becomes part of a pair.
            further_views: Vec::new(),
            own_form: None,
            pair: Some(self),
            keyed: None,
        }
    }
}

impl TypeLayer for PairedType {
    /// Adds the effect of the right side to the schema of pairs, which has only the left one's
    /// classes.
    fn describe(&self, schema: &mut Schema) {
        schema.irregular();
        schema.shares_as(&self.schema);
        self.schema.undecodable.iter().for_each(|reason| schema.not_decodable(reason.as_str()));
    }

    fn decode(&'static self, decoder: &mut Decoder<'_>) -> Result<Box<dyn Any>, Undecodable> {
        let [left, right] = &self.sides;
        let ours = left.decode(decoder)?;
        let len = decoder.unsigned() as usize;
        let mut form = Vec::with_capacity(len.next_multiple_of(8));
        while form.len() < len {
            form.extend_from_slice(&decoder.unsigned().to_le_bytes());
        }
        let mut beside = Decoder::new(&self.layout, 0);
        beside.begin(FormRef::new(&form[..len]));
        let theirs = right.decode(&mut beside)?;
        Ok(Box::new(PairedValue { ty: self, sides: [Some(ours), Some(theirs)] }))
    }
}

/// The left side of a pair; other values are their own.
pub(crate) fn left_side(value: &dyn Any) -> &dyn Any {
    value.downcast_ref::<PairedValue>().map_or(value, |pair| pair.side(0))
}

impl PairedValue {
    fn side(&self, index: usize) -> &dyn Any {
        self.sides[index].as_deref().expect("both structures of a pair are there")
    }

    /// The left form, then the right one as numbers, without its classes.
    fn walk(&self, encoder: &mut Encoder<'_>) {
        let [left, right] = &self.ty.sides;
        (left.walk)(self.side(0), encoder);
        let mut beside = Encoder::new(&self.ty.layout);
        beside.begin(0);
        (right.walk)(self.side(1), &mut beside);
        // Nothing is outside unlimited bounds.
        let Ok(form) = beside.finish() else { return encoder.stop_undecided() };
        encoder.primitive(Primitive::Word(form.len as u64));
        form.words.iter().for_each(|&word| encoder.primitive(Primitive::Word(word)));
    }

    fn graph(&self, schema: &Schema, layout: &Layout) -> HeapGraph {
        (self.ty.sides[0].graph)(self.side(0), schema, layout)
    }
}

impl Clone for PairedValue {
    fn clone(&self) -> Self {
        let side = |index: usize| {
            let clone = self.ty.sides[index].clone.expect("both types can be cloned");
            Some(clone(self.side(index)))
        };
        PairedValue { ty: self.ty, sides: [side(0), side(1)] }
    }
}

/// The way a call ended on one side.
enum Ending {
    Returned(Option<ReturnValue>),
    Error(Option<ReturnValue>),
    Panicked(String),
    /// A precondition of the side, or a contract.
    Other(Outcome),
}

impl Ending {
    fn is_misuse(&self) -> bool {
        matches!(self, Ending::Other(Outcome::Misuse))
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Returned(Some(value)) | Ending::Error(Some(value)) => {
                write!(f, "gives {value}")
            }
            Ending::Returned(None) => f.write_str("returns"),
            Ending::Error(None) => f.write_str("gives an `Err`"),
            Ending::Panicked(message) => write!(f, "panics: {message}"),
            Ending::Other(Outcome::LongerList) => f.write_str("gives a longer list of structures"),
            Ending::Other(_) => f.write_str("breaks a contract"),
        }
    }
}

impl Method {
    /// Returns whether it stands for one method of each side of a pair of suites.
    pub fn is_pair(&self) -> bool {
        self.stands_for::<PairedMethod>().is_some()
    }

    /// The left side's method if it is one of pairs, or else itself.
    pub(crate) fn left(&self) -> &Method {
        self.stands_for::<PairedMethod>().map_or(self, |pair| &pair.sides[0])
    }
}

impl Operation for PairedMethod {
    fn make(&self, call: &mut Call<'_>) -> Outcome {
        self.make_on_both(call).0
    }

    fn observe(&self, call: &mut Call<'_>) -> (Outcome, Option<ReturnValue>) {
        self.make_on_both(call)
    }
}

impl PairedMethod {
    /// Makes the call on both sides; the results are the left one's.
    fn make_on_both(&self, call: &mut Call<'_>) -> (Outcome, Option<ReturnValue>) {
        let (frame, literals) = call.parts();
        let mut frames = split(frame);
        let [left, right] =
            [0, 1].map(|side| ending(&self.sides[side], &mut frames[side], literals));
        put_back(frame, &mut frames);
        // A side that forbids the call does not show what it would do.
        if left.is_misuse() || right.is_misuse() {
            return (Outcome::Misuse, None);
        }
        let breach = self.breach(&left, &right, &frames);
        match (breach, left) {
            (Some(breach), _) => (call.break_contract(breach), None),
            (None, Ending::Returned(value)) => {
                self.give_pairs(call, frames);
                (Outcome::Returned, value)
            }
            (None, Ending::Error(value)) => {
                self.give_pairs(call, frames);
                (Outcome::Error, value)
            }
            (None, Ending::Other(Outcome::LongerList)) => (Outcome::LongerList, None),
            // Both panic, or both break a contract.
            (None, Ending::Panicked(_) | Ending::Other(_)) => (Outcome::Misuse, None),
        }
    }

    /// Gives the results of both sides, which are there on both or on none.
    fn give_pairs(&self, call: &mut Call<'_>, [ours, theirs]: [Frame; 2]) {
        for ((ours, theirs), ty) in ours.results.into_iter().zip(theirs.results).zip(&self.outputs)
        {
            let pair = ours.is_some().then(|| PairedValue { ty, sides: [ours, theirs] });
            call.give_option(pair);
        }
    }

    /// The difference between the two sides, if there is one.
    fn breach(&self, left: &Ending, right: &Ending, frames: &[Frame; 2]) -> Option<Breach> {
        let name = match (left, right) {
            (Ending::Returned(ours), Ending::Returned(theirs)) => {
                if give_same(frames) && !differ(ours.as_ref(), theirs.as_ref()) {
                    return None;
                }
                "result"
            }
            (Ending::Error(ours), Ending::Error(theirs)) => {
                if give_same(frames) && !differ(ours.as_ref(), theirs.as_ref()) {
                    return None;
                }
                "error"
            }
            (Ending::Panicked(_), Ending::Panicked(_)) => return None,
            (Ending::Other(ours), Ending::Other(theirs)) if ours == theirs => return None,
            (Ending::Other(Outcome::LongerList), _) | (_, Ending::Other(Outcome::LongerList)) => {
                "result"
            }
            (Ending::Other(_), Ending::Other(_)) => return None,
            (Ending::Panicked(_), _) | (_, Ending::Panicked(_)) => "panic",
            _ => "outcome",
        };
        let [ours, theirs] = [0, 1].map(|side| self.sides[side].path);
        let panic = match left {
            Ending::Panicked(message) => Some(message.clone()),
            _ => None,
        };
        let message = format!("`{ours}` {left}, `{theirs}` {right}");
        Some(Breach { kind: "model", name, message, panic })
    }
}

/// Returns whether both sides give a structure for the same outputs.
fn give_same(frames: &[Frame; 2]) -> bool {
    let [ours, theirs] = [0, 1].map(|side| frames[side].results.iter().map(Option::is_some));
    ours.eq(theirs)
}

/// The structures of a frame of pairs, taken out of it for each side.
fn split(frame: &mut Frame) -> [Frame; 2] {
    [0, 1].map(|side| {
        let of_side = |slot: &mut Slot| -> Slot {
            let value = slot.as_mut()?;
            match value.downcast_mut::<PairedValue>() {
                Some(pair) => pair.sides[side].take(),
                None => value.downcast_ref::<SameAs>().map(|&same| Box::new(same) as Box<dyn Any>),
            }
        };
        Frame::of(frame.arguments.iter_mut().map(of_side).collect())
    })
}

/// Puts them back. If a side was taken by value, the pair is gone.
fn put_back(frame: &mut Frame, frames: &mut [Frame; 2]) {
    for (index, slot) in frame.arguments.iter_mut().enumerate() {
        let Some(pair) = slot.as_mut().and_then(|value| value.downcast_mut::<PairedValue>()) else {
            continue;
        };
        for (side, of_side) in frames.iter_mut().enumerate() {
            pair.sides[side] = of_side.arguments[index].take();
        }
        if pair.sides.iter().any(Option::is_none) {
            *slot = None;
        }
    }
}

fn ending(method: &Method, frame: &mut Frame, literals: &[&Literal]) -> Ending {
    match guarded(|| method.observe(&mut Call::new(frame, literals))) {
        Ok((Outcome::Returned, value)) => Ending::Returned(value),
        Ok((Outcome::Error, value)) => Ending::Error(value),
        Ok((outcome, _)) => Ending::Other(outcome),
        // The report may not be dropped here: the call may be in a region, and the report was
        // allocated outside.
        Err(CaughtPanic) => Ending::Panicked(look_at_last_panic(|report| report.message.clone())),
    }
}

/// Returns whether two results differ, as far as both can be shown.
fn differ(ours: Option<&ReturnValue>, theirs: Option<&ReturnValue>) -> bool {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => {
            ours.to_string() != theirs.to_string() && values_differ(ours, theirs)
        }
        _ => false,
    }
}

fn values_differ(ours: &ReturnValue, theirs: &ReturnValue) -> bool {
    use ReturnValue::{Boxed, Err, Mut, None, Ok, Plain, Ref, Some, Structure, Tuple};
    match (ours, theirs) {
        (Boxed(inner) | Ref(inner) | Mut(inner), other) => values_differ(inner, other),
        (own, Boxed(inner) | Ref(inner) | Mut(inner)) => values_differ(own, inner),
        (Structure(_), Structure(_)) | (None, None) => false,
        // Two implementations may have different errors.
        (Err(ours), Err(theirs)) => match (&**ours, &**theirs) {
            (Plain(ours), Plain(theirs)) if ours.ty != theirs.ty => false,
            (ours, theirs) => values_differ(ours, theirs),
        },
        (Some(ours), Some(theirs)) | (Ok(ours), Ok(theirs)) => values_differ(ours, theirs),
        (Tuple(ours), Tuple(theirs)) => {
            let mut parts = ours.iter().zip(theirs);
            ours.len() != theirs.len() || parts.any(|(ours, theirs)| values_differ(ours, theirs))
        }
        (Plain(value), _) | (_, Plain(value)) if value.is_opaque() => false,
        (ours, theirs) => ours.to_string() != theirs.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain_value;
    use crate::testing::{method, returned};

    fn breach(left: Ending, right: Ending) -> Option<&'static str> {
        let method = method("f", &[], None, returned);
        let pair = PairedMethod { sides: [method.clone(), method], outputs: Vec::new() };
        pair.breach(&left, &right, &<[Frame; 2]>::default()).map(|breach| breach.name)
    }

    fn plain(value: u8) -> ReturnValue {
        ReturnValue::Plain(plain_value!(&value))
    }

    #[test]
    fn sides_differ_by_how_their_calls_end() {
        use Outcome::{Broken, LongerList, Misuse};
        let returned = |value| Ending::Returned(Some(plain(value)));
        let error = |value| Ending::Error(Some(plain(value)));
        let panicked = || Ending::Panicked(String::new());
        let other = Ending::Other;
        for (left, right, name) in [
            (returned(1), returned(1), None),
            (returned(1), returned(2), Some("result")),
            (error(1), error(1), None),
            (error(1), error(2), Some("error")),
            (panicked(), panicked(), None),
            (returned(1), error(1), Some("outcome")),
            (returned(1), panicked(), Some("panic")),
            (panicked(), other(Broken), Some("panic")),
            (other(LongerList), other(LongerList), None),
            (returned(1), other(LongerList), Some("result")),
            (other(LongerList), other(Broken), Some("result")),
            (other(Broken), other(Broken), None),
            (other(Broken), other(Misuse), None),
            (other(Broken), returned(1), Some("outcome")),
        ] {
            let text = format!("{left}, {right}");
            assert_eq!(breach(left, right), name, "{text}");
        }
    }

    #[test]
    fn results_differ_as_far_as_both_can_be_shown() {
        struct OpaqueOne;
        struct OpaqueTwo;
        let err = |value: ReturnValue| ReturnValue::Err(Box::new(value));
        let tuple = |values: &[u8]| ReturnValue::Tuple(values.iter().copied().map(plain).collect());
        let opaque = [
            ReturnValue::Plain(plain_value!(&OpaqueOne)),
            ReturnValue::Plain(plain_value!(&OpaqueTwo)),
        ];
        let wide = ReturnValue::Plain(plain_value!(&2_u16));
        let [one, two] = opaque;
        for (ours, theirs, differ) in [
            (plain(1), plain(1), false),
            (plain(1), plain(2), true),
            (err(plain(1)), err(plain(2)), true),
            (err(plain(1)), err(wide), false),
            (tuple(&[1, 2]), tuple(&[1, 2]), false),
            (tuple(&[1, 2]), tuple(&[1, 3]), true),
            (tuple(&[1]), tuple(&[1, 2]), true),
            (one.clone(), two, false),
            (plain(1), one, false),
        ] {
            assert_eq!(values_differ(&ours, &theirs), differ, "{ours} {theirs}");
        }
    }
}
