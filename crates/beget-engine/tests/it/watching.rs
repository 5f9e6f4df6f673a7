//! What whoever waits for calls gets to see: the calls in progress, and all that the run has.

use crate::common;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use beget_engine::store::{ExactStore, Store, StructureId};
use beget_engine::{Corpus, Explorer, Interim, Observer, Run, Settings};
use beget_plan::finding::{Problem, Progress, StopReason};
use beget_plan::scope::Plan;
use beget_process::guard::CallInProgress;
use beget_suite::{CallFn, LiteralDomain, Method, Outcome, Param, ParamKind, Passing, TypeIdx};
use common::{Tree, plan, suite};

/// Milliseconds: far longer than it takes to be seen.
const LONG: u32 = 20_000;

/// Trees of up to two numbers: 5. On each, `nap` is called with 0 and with 1.
fn napping(call: CallFn) -> Plan {
    let this = ParamKind::Structure { ty: TypeIdx::new(0), passing: Passing::Ref };
    let turn = ParamKind::Literal { domain: LiteralDomain::of::<i32>("i32"), prefix: "" };
    let nap = Method {
        name: "nap",
        signature: "fn nap(&self, turn: i32)",
        returns: None,
        path: "Tree::nap",
        params: vec![Param { name: "self", kind: this }, Param { name: "turn", kind: turn }],
        outputs: vec![],
        fallible: false,
        call_observed: None,
        stand_in: None,
        call,
    };
    let mut suite = suite();
    suite.methods.push(nap);
    plan(suite, &["new", "insert", "nap"], 2)
}

fn generated(plan: Plan, watcher: &mut dyn Observer) -> Corpus {
    let settings = Settings { threads: 1, ..Settings::default() };
    Run::new(plan)
        .settings(settings)
        .store(&|plan| Ok(Box::new(ExactStore::of(plan))))
        .observe(watcher)
        .go()
}

