//! Filling a table from a canonical form.
//!
//! Values need no decoder for this: cycles of `Rc`, or fields that cannot be reconstructed, are no
//! obstacle, because a table only has numbers.
//!
//! A [`Filler`] flattens the items of all classes into one list of steps, once for a layout.
//! Omitted fields and records have no steps then, and a chain of objects needs no stack.

use super::shape::{ClassId, Item, Sharing};
use super::{Shapes, Table};
use crate::decode::PointerTarget;
use crate::{Decoder, Layout, Undecodable};

/// Fills tables from canonical forms of one type and layout.
#[derive(Clone, Debug)]
pub struct Filler {
    /// The steps of all classes, one class after another.
    steps: Vec<FillStep>,
    /// By class.
    classes: Vec<ClassSteps>,
    root: ClassId,
    /// The places at which unfinished objects continue, the outermost first.
    unfinished: Vec<FillPosition>,
}

/// A step: one item of an object.
#[derive(Clone, Copy, Debug)]
struct FillStep {
    kind: StepKind,
    /// True if a presence comes before the value.
    is_optional: bool,
    /// Counted from the start of the object, or of the array's element.
    cell: u32,
    /// The content of the cell if the value is missing.
    null: i64,
}

#[derive(Clone, Copy, Debug)]
enum StepKind {
    Bool,
    Signed,
    Unsigned,
    /// A float with its number of bits.
    Float(u32),
    Text,
    /// One of a number of variants.
    Variant(u32),
    /// A pointer that no other one equals.
    Unique(ClassId),
    /// A pointer to an object that may be known already.
    Shared(ClassId),
    /// A pointer to an array.
    Array(ClassId),
    /// A presence alone: the steps of the value come next, up to the one given.
    Presence(u32),
    /// The end of an object, or of an element.
    End,
}

/// The steps of a class.
#[derive(Clone, Copy, Debug)]
struct ClassSteps {
    first: u32,
    n_cells: u32,
}

/// A position in the form: a step of an object.
#[derive(Clone, Copy, Debug)]
struct FillPosition {
    step: u32,
    /// The first cell of the object, or of the element.
    base: u32,
    class: ClassId,
    /// The elements of an array that come after this one.
    n_left: u32,
}

impl Filler {
    /// For forms of `layout`, of the type of these shapes.
    pub fn new(shapes: &Shapes, layout: &Layout) -> Self {
        let (steps, classes, unfinished) = (Vec::new(), Vec::new(), Vec::new());
        let mut filler = Filler { steps, classes, root: shapes.root(), unfinished };
        for class in shapes.classes() {
            let first = filler.steps.len() as u32;
            filler.classes.push(ClassSteps { first, n_cells: class.n_cells });
            filler.add(&class.items, shapes, layout);
            filler.steps.push(FillStep {
                kind: StepKind::End,
                is_optional: false,
                cell: 0,
                null: 0,
            });
        }
        filler
    }

    fn add(&mut self, items: &[Item], shapes: &Shapes, layout: &Layout) {
        items.iter().for_each(|item| self.add_item(item, shapes, layout));
    }

    fn add_item(&mut self, item: &Item, shapes: &Shapes, layout: &Layout) {
        let (cell, kind) = match *item {
            Item::Bool(cell) => (cell, StepKind::Bool),
            Item::Signed(cell) => (cell, StepKind::Signed),
            Item::Unsigned(cell) | Item::Char(cell) => (cell, StepKind::Unsigned),
            Item::Float(cell, bits) => (cell, StepKind::Float(bits)),
            Item::Text(cell) => (cell, StepKind::Text),
            Item::Variant(cell, names) => (cell, StepKind::Variant(names.len() as u32)),
            Item::Pointer { cell, class, .. } if shapes.class(class).is_array => {
                (cell, StepKind::Array(class))
            }
            Item::Pointer { cell, class, sharing: Sharing::Unique } => {
                (cell, StepKind::Unique(class))
            }
            Item::Pointer { cell, class, .. } => (cell, StepKind::Shared(class)),
            Item::Optional { cell, null, ref item } => {
                return self.add_optional(cell, null, item, shapes, layout);
            }
            Item::Field { class, index, .. } if !layout.takes_part(class, index) => return,
            Item::Field { ref items, .. }
            | Item::Record(_, ref items)
            | Item::Element(_, ref items) => return self.add(items, shapes, layout),
        };
        self.steps.push(FillStep { kind, is_optional: false, cell, null: 0 });
    }

