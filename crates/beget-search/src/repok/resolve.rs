//! Resolving a finitization: from class and field names to cells.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use beget_heap::view::{ClassId, Shapes, Table};

use crate::repok::domain::{ValueDomain, Values};
use crate::repok::finitization::{Finitization, FinitizationError, PathDomain};
use crate::repok::leaf::{Leaf, LeafKind, parts_of};
use crate::repok::space::{CandidateSpace, CellDomain, KindField, ObjectKind};

/// The most cells of a candidate, and the most values of all its cells together. Every candidate
/// vector has an entry for each cell; a search of spaces near these limits would never end.
const MOST_CELLS: usize = 1 << 20;
const MOST_VALUES: usize = 1 << 24;

/// The space of `finitization` for roots of the first class of `shapes`.
pub(crate) fn resolve(
    shapes: Shapes,
    finitization: &Finitization,
) -> Result<CandidateSpace, FinitizationError> {
    SpaceBuilder::new(shapes, finitization)?.build()
}

/// The leaves of one class or of the elements of one array, with their domains, in the given order.
struct LeafDomains {
    leaves: Vec<(Leaf, ValueDomain)>,
    kind: u32,
}

struct SpaceBuilder<'f> {
    finitization: &'f Finitization,
    space: CandidateSpace,
    /// By class and the path of the array within it, empty for the class itself.
    fields: BTreeMap<(ClassId, String), LeafDomains>,
    pools: BTreeMap<ClassId, Vec<u32>>,
}

impl<'f> SpaceBuilder<'f> {
    fn new(shapes: Shapes, finitization: &'f Finitization) -> Result<Self, FinitizationError> {
        let space = CandidateSpace {
            shapes,
            cells: vec![CellDomain::default(); Table::ROOT as usize],
            values: Vec::new(),
            kind_at: vec![u32::MAX; Table::ROOT as usize],
            kinds: Vec::new(),
        };
        let builder =
            SpaceBuilder { finitization, space, fields: BTreeMap::new(), pools: BTreeMap::new() };
        builder.check_classes()?;
        Ok(builder)
    }

