//! Classes: what kinds of objects a type's heap can hold, found from the type alone.
//!
//! A [`Schema`] is made once per suite. It knows names, fields and which classes stand behind
//! pointers; it does not know bounds (see [`crate::Layout`]) nor any value.

use std::any::TypeId;

use crate::Heap;

/// The identity of a class: its Rust type, and the name that scope files and pictures use.
#[derive(Clone, Copy, Debug)]
pub struct ClassKey {
    /// The Rust type.
    pub id: TypeId,
    /// The type's name. In schemas it is without its path, as scope files write it.
    pub name: &'static str,
    /// The size of an object, in bytes; 0 if it is not known from the type.
    pub size: usize,
}

impl ClassKey {
    /// The key of `T` under the name `name`.
    #[inline(always)]
    pub const fn new<T: 'static>(name: &'static str) -> Self {
        ClassKey { id: TypeId::of::<T>(), name, size: size_of::<T>() }
    }
}

impl ClassKey {
    /// The key with the name that is shown: without paths, generics kept: `Node<i32>` for
    /// `my::list::Node<i32>`.
    pub fn shown(self) -> Self {
        let full = self.name;
        let end = full.find(['<', '[', '(', '&']).unwrap_or(full.len());
        let start = full[..end].rfind("::").map_or(0, |colons| colons + 2);
        ClassKey { name: &full[start..], ..self }
    }
}

impl PartialEq for ClassKey {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for ClassKey {}

/// A field of a class, or of one variant of it.
#[derive(Clone, Debug)]
pub struct Field {
    /// The field's name; positions for tuple structs; `Variant.field` in enums.
    pub name: &'static str,
    /// The field's type as its source writes it; of an index that means a pointer, `link to Node`.
    pub ty: &'static str,
    /// Left out of the canonical form by the type itself (`#[heap(skip)]`).
    pub skipped: bool,
}

/// One class of a schema.
#[derive(Clone, Debug)]
pub struct Class {
    /// Which type it is.
    pub key: ClassKey,
    /// Its fields in the order of the walk; empty for arrays, collections and primitives.
    pub fields: Vec<Field>,
    /// True if some pointer leads to it, so that its objects are counted against a bound.
    pub is_object: bool,
    /// True if it is an array or collection, whose length is bounded too.
    pub is_array: bool,
}

/// The classes that can occur below a root type, in the order of first mention.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    classes: Vec<Class>,
    /// The root types that are a class of their own, as opposed to a pointer to one or a cell.
    roots: Vec<ClassKey>,
    has_shared: bool,
    has_raw: bool,
    has_counted: bool,
    has_unseen: bool,
    has_irregular: bool,
    has_sorted: bool,
    can_tie: bool,
    has_copied: bool,
    has_elements: bool,
    undecodable: Vec<String>,
}

impl Schema {
    /// The schema of everything reachable from `T`.
    ///
    /// ```
    /// let schema = beget_heap::Schema::of::<Option<Box<u8>>>();
    /// assert_eq!(schema.classes()[0].key.name, "u8");
    /// ```
    pub fn of<T: Heap>() -> Self {
        let mut schema = Schema::default();
        schema.add_root::<T>();
        schema
    }

    /// Adds everything reachable from a further root type.
    pub fn add_root<T: Heap>(&mut self) {
        let key = T::class();
        if key.id == TypeId::of::<T>() && !self.roots.contains(&key) {
            self.roots.push(key);
        }
        self.part::<T>();
    }

    /// The classes whose objects can be roots, stored in place.
    pub(crate) fn roots(&self) -> &[ClassKey] {
        &self.roots
    }

    /// Describes a part of the type being described: a field, an element, a pointer's target.
    pub fn part<T: Heap>(&mut self) {
        self.has_irregular |= !T::IS_REGULAR;
        T::describe(self);
    }

    /// Returns whether the form of a heap tells the form of each that differs from it in noted
    /// integers only.
    ///
    /// All types must be [regular](Heap::IS_REGULAR), and each integer noted wherever it is shown.
    /// Not so if an order is decided by an integer that is shown, and noted, elsewhere; or if a raw
    /// pointer leads into a cell, of which a copy is shown.
    pub fn is_regular(&self) -> bool {
        let has_hidden_order = self.has_shared && self.has_sorted;
        let has_hidden_copies = self.has_raw && self.has_copied;
        !self.has_irregular && !has_hidden_order && !has_hidden_copies
    }

    /// The classes in the order of first mention.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Returns whether some pointer may share its target with another (`Rc`, `Weak`, raw pointers,
    /// links). Where none may, objects need no identities.
    pub fn has_shared(&self) -> bool {
        self.has_shared
    }

    /// Returns whether some raw pointer is followed, which rests on a promise.
    pub fn has_raw_pointers(&self) -> bool {
        self.has_raw
    }

    /// Returns whether some pointer counts its owners (`Rc`, `Arc`, `Weak`). A clone of such a
    /// value may share with its original without changing it, and methods can tell.
    pub fn has_counted(&self) -> bool {
        self.has_counted
    }

    /// Returns whether two values of the types described may share what they own, so that one can
    /// tell whether the other still lives: some pointer counts its owners, or a part is not seen as
    /// it is and may hold such a pointer.
    ///
    /// Raw pointers do not count: they are promised to lead to objects of the value's own.
    pub fn may_share(&self) -> bool {
        self.has_counted || self.has_unseen
    }