    /// A value in one cell, which has its presence too, takes one step.
    fn add_optional(
        &mut self,
        cell: u32,
        null: i64,
        items: &[Item],
        shapes: &Shapes,
        layout: &Layout,
    ) {
        let at = self.steps.len();
        self.steps.push(FillStep { kind: StepKind::Presence(0), is_optional: true, cell, null });
        self.add(items, shapes, layout);
        match self.steps[at + 1..] {
            [FillStep { kind, is_optional: false, cell: of_value, .. }] if of_value == cell => {
                self.steps.truncate(at);
                self.steps.push(FillStep { kind, is_optional: true, cell, null });
            }
            _ => self.steps[at].kind = StepKind::Presence(self.steps.len() as u32),
        }
    }

    /// Replaces the contents of `table` by the form that `decoder`, which is of the same layout,
    /// has begun.
    ///
    /// Fields that the layout omits become 0.
    ///
    /// # Errors
    /// [`Undecodable`] if the form is none of this type, or holds an optional integer of the one
    /// value (`i64::MIN`) that stands for none.
    pub fn fill(
        &mut self,
        table: &mut Table,
        decoder: &mut Decoder<'_>,
    ) -> Result<(), Undecodable> {
        table.clear();
        let Filler { steps, classes, root, unfinished } = self;
        unfinished.clear();
        let ClassSteps { first, n_cells } = classes[root.index()];
        let base = table.allocate(n_cells);
        debug_assert_eq!(base, Table::ROOT);
        let at = FillPosition { step: first, base, class: *root, n_left: 0 };
        Fill { steps, classes, unfinished, table, decoder, at }.fill()
    }
}

/// A form while it is read.
struct Fill<'f, 'l> {
    steps: &'f [FillStep],
    classes: &'f [ClassSteps],
    unfinished: &'f mut Vec<FillPosition>,
    table: &'f mut Table,
    decoder: &'f mut Decoder<'l>,
    at: FillPosition,
}

impl Fill<'_, '_> {
    fn fill(mut self) -> Result<(), Undecodable> {
        loop {
            let &FillStep { kind, is_optional, cell, null } = &self.steps[self.at.step as usize];
            self.at.step += 1;
            let cell = self.at.base + cell;
            if is_optional && !self.decoder.bit() {
                self.table.set(cell, null);
                if let StepKind::Presence(after) = kind {
                    self.at.step = after;
                }
                continue;
            }
            let value = match kind {
                StepKind::Bool => self.decoder.bit().into(),
                StepKind::Signed => self.decoder.signed(),
                StepKind::Unsigned => self.decoder.unsigned() as i64,
                StepKind::Float(bits) => self.decoder.float(bits) as i64,
                StepKind::Text => self.table.intern(self.decoder.text()?),
                StepKind::Variant(of) => self.decoder.variant(of).into(),
                StepKind::Unique(class) => {
                    self.decoder.begin_object();
                    self.enter(class).into()
                }
                StepKind::Shared(class) => self.reach(class)? as i64,
                StepKind::Array(class) => self.enter_array(class).into(),
                StepKind::Presence(_) => 1,
                StepKind::End if self.leave() => continue,
                StepKind::End => return Ok(()),
            };
            if is_optional && value == null {
                return Err(null_is_there());
            }
            self.table.set(cell, value);
        }
    }

    /// Goes to the start of a new object, whose first cell is returned.
    #[inline(always)]
    fn enter(&mut self, class: ClassId) -> u32 {
        let ClassSteps { first, n_cells } = self.classes[class.index()];
        let base = self.table.allocate(n_cells);
        self.unfinished.push(self.at);
        self.at = FillPosition { step: first, base, class, n_left: 0 };
        base
    }

