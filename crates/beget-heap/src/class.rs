//! Classes: the kinds of objects that a type's heap can hold, found from the type alone.
//!
//! A [`Schema`] is made once per suite. It knows names, fields and which classes stand behind
//! pointers; it does not know bounds (see [`crate::Layout`]) or values.

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
    /// True if the type itself leaves it out of the canonical form (`#[heap(skip)]`).
    pub skipped: bool,
}

/// One class of a schema.
#[derive(Clone, Debug)]
pub struct Class {
    /// The Rust type.
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
    /// True if some pointer may share its target with another (`Rc`, `Weak`, raw pointers,
    /// links). Without such pointers, objects need no identities.
    pub has_shared: bool,
    /// True if some raw pointer is followed, which relies on the author's promise.
    pub has_raw_pointers: bool,
    /// True if some pointer counts its owners (`Rc`, `Arc`, `Weak`). A clone of such a
    /// value may share with its original without changing it, and methods can observe that.
    pub has_counted: bool,
    has_unseen: bool,
    has_irregular: bool,
    has_sorted: bool,
    can_tie: bool,
    has_copied: bool,
    /// True if there are elements that can be watched.
    pub has_elements: bool,
    /// Why values of these types cannot be reconstructed from their canonical form; empty if they
    /// can.
    pub undecodable: Vec<String>,
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
        if key.id == TypeId::of::<T>() {
            self.note_root(key);
        }
        self.part::<T>();
    }

    /// Adds the class of a [`WalkRoot`](crate::WalkRoot) that is no [`Heap`]: a record of
    /// primitives.
    pub fn add_record_root(&mut self, key: ClassKey, fields: &[Field]) {
        self.note_root(key);
        self.irregular();
        self.class(key, fields);
    }

    fn note_root(&mut self, key: ClassKey) {
        if !self.roots.contains(&key) {
            self.roots.push(key);
        }
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

    /// Returns whether a form determines every form that differs from it in noted integers only.
    ///
    /// All types must be [regular](Heap::IS_REGULAR), and each integer noted wherever it is shown.
    /// That fails if an order depends on an integer that is also shown and noted elsewhere, or if a
    /// raw pointer leads into a cell, because a copy of the cell is shown.
    pub fn is_regular(&self) -> bool {
        let has_hidden_order = self.has_shared && self.has_sorted;
        let has_hidden_copies = self.has_raw_pointers && self.has_copied;
        !self.has_irregular && !has_hidden_order && !has_hidden_copies
    }

    /// The classes in the order of first mention.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Returns whether two values of the types described may share what they own, so that one can
    /// observe whether the other still lives. That is so if some pointer counts its owners, or if a
    /// hidden part may hold such a pointer.
    ///
    /// Raw pointers do not count: by promise they lead to objects of the value's own.
    pub fn may_share(&self) -> bool {
        self.has_counted || self.has_unseen
    }

    /// Notes that a walk does not see all of a value of type `T`. If dropping `T` has an effect,
    /// such values may share.
    pub fn unseen<T: ?Sized>(&mut self) {
        self.has_unseen |= std::mem::needs_drop::<T>();
    }

    /// Notes that values may share with those that another schema describes.
    pub fn shares_as(&mut self, other: &Schema) {
        self.has_unseen |= other.may_share();
    }

    /// Declares that the type is a watched element, which reports when it is dropped twice or
    /// never.
    pub fn element(&mut self) {
        self.has_elements = true;
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
    pub(crate) fn object<T: Heap>(&mut self) {
        let key = T::class();
        self.entry(key).is_object = true;
        self.part::<T>();
    }

    /// Like [`Schema::object`], through a pointer that may share its target with others.
    pub(crate) fn shared_object<T: Heap>(&mut self) {
        self.has_shared = true;
        self.object::<T>();
    }

    /// Like [`Schema::shared_object`], through a raw pointer, which may lead into another object.
    pub(crate) fn raw_object<T: Heap>(&mut self) {
        self.has_raw_pointers = true;
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

    /// Returns whether there are unordered contents whose own forms may be equal, see `ties`.
    pub(crate) fn can_tie(&self) -> bool {
        self.can_tie
    }

    /// Notes that a copy of the value is shown, whose address is meaningless.
    pub(crate) fn copied(&mut self) {
        self.has_copied = true;
    }

    /// Notes, with the reason to show, that values are seen through a function. They cannot be
    /// decoded, and the function's result may depend on any memory.
    pub fn seen_through_function(&mut self, reason: impl Into<String>) {
        self.irregular();
        self.not_decodable(reason);
    }

    /// Notes that contents may be shown a second time without being noted.
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
    pub(crate) fn counted_object<T: Heap>(&mut self) {
        self.has_counted = true;
        self.shared_object::<T>();
    }

    /// Declares an array or collection class with the given element types.
    pub(crate) fn array(&mut self, key: ClassKey) {
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

    /// The class and field that hold the value at `path` of an object of the named class, as a
    /// [`HeapGraph`](crate::HeapGraph) has them. Follows structs stored in place; the elements of
    /// arrays and the like belong to no field.
    pub fn field_at<'n>(&'n self, class: &'n str, path: &str) -> Option<(&'n str, &'n str)> {
        let fields = &self.classes.iter().find(|known| known.key.name == class)?.fields;
        // Names of fields of enums contain a dot themselves, so the longest matching name is meant.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_without_being_noted_is_irregular() {
        let mut schema = Schema::default();
        assert!(schema.is_regular() && !schema.can_tie());
        schema.plain();
        assert!(!schema.is_regular() && schema.can_tie());
    }
}