    /// Notes that there are values of type `T` of which a walk does not see all. Where dropping
    /// them does something, they may share.
    pub fn unseen<T: ?Sized>(&mut self) {
        self.has_unseen |= std::mem::needs_drop::<T>();
    }

    /// Notes that values may share with ones that another schema describes.
    pub fn shares_as(&mut self, other: &Schema) {
        self.has_unseen |= other.may_share();
    }

    /// Returns whether there are elements that can be watched.
    pub fn has_elements(&self) -> bool {
        self.has_elements
    }

    /// Declares that the type is an element that can be watched: it tells when it is dropped twice
    /// or never.
    pub fn element(&mut self) {
        self.has_elements = true;
    }

    /// Why values of these types cannot be reconstructed from their canonical form; empty if they
    /// can.
    pub fn undecodable(&self) -> &[String] {
        &self.undecodable
    }

    /// Declares a struct or enum with its fields in walking order. Returns false if it is known
    /// already, so that recursive types end.
    pub fn class(&mut self, key: ClassKey, fields: &[Field]) -> bool {
        match self.find(key) {
            Some(class) if !class.fields.is_empty() || fields.is_empty() => false,
            Some(class) => {
                class.fields = fields.to_vec();
                true
            }
            None => {
                self.push(key, fields.to_vec());
                true
            }
        }
    }

    /// Declares that a pointer leads to objects of class `T`, and describes `T`.
    pub fn object<T: Heap>(&mut self) {
        let key = T::class();
        self.entry(key).is_object = true;
        self.part::<T>();
    }

    /// Like [`Schema::object`], through a pointer that may share its target with others.
    pub fn shared_object<T: Heap>(&mut self) {
        self.has_shared = true;
        self.object::<T>();
    }

    /// Like [`Schema::shared_object`], through a raw pointer, which may lead into another object.
    pub(crate) fn raw_object<T: Heap>(&mut self) {
        self.has_raw = true;
        self.shared_object::<T>();
    }

    /// Notes that elements are shown in an order that depends on their values.
    pub(crate) fn sorted(&mut self) {
        self.has_sorted = true;
    }

    /// Notes that elements are shown in an order in which some of them may tie.
    pub(crate) fn unordered(&mut self) {
        self.can_tie = true;
    }

    /// Returns whether there are contents in no order whose own forms may not tell them apart, see
    /// `ties`.
    pub(crate) fn can_tie(&self) -> bool {
        self.can_tie
    }

    /// Notes that a copy of the value is shown, whose address tells nothing.
    pub(crate) fn copied(&mut self) {
        self.has_copied = true;
    }

    /// Notes that values are seen through a function, with the words to show: they cannot be
    /// decoded, and what the function makes of them may depend on any memory.
    pub fn seen_through_function(&mut self, reason: impl Into<String>) {
        self.irregular();
        self.not_decodable(reason);
    }

    /// Notes that what is shown may be shown a second time, unnoted.
    pub(crate) fn plain(&mut self) {
        self.irregular();
        // What is below is not described.
        self.unordered();
    }

    /// Notes that forms hold more than the integers that walks note: see [`Schema::is_regular`].
    pub fn irregular(&mut self) {
        self.has_irregular = true;
    }

    /// Like [`Schema::shared_object`], through a pointer that counts its owners.
    pub fn counted_object<T: Heap>(&mut self) {
        self.has_counted = true;
        self.shared_object::<T>();
    }

    /// Declares an array or collection class with the given element types.
    pub fn array(&mut self, key: ClassKey) {
        let class = self.entry(key);
        class.is_object = true;
        class.is_array = true;
    }

    /// Notes that values cannot be decoded, with the reason to show.
    pub fn not_decodable(&mut self, reason: impl Into<String>) {
        let reason = reason.into();
        if !self.undecodable.contains(&reason) {
            self.undecodable.push(reason);
        }
    }

    /// The class and field that hold the value at `path` of an object of the class of that name, as
    /// a [`HeapGraph`](crate::HeapGraph) has them. Structs in place are followed; the elements of
    /// arrays and the like belong to no field.
    pub fn field_at<'n>(&'n self, class: &'n str, path: &str) -> Option<(&'n str, &'n str)> {
        let fields = &self.classes.iter().find(|known| known.key.name == class)?.fields;
        // Names of fields of enums have a dot themselves, so the longest name that fits is meant.
        let fitting = fields.iter().filter(|field| {
            let rest = path.strip_prefix(field.name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        });
        let field = fitting.max_by_key(|field| field.name.len())?;
        match path[field.name.len()..].strip_prefix('.') {
            None => Some((class, field.name)),
            Some(rest) => self.field_at(field.ty, rest),
        }
    }

    /// Returns whether the class of that name is an array or collection.
    pub fn is_array(&self, class: &str) -> bool {
        self.classes.iter().any(|known| known.is_array && known.key.name == class)
    }

    fn find(&mut self, key: ClassKey) -> Option<&mut Class> {
        self.classes.iter_mut().find(|class| class.key == key)
    }

    fn push(&mut self, key: ClassKey, fields: Vec<Field>) -> usize {
        self.classes.push(Class { key: key.shown(), fields, is_object: false, is_array: false });
        self.classes.len() - 1
    }

    fn entry(&mut self, key: ClassKey) -> &mut Class {
        let index = match self.classes.iter().position(|class| class.key == key) {
            Some(index) => index,
            None => self.push(key, Vec::new()),
        };
        &mut self.classes[index]
    }
}
