//! RepOKs that are asked about forms, and what is shown of these.

use beget::heap::view::{BrokenClause, RepOk, Verdict, clause};
use beget::{Heap, HeapView};
use beget_heap::{Bounds, CanonicalForm, Encoder, Layout, Schema};
use beget_oracle::Oracle;
use beget_oracle::rep_ok::{Cause, Checker, Predicate, RepOks, Subject};
use beget_suite::TypeIdx;

/// A number, and whether there is another one.
#[derive(Clone, Debug, Heap, HeapView)]
pub struct Row {
    number: u8,
    next: Option<Box<Row>>,
}

fn row() -> Row {
    Row { number: 3, next: Some(Box::new(Row { number: 5, next: None })) }
}

fn layout() -> Layout {
    Layout::new(&Schema::of::<Row>(), &Bounds::unlimited())
}

fn form(layout: &Layout) -> CanonicalForm {
    Encoder::new(layout).encode(&row()).unwrap().to_canonical()
}

/// Asks which clauses of a repOK the row breaks; one read is one of its number.
fn broken(rep_ok: RepOk<Row>) -> Vec<&'static str> {
    let (subject, layout) = (Subject::new([rep_ok]), layout());
    let mut checker = Checker::new(&subject.shapes, &layout, 1_000_000);
    checker.broken(subject.rep_oks[0].as_fn(), form(&layout).as_ref()).unwrap()
}

#[test]
fn clauses_behind_a_broken_one_are_named_once() {
    let rep_ok = RepOk::<Row>::new("broken", |row| {
        clause("first", false)?;
        clause("second", row.number() == 3)?;
        clause("third", false)?;
        clause("first", false)?;
        clause("last", false)
    });
    assert_eq!(broken(rep_ok), ["first", "third", "last"]);
}

/// It may then read each cell 64 times, on average.
#[test]
fn a_repok_that_goes_on_reads_so_often_and_no_more() {
    const N_CELLS: u64 = 5;
    let (subject, layout) = (Subject::new::<Row>([]), layout());
    let mut checker = Checker::new(&subject.shapes, &layout, 1000);
    assert_eq!(checker.table(form(&layout).as_ref()).n_cells() as u64, N_CELLS);
    let enough = RepOk::<Row>::new("enough", |row| {
        clause("first", false)?;
        (0..60 * N_CELLS).for_each(|_| _ = row.number());
        clause("after many reads", false)
    });
    assert_eq!(broken(enough), ["first", "after many reads"]);
    let too_much = RepOk::<Row>::new("too much", |row| {
        clause("first", false)?;
        (0..70 * N_CELLS).for_each(|_| _ = row.number());
        clause("after too many reads", false)
    });
    assert_eq!(broken(too_much), ["first"]);
}

/// All these reads are of one cell of five, which may be read 199 times before they are counted.
#[test]
fn reads_are_endless_only_if_their_sum_is_too_large() {
    let layout = layout();
    let form = form(&layout);
    // The number is 3, and it is read once more than `n` times.
    fn is_even_after(n: u64, is_even: impl Fn() -> bool) -> Verdict {
        (0..n).for_each(|_| _ = is_even());
        clause("odd", is_even())
    }
    let subject = Subject::new([
        RepOk::<Row>::new("few", |row| is_even_after(999, || row.number() % 2 == 0)),
        RepOk::<Row>::new("many", |row| is_even_after(1000, || row.number() % 2 == 0)),
        RepOk::<Row>::new("none", |row| is_even_after(0, || row.number() % 2 == 0)),
        // The reads of two of these are more than the cell's share, those of one are not.
        RepOk::<Row>::new("some", |row| is_even_after(150, || row.number() % 2 == 0)),
        RepOk::<Row>::new("some more", |row| is_even_after(150, || row.number() % 2 == 0)),
        RepOk::<Row>::new("many again", |row| is_even_after(1000, || row.number() % 2 == 0)),
    ]);
    let mut checker = Checker::new(&subject.shapes, &layout, 1000);
    let broken = Ok(Err(BrokenClause("odd")));
    let answers = [&broken, &Err(Cause::Endless), &broken, &broken, &broken, &Err(Cause::Endless)];
    assert_eq!(checker.check(subject.rep_oks[0].as_fn(), form.as_ref()), broken);
    for (rep_ok, answer) in subject.rep_oks.iter().zip(answers) {
        assert_eq!(checker.check_again(rep_ok.as_fn()), *answer, "{}", rep_ok.name);
    }
}

#[test]
fn a_form_is_shown_object_by_object_and_as_a_shape() {
    let (subject, layout) = (Subject::new::<Row>([]), layout());
    let mut checker = Checker::new(&subject.shapes, &layout, 1000);
    let form = form(&layout);
    let text = "Row#0 { next: #1, number: 3 }\nRow#1 { next: null, number: 5 }\n";
    assert_eq!(checker.text(form.as_ref()), text);
    assert_eq!(checker.shape(form.as_ref()), "Row#0 { next: #1 }\nRow#1 { next: null }\n");
}

#[test]
fn repoks_are_asked_about_the_main_type_if_there_are_any() {
    let subject = Subject::new([RepOk::<Row>::new("three", |row| clause("3", row.number() == 3))]);
    let plan = super::tallies::plan();
    for n_rep_oks in 0..2 {
        let rep_oks: Vec<&Predicate> = subject.rep_oks.iter().take(n_rep_oks).collect();
        let mut oracle = RepOks::new(&subject, &rep_oks, 1000);
        assert_eq!(oracle.applies(&plan), n_rep_oks > 0);
        assert!(oracle.judges(TypeIdx::new(0)) && !oracle.judges(TypeIdx::new(1)));
    }
}