    fn check_classes(&self) -> Result<(), FinitizationError> {
        let pools = self.finitization.pools.iter().map(|(class, _)| class);
        let fields = &self.finitization.fields;
        for class in pools.clone().chain(fields.iter().map(|field| &field.class)) {
            self.class(class)?;
        }
        let fields = fields.iter().map(|field| format!("{}.{}", field.class, field.path));
        let mut names: Vec<String> = pools.cloned().chain(fields).collect();
        names.sort();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(FinitizationError::GivenTwice { name: pair[0].clone() }),
            None => Ok(()),
        }
    }

    fn class(&self, name: &str) -> Result<ClassId, FinitizationError> {
        let shapes = &self.space.shapes;
        shapes.find(name).ok_or_else(|| FinitizationError::UnknownClass {
            class: name.to_owned(),
            known: shapes.classes().iter().map(|class| class.key.name.to_owned()).collect(),
        })
    }

    fn build(mut self) -> Result<CandidateSpace, FinitizationError> {
        let root = self.space.shapes.root();
        self.collect_fields(root)?;
        let mut objects = vec![(root, self.place_object(root)?)];
        for (name, n) in &self.finitization.pools {
            let class = self.class(name)?;
            if *n > 0 {
                self.collect_fields(class)?;
            }
            let starts = (0..*n).map(|_| self.place_object(class));
            let starts: Vec<u32> = starts.collect::<Result<_, _>>()?;
            objects.extend(starts.iter().map(|&start| (class, start)));
            self.pools.insert(class, starts);
        }
        for (class, start) in objects {
            self.set_domains(class, "", start)?;
        }
        Ok(self.space)
    }

    /// Reserves the cells of an object; the arrays that it owns follow when its domains are set.
    fn place_object(&mut self, class: ClassId) -> Result<u32, FinitizationError> {
        let kind = self.fields[&(class, String::new())].kind;
        self.place(self.space.shapes.class(class).n_cells, kind)
    }

    fn place(&mut self, n_cells: u32, kind: u32) -> Result<u32, FinitizationError> {
        let start = self.space.cells.len();
        let end = start + n_cells.max(1) as usize;
        if end > MOST_CELLS {
            return Err(FinitizationError::TooLarge);
        }
        self.space.cells.resize(end, CellDomain::default());
        self.space.kind_at.resize(end, u32::MAX);
        self.space.kind_at[start] = kind;
        Ok(start as u32)
    }

    /// Finds the fields of a class and of its arrays, each with its domain.
    fn collect_fields(&mut self, class: ClassId) -> Result<(), FinitizationError> {
        if self.fields.contains_key(&(class, String::new())) {
            return Ok(());
        }
        let mut known = Vec::new();
        for part in parts_of(&self.space.shapes, class) {
            known.extend(part.leaves.iter().map(|leaf| leaf.path.clone()));
            self.add_fields(class, part.path, part.leaves, part.stride)?;
        }
        self.check_fields(class, known)
    }

    /// Rejects domains for fields that the class does not have.
    fn check_fields(&self, class: ClassId, known: Vec<String>) -> Result<(), FinitizationError> {
        let name = self.space.shapes.class(class).key.name;
        let mut given = self.finitization.fields.iter().filter(|field| field.class == name);
        match given.find(|field| !known.contains(&field.path)) {
            Some(field) => Err(FinitizationError::UnknownField {
                class: name.to_owned(),
                field: field.path.clone(),
                known,
            }),
            None => Ok(()),
        }
    }

    fn array_class(&self, leaf: &Leaf) -> Option<ClassId> {
        leaf.array_class(&self.space.shapes)
    }

    fn add_fields(
        &mut self,
        class: ClassId,
        array: String,
        leaves: Vec<Leaf>,
        stride: Option<u32>,
    ) -> Result<(), FinitizationError> {
        let mut found = Vec::new();
        for leaf in leaves {
            found.push((self.position_of(class, &leaf)?, leaf));
        }
        found.sort_by_key(|(position, _)| *position);
        let fields = found.iter().map(|(_, leaf)| KindField {
            offset: leaf.offset,
            is_reference: matches!(leaf.kind, LeafKind::Pointer(_)),
            guards: leaf.guards.clone(),
        });
        let kind = self.space.kinds.len() as u32;
        self.space.kinds.push(ObjectKind { fields: fields.collect(), stride });
        let domain = |position: usize| self.finitization.fields[position].domain.clone();
        let leaves = found.into_iter().map(|(position, leaf)| (leaf, domain(position))).collect();
        self.fields.insert((class, array), LeafDomains { leaves, kind });
        Ok(())
    }

    /// The place of a field's domain in the finitization.
    fn position_of(&self, class: ClassId, leaf: &Leaf) -> Result<usize, FinitizationError> {
        let class = self.space.shapes.class(class).key.name;
        let is_it = |field: &PathDomain| field.class == class && field.path == leaf.path;
        let missing = || FinitizationError::MissingField {
            class: class.to_owned(),
            field: leaf.path.clone(),
        };
        self.finitization.fields.iter().position(is_it).ok_or_else(missing)
    }

    /// Sets the domains of one object, or of one element of its array `array`.
    fn set_domains(
        &mut self,
        class: ClassId,
        array: &str,
        base: u32,
    ) -> Result<(), FinitizationError> {
        let leaves = self.fields[&(class, array.to_owned())].leaves.clone();
        for (leaf, domain) in leaves {
            let domain = match (&domain.values, self.array_class(&leaf)) {
                (Values::Array(lengths), Some(_)) => {
                    let start = self.place_array(class, &leaf, lengths.clone())?;
                    let null = domain.may_be_null.then_some(0);
                    self.add_domain(null.into_iter().chain([start.into()]).collect(), 0, false)?
                }
                _ => self.resolve(class, &leaf, &domain)?,
            };
            self.space.cells[(base + leaf.offset) as usize] = domain;
        }
        Ok(())
    }

    fn place_array(
        &mut self,
        class: ClassId,
        leaf: &Leaf,
        lengths: RangeInclusive<u32>,
    ) -> Result<u32, FinitizationError> {
        let array = format!("{}[]", leaf.path);
        let kind = self.fields[&(class, array.clone())].kind;
        let stride = self.space.kinds[kind as usize].stride.expect("an array's kind has a stride");
        let n_elements = *lengths.end();
        let n_cells = n_elements.checked_mul(stride).and_then(|cells| cells.checked_add(1));
        let start = self.place(n_cells.ok_or(FinitizationError::TooLarge)?, kind)?;
        let lengths: Vec<i64> = lengths.map(i64::from).collect();
        if lengths.is_empty() {
            return Err(self.empty(class, leaf));
        }
        self.space.cells[start as usize] = self.add_domain(lengths, 0, false)?;
        for element in 0..n_elements {
            self.set_domains(class, &array, start + 1 + element * stride)?;
        }
        Ok(start)
    }

    /// The domain of a cell that is not an array.
    fn resolve(
        &mut self,
        class: ClassId,
        leaf: &Leaf,
        domain: &ValueDomain,
    ) -> Result<CellDomain, FinitizationError> {
        let (values, group) = match (&domain.values, leaf.kind) {
            (Values::Nodes, LeafKind::Pointer(target)) if self.array_class(leaf).is_none() => {
                let starts = self.pools.get(&target).map(Vec::as_slice).unwrap_or_default();
                (starts.iter().map(|&start| start.into()).collect(), target.index() as u32 + 1)
            }
            (Values::All, LeafKind::Bool) => (vec![0, 1], 0),
            (Values::All, LeafKind::Variant(names)) => ((0..names.len() as i64).collect(), 0),
            (Values::Numbers(values), LeafKind::Pointer(_)) if values.is_empty() => (vec![], 0),
            (Values::Numbers(values), kind) if !matches!(kind, LeafKind::Pointer(_)) => {
                (values.clone(), 0)
            }
            _ => return Err(self.wrong_kind(class, leaf)),
        };
        let null = match (domain.may_be_null, leaf.null, leaf.kind) {
            (false, ..) => None,
            (true, Some(null), _) => Some(null),
            (true, None, LeafKind::Pointer(_)) => Some(0),
            (true, None, _) => return Err(self.wrong_kind(class, leaf)),
        };
        let values: Vec<i64> = null.into_iter().chain(values).collect();
        if values.is_empty() {
            return Err(self.empty(class, leaf));
        }
        self.add_domain(values, group, null.is_some())
    }

    fn add_domain(
        &mut self,
        values: Vec<i64>,
        group: u32,
        has_null: bool,
    ) -> Result<CellDomain, FinitizationError> {
        if self.space.values.len() + values.len() > MOST_VALUES {
            return Err(FinitizationError::TooLarge);
        }
        let first = self.space.values.len() as u32;
        let len = values.len() as u32;
        self.space.values.extend(values);
        Ok(CellDomain { first, len, group, has_null })
    }

    fn empty(&self, class: ClassId, leaf: &Leaf) -> FinitizationError {
        let class = self.space.shapes.class(class).key.name.to_owned();
        FinitizationError::EmptyDomain { class, field: leaf.path.clone() }
    }

    fn wrong_kind(&self, class: ClassId, leaf: &Leaf) -> FinitizationError {
        let holds = leaf.holds(&self.space.shapes);
        let class = self.space.shapes.class(class).key.name.to_owned();
        FinitizationError::WrongKind { class, field: leaf.path.clone(), holds }
    }
}