    /// Goes to the start of an object unless it is known. Returns its first cell.
    #[inline(always)]
    fn reach(&mut self, class: ClassId) -> Result<usize, Undecodable> {
        match self.decoder.reach() {
            PointerTarget::Known(id) => self.decoder.address(id),
            PointerTarget::New(id) => {
                let start = self.enter(class) as usize;
                self.decoder.register_address(id, start);
                Ok(start)
            }
        }
    }

    /// Goes to the first element of an array, if there is one. Returns the first cell of the array.
    fn enter_array(&mut self, class: ClassId) -> u32 {
        let length = self.decoder.begin_array() as u32;
        let ClassSteps { first, n_cells } = self.classes[class.index()];
        let start = self.table.allocate(1 + length * n_cells);
        self.table.set(start, length.into());
        match length.checked_sub(1) {
            None => self.decoder.leave(),
            Some(n_left) => {
                self.unfinished.push(self.at);
                self.at = FillPosition { step: first, base: start + 1, class, n_left };
            }
        }
        start
    }

    /// Goes to the next element of the array, or back to the object that refers to this one.
    /// Returns false if there is none.
    #[inline(always)]
    fn leave(&mut self) -> bool {
        if let Some(n_left) = self.at.n_left.checked_sub(1) {
            let ClassSteps { first, n_cells } = self.classes[self.at.class.index()];
            self.at = FillPosition { step: first, base: self.at.base + n_cells, n_left, ..self.at };
            return true;
        }
        let Some(outer) = self.unfinished.pop() else { return false };
        self.decoder.leave();
        self.at = outer;
        true
    }
}