fn wait_until(is_so: &AtomicBool) {
    for _ in 0..LONG {
        if is_so.load(SeqCst) {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Sees the first call that takes its time, and what the run has then.
#[derive(Default)]
struct Onlooker {
    source: Option<String>,
    seen: Option<(u64, u64, u64)>,
}

static IS_SEEN: AtomicBool = AtomicBool::new(false);

impl Observer for Onlooker {
    fn check(&mut self, _: Progress) -> Option<StopReason> {
        None
    }

    fn wait(&mut self, interim: &Interim<'_>) {
        let calls = interim.current_calls();
        let named = calls.iter().find_map(|call| Some((call, interim.source(call)?)));
        let Some((call, source)) = named.filter(|(_, source)| source.contains("nap(1)")) else {
            return;
        };
        assert_no_others_have_a_source(interim, call);
        let corpus = interim.corpus(StopReason::MaxCalls(7));
        assert_eq!(corpus.report.stop_reason, StopReason::MaxCalls(7));
        assert!(corpus.store.matches());
        let mut forms = BTreeSet::new();
        let n = corpus.store.len();
        corpus
            .store
            .scan(0..n, &mut |id, form| {
                assert_eq!(corpus.store.find(form), Ok(Some(id)));
                forms.insert(form.to_canonical().as_bytes().to_vec());
            })
            .unwrap();
        assert_eq!(forms.len(), n as usize);
        let totals = corpus.store.totals();
        self.seen = Some((n, totals.by_type.iter().sum(), corpus.store.bytes()));
        self.source = Some(source);
        IS_SEEN.store(true, SeqCst);
    }
}

/// A call is told only if it is one: what another thread has noted in part is not.
fn assert_no_others_have_a_source(interim: &Interim<'_>, call: &CallInProgress) {
    let source = |call: CallInProgress| interim.source(&call);
    let arguments = |arguments: &[u64]| {
        source(CallInProgress { arguments: Some(arguments.to_vec()), ..call.clone() })
    };
    let n = interim.corpus(StopReason::Exhausted).store.len();
    assert!(arguments(&[n - 1]).is_some());
    assert_eq!(arguments(&[n]), None, "no such structure");
    assert_eq!(arguments(&[]), None, "too few");
    assert_eq!(arguments(&[0, 0]), None, "too many");
    assert!(source(CallInProgress { tuple: 1, ..call.clone() }).is_some());
    assert_eq!(source(CallInProgress { tuple: 2, ..call.clone() }), None, "no such literals");
    assert_eq!(source(CallInProgress { method: Some(3), ..call.clone() }), None, "no such method");
}

#[test]
fn a_call_that_takes_its_time_is_seen_with_all_that_there_is_without_it() {
    let plan = napping(|call| {
        let is_empty = format!("{:?}", call.structure::<Tree>(0)).contains("root: None");
        if *call.literal::<i32>(0) == 1 && !is_empty {
            wait_until(&IS_SEEN);
        }
        Outcome::Returned
    });
    let mut onlooker = Onlooker::default();
    let corpus = generated(plan, &mut onlooker);
    // The first nap is of the tree of 0, in level 3, when there are this, the empty one and that
    // of 1.
    let source = "let mut tree = Tree::new();\nlet _ = tree.insert(0);\nlet _ = tree.nap(1);";
    assert_eq!(onlooker.source.as_deref(), Some(source));
    let (n, by_type, bytes) = onlooker.seen.unwrap();
    assert_eq!((n, by_type), (3, 3));
    assert!(1 < bytes && bytes <= corpus.store.bytes(), "{bytes}");
    assert_eq!(corpus.store.form(StructureId::new(0)).is_ok(), corpus.store.len() == 5);
}

/// Two runs at once: each is shown its own calls, by what its own methods are.
#[test]
fn a_run_is_not_shown_the_calls_of_another() {
    static IS_FIRST_SEEN: AtomicBool = AtomicBool::new(false);
    static IS_SECOND_SEEN: AtomicBool = AtomicBool::new(false);
    /// How many calls were seen in one look.
    struct Counting(usize, &'static AtomicBool);
    impl Observer for Counting {
        fn check(&mut self, _: Progress) -> Option<StopReason> {
            None
        }
        fn wait(&mut self, interim: &Interim<'_>) {
            self.0 = self.0.max(interim.current_calls().len());
            self.1.store(self.0 > 0, SeqCst);
        }
    }
    // Neither ends before both were seen.
    let napping = || {
        napping(|_| {
            wait_until(&IS_FIRST_SEEN);
            wait_until(&IS_SECOND_SEEN);
            Outcome::Returned
        })
    };
    let (first, second) = (napping(), napping());
    let of = |plan: Plan, is_seen| {
        let mut counting = Counting(0, is_seen);
        generated(plan, &mut counting);
        counting.0
    };
    let (of_first, of_second) = thread::scope(|scope| {
        let other = scope.spawn(|| of(second, &IS_SECOND_SEEN));
        (of(first, &IS_FIRST_SEEN), other.join().unwrap())
    });
    assert_eq!((of_first, of_second), (1, 1));
}

/// Looks at the run once it has the empty tree, and takes some calls for those that are being made.
struct Asker<'a> {
    calls: &'a dyn Fn() -> Vec<CallInProgress>,
    findings: Option<Vec<(String, String, usize)>>,
}

impl Observer for Asker<'_> {
    fn check(&mut self, _: Progress) -> Option<StopReason> {
        None
    }

    fn look<'r>(&mut self, interim: &dyn Fn() -> Interim<'r>) {
        if self.findings.is_some() {
            return;
        }
        let corpus = interim().corpus_with(StopReason::Unreturned, &(self.calls)());
        assert_eq!((corpus.report.stop_reason, corpus.store.len()), (StopReason::Unreturned, 1));
        let finding = |finding: beget_plan::finding::Finding| {
            let recipe = finding.witness.recipe.expect("the call or the structure");
            let kind = finding.problem.kind.name().to_owned();
            (kind, finding.problem.message.to_string(), recipe.n_calls())
        };
        self.findings = Some(corpus.report.findings.into_iter().map(finding).collect());
    }
}

/// Insertion number `tuple` into the empty tree.
fn insertion(tuple: u32) -> CallInProgress {
    CallInProgress {
        run: 0,
        task: 0,
        method: Some(1),
        tuple,
        is_own_work: false,
        n_made: 0,
        after: 0,
        arguments: Some(vec![0]),
        end: None,
    }
}

#[test]
fn a_call_that_does_not_return_is_a_finding_by_what_it_does() {
    let findings = |calls: &dyn Fn() -> Vec<CallInProgress>| {
        let mut asker = Asker { calls, findings: None };
        generated(plan(suite(), &["new", "insert"], 2), &mut asker);
        asker.findings.expect("a batch")
    };
    let finding =
        |kind: &str, message: &str, n_calls| (kind.to_owned(), message.to_owned(), n_calls);
    assert_eq!(findings(&Vec::new), []);
    let hang = finding("hang", "the call does not return", 2);
    assert_eq!(findings(&|| vec![insertion(0)]), std::slice::from_ref(&hang));
    // Two of one method are one.
    assert_eq!(findings(&|| vec![insertion(0), insertion(1)]), std::slice::from_ref(&hang));
    let walk = || CallInProgress { is_own_work: true, ..insertion(0) };
    let making = || CallInProgress { method: None, is_own_work: true, ..insertion(0) };
    let of = |work: &str, n_calls| {
        let problem = Problem::left_out(work);
        finding("left_out", &problem.message, n_calls)
    };
    let walking = of("walking what the call left", 2);
    assert_eq!(findings(&|| vec![walk()]), std::slice::from_ref(&walking));
    let made = of("making, copying or dropping the structure", 1);
    assert_eq!(findings(&|| vec![making()]), std::slice::from_ref(&made));
    let copying = || CallInProgress { is_own_work: false, ..making() };
    assert_eq!(findings(&|| vec![copying()]), [made]);
    let all = findings(&|| vec![insertion(0), walk()]);
    assert_eq!(all.len(), 2);
    assert!(all.contains(&hang) && all.contains(&walking), "{all:?}");
}

#[test]
fn an_explorer_names_the_work_and_sees_the_calls_of_its_run() {
    let plan = plan(suite(), &["new", "insert"], 2);
    let other_plan = plan.clone();
    let explorer = Explorer::new(&plan, Settings { threads: 1, ..Settings::default() });
    let other = Explorer::new(&other_plan, Settings { threads: 1, ..Settings::default() });
    assert_eq!(explorer.culprit(&insertion(0)), "the call");
    let walk = CallInProgress { is_own_work: true, ..insertion(0) };
    assert_eq!(explorer.culprit(&walk), "walking what the call left");
    let note = explorer.note_elsewhere();
    note.set_call(1, 1);
    let calls: Vec<_> = explorer.calls_in_progress().iter().map(|call| call.tuple).collect();
    assert_eq!(calls, [1]);
    assert_eq!(other.calls_in_progress(), []);
}