#[cold]
fn null_is_there() -> Undecodable {
    Undecodable::new("an optional integer is i64::MIN, which a view cannot show")
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::{Rc, Weak};

    use super::*;
    use crate::view::{Maker, Place, Viewed};
    use crate::{Bounds, Encoder, Field, Heap, Schema, Walker};

    /// An element of a list that is linked both ways.
    struct Link {
        number: Option<i64>,
        next: Option<Rc<RefCell<Link>>>,
        hidden: u8,
        back: Weak<RefCell<Link>>,
    }

    impl Heap for Link {
        fn describe(schema: &mut Schema) {
            let field = |name| Field { name, ty: name, skipped: false };
            if schema.class(Self::class(), &["number", "next", "hidden", "back"].map(field)) {
                schema.part::<Option<i64>>();
                schema.part::<Option<Rc<RefCell<Link>>>>();
                schema.part::<u8>();
                schema.part::<Weak<RefCell<Link>>>();
            }
        }

        fn walk<W: Walker>(&self, walker: &mut W) {
            let class = Self::class();
            walker.begin_record(class);
            if walker.field(class, 0) {
                self.number.walk_in_place(walker);
            }
            if walker.field(class, 1) {
                self.next.walk_in_place(walker);
            }
            if walker.field(class, 2) {
                self.hidden.walk_in_place(walker);
            }
            if walker.field(class, 3) {
                self.back.walk_in_place(walker);
            }
            walker.end_record();
        }
    }

    impl Viewed for Link {
        type View<'h> = Place<'h>;
        type Optional<'h> = Place<'h>;
        const CELLS: u32 = 5;
        const NULL: Option<i64> = None;

        fn shape(maker: &mut Maker) {
            maker.record::<Link>(|maker| {
                maker.field::<Link>(0, "number", Option::<i64>::shape);
                maker.field::<Link>(1, "next", Option::<Rc<RefCell<Link>>>::shape);
                maker.field::<Link>(2, "hidden", u8::shape);
                maker.field::<Link>(3, "back", Weak::<RefCell<Link>>::shape);
            });
        }

        fn view(place: Place<'_>) -> Place<'_> {
            place
        }

        fn view_optional(place: Place<'_>) -> Place<'_> {
            place
        }
    }

    /// Every third one has no number, and every second one knows the one before it.
    fn list(n: i64) -> Option<Rc<RefCell<Link>>> {
        let mut first = None;
        for number in 0..n {
            let next: Option<Rc<RefCell<Link>>> = first.take();
            let numbered = (number % 3 != 0).then_some(number - 7);
            let link = Link { number: numbered, next: None, hidden: 9, back: Weak::new() };
            let link = Rc::new(RefCell::new(link));
            if let Some(next) = next.as_ref().filter(|_| number % 2 == 0) {
                next.borrow_mut().back = Rc::downgrade(&link);
            }
            link.borrow_mut().next = next;
            first = Some(link);
        }
        first
    }

    /// The naive twin: the items as the shapes have them.
    struct Plain<'t, 'l> {
        shapes: &'t Shapes,
        table: &'t mut Table,
        decoder: &'t mut Decoder<'l>,
    }

    impl Plain<'_, '_> {
        fn fill(&mut self) -> Result<(), Undecodable> {
            self.table.clear();
            let class = self.shapes.class(self.shapes.root()).clone();
            let start = self.table.allocate(class.n_cells);
            self.items(&class.items, start)
        }

        fn items(&mut self, items: &[Item], base: u32) -> Result<(), Undecodable> {
            items.iter().try_for_each(|item| self.item(item, base))
        }

        fn item(&mut self, item: &Item, base: u32) -> Result<(), Undecodable> {
            let decoder = &mut *self.decoder;
            let (cell, value) = match item {
                Item::Bool(cell) => (cell, i64::from(decoder.bit())),
                Item::Signed(cell) => (cell, decoder.signed()),
                Item::Unsigned(cell) | Item::Char(cell) => (cell, decoder.unsigned() as i64),
                Item::Float(cell, bits) => (cell, decoder.float(*bits) as i64),
                Item::Text(cell) => (cell, self.table.intern(decoder.text()?)),
                Item::Variant(cell, of) => (cell, i64::from(decoder.variant(of.len() as u32))),
                Item::Pointer { cell, class, sharing } => (cell, self.pointer(*class, *sharing)?),
                Item::Optional { cell, null, .. } if !decoder.bit() => (cell, *null),
                Item::Optional { cell, null, item } => {
                    self.table.set(base + cell, 1);
                    self.items(item, base)?;
                    let is_null = self.table.peek(base + cell) == *null;
                    return if is_null { Err(null_is_there()) } else { Ok(()) };
                }
                Item::Field { class, index, .. } if !decoder.has_field(*class, *index) => {
                    return Ok(());
                }
                Item::Field { items, .. } | Item::Record(_, items) | Item::Element(_, items) => {
                    return self.items(items, base);
                }
            };
            self.table.set(base + cell, value);
            Ok(())
        }

        fn pointer(&mut self, class: ClassId, sharing: Sharing) -> Result<i64, Undecodable> {
            let shape = self.shapes.class(class).clone();
            if shape.is_array {
                let length = self.decoder.begin_array() as u32;
                let start = self.table.allocate(1 + length * shape.n_cells);
                self.table.set(start, length.into());
                let mut elements = (0..length).map(|index| start + 1 + index * shape.n_cells);
                elements.try_for_each(|element| self.items(&shape.items, element))?;
                self.decoder.leave();
                return Ok(start.into());
            }
            let target = match sharing {
                Sharing::Unique => {
                    self.decoder.begin_object();
                    None
                }
                _ => match self.decoder.reach() {
                    PointerTarget::Known(id) => return Ok(self.decoder.address(id)? as i64),
                    PointerTarget::New(id) => Some(id),
                },
            };
            let start = self.table.allocate(shape.n_cells);
            if let Some(id) = target {
                self.decoder.register_address(id, start as usize);
            }
            self.items(&shape.items, start)?;
            self.decoder.leave();
            Ok(start.into())
        }
    }

    /// The cells of a table and its texts.
    fn contents(table: &Table) -> (Vec<i64>, Vec<String>) {
        let cells: Vec<i64> = (0..table.n_cells() as u32).map(|cell| table.peek(cell)).collect();
        let texts = cells.iter().map(|&cell| table.text(cell).to_owned()).collect();
        (cells, texts)
    }

    /// Fills a table with one value after another, and by the naive twin.
    #[track_caller]
    fn check<T: Heap + Viewed>(bounds: &Bounds, values: &[T]) {
        let layout = Layout::new(&Schema::of::<T>(), bounds);
        let shapes = Shapes::of::<T>();
        let mut filler = Filler::new(&shapes, &layout);
        let (mut table, mut decoder) = (Table::new(), Decoder::new(&layout, 0));
        let mut encoder = Encoder::new(&layout);
        for value in values {
            let form = encoder.encode(value).expect("no bounds").to_canonical();
            let mut plain = Table::new();
            decoder.begin(form.as_ref());
            let expected =
                Plain { shapes: &shapes, table: &mut plain, decoder: &mut decoder }.fill();
            decoder.begin(form.as_ref());
            assert_eq!(filler.fill(&mut table, &mut decoder), expected);
            if expected.is_ok() {
                assert_eq!(contents(&table), contents(&plain));
            }
        }
    }

    /// Heaps of up to 2,500 cells, each after a smaller and after a larger one.
    #[test]
    fn lists_of_all_lengths_are_filled_in_as_their_items_say() {
        let fill_in = || {
            let lengths = (0..12).chain([40, 60, 52, 500, 3, 51, 50]);
            let lists: Vec<_> = lengths.map(list).collect();
            check(&Bounds::unlimited(), &lists);
            let omitted = [("Link".to_owned(), "hidden".to_owned())].into();
            check(&Bounds { omitted, ..Bounds::unlimited() }, &lists);
        };
        // Five calls for each link, whose frames are long in a build that is not optimised.
        let thread = std::thread::Builder::new().stack_size(32 << 20).spawn(fill_in).unwrap();
        thread.join().unwrap();
    }

    #[test]
    fn values_of_every_kind_are_filled_in_as_their_items_say() {
        let unlimited = Bounds::unlimited();
        check(&unlimited, &[[Some(true), None], [Some(false), Some(true)]]);
        check(&unlimited, &[[Some('a'), None, Some('\u{10ffff}')]]);
        check(&unlimited, &[(Some(1.5_f32)), None]);
        check(&unlimited, &[vec![0_i64, -1, i64::MIN, i64::MAX], vec![]]);
        check(&unlimited, &[vec![u64::MAX, 12, 3]]);
        check(&unlimited, &[[Some("a".to_owned()), None, Some("bc".to_owned())]]);
        check(&unlimited, &[Some([Some(Some(3_u8)), Some(None), None]), None]);
        check(&unlimited, &[vec![vec![[1_u8, 2], [3, 4]], vec![], vec![[5, 6]]], vec![]]);
        check(&unlimited, &[vec![(), ()], vec![]]);
        check(&unlimited, &[Some(Box::new(Some(Box::new(())))), Some(Box::new(None)), None]);
        let shared = Rc::new(7_u8);
        check(&unlimited, &[vec![shared.clone(), Rc::new(7), shared]]);
    }

    #[test]
    fn the_optional_integer_that_stands_for_none_cannot_be_filled_in() {
        check(&Bounds::unlimited(), &[Some(i64::MIN), Some(i64::MIN + 1), None]);
        let layout = Layout::new(&Schema::of::<Option<i64>>(), &Bounds::unlimited());
        let form = Encoder::new(&layout).encode(&Some(i64::MIN)).expect("no bounds").to_canonical();
        let mut decoder = Decoder::new(&layout, 0);
        decoder.begin(form.as_ref());
        let mut filler = Filler::new(&Shapes::of::<Option<i64>>(), &layout);
        assert_eq!(filler.fill(&mut Table::new(), &mut decoder), Err(null_is_there()));
    }
}
