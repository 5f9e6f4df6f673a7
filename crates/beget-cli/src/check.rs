//! `beget check`.

use std::collections::BTreeMap;

use beget_emit::{
    CheckSummary, CheckText, CheckedRepok, Measures, RejectionRecord, Summary, TextSummary,
    WitnessRecord,
};
use beget_engine::store::{Store, StructureId};
use beget_engine::{Corpus, tag_bits};
use beget_finding::StopReason;
use beget_heap::view::Broken;
use beget_repok::{Checker, Predicate, Subject};
use beget_suite::{TypeIdx, to_source};

use crate::args::{CheckArgs, General, SummaryFormat};
use crate::control::Control;
use crate::error::CliError;
use crate::generate::{search_under, text_of_run};
use crate::open::{Opened, overrides, warn, wishes};
use crate::repok::MAX_READS;
use crate::{Catalog, Exit, interrupt, print};

/// Structures between two looks at the clock.
const CHECK_INTERVAL: u32 = 1 << 10;

pub(crate) fn run(args: &CheckArgs, general: &General, catalog: Catalog) -> Result<Exit, CliError> {
    let opened = Opened::read(&args.scope.scope, catalog)?;
    let resolved = opened.resolve(&overrides(&args.scope, &args.run.budgets))?;
    let rep_oks = rep_oks(args, general, &opened)?;
    warn(&resolved, general);
    interrupt::listen();
    let mut control = Control::new(resolved.plan.budget, general);
    let corpus = search_under(&mut control, resolved.plan, &args.run);
    let mut checking = Checking::new(&corpus, &rep_oks);
    let stopped = match opened.subject() {
        Ok(subject) => checking.check_all(subject, &control),
        Err(_) => None,
    };
    let check = checking.into_summary(stopped);
    let measures = control.start().measure(Measures::of(&corpus, wishes(&args.run)));
    control.finish();
    let check = CheckSummary { summary: check.summary.with(measures), ..check };
    let stop_reason = stopped.unwrap_or(corpus.report.stop_reason);
    print::result(&text_of(&check, args, general, stop_reason)?)?;
    Ok(Exit::of(check.has_findings(), check.summary.complete))
}

fn text_of(
    check: &CheckSummary,
    args: &CheckArgs,
    general: &General,
    stop_reason: StopReason,
) -> Result<String, CliError> {
    if args.summary == SummaryFormat::Json {
        return Ok(serde_json::to_string(check)? + "\n");
    }
    let show = |run: TextSummary<'_>| CheckText { check, run }.to_string();
    Ok(text_of_run(&check.summary, stop_reason, &args.scope, general, show))
}

/// The repOK that was asked for, or all that there are.
fn rep_oks<'o>(
    args: &CheckArgs,
    general: &General,
    opened: &'o Opened,
) -> Result<Vec<&'o Predicate>, CliError> {
    if let Some(name) = &args.repok {
        return Ok(vec![opened.rep_ok(name)?]);
    }
    let Ok(subject) = opened.subject() else {
        if !general.quiet {
            print::note("no repOK is known for the suite: only the calls are checked");
        }
        return Ok(Vec::new());
    };
    Ok(subject.rep_oks.iter().collect())
}

/// The first of some structures that a clause rejects, and how many there are.
struct Rejection {
    id: StructureId,
    count: u64,
}

/// The check in progress.
struct Checking<'c> {
    corpus: &'c Corpus,
    rep_oks: &'c [&'c Predicate],
    checked: u64,
    /// By repOK and clause.
    rejections: BTreeMap<(usize, String), Rejection>,
}

impl<'c> Checking<'c> {
    fn new(corpus: &'c Corpus, rep_oks: &'c [&'c Predicate]) -> Self {
        Checking { corpus, rep_oks, checked: 0, rejections: BTreeMap::new() }
    }

    /// Asks the repOKs about every structure that is reported, or until the run must stop.
    fn check_all(&mut self, subject: &Subject, control: &Control) -> Option<StopReason> {
        let corpus = self.corpus;
        let plan = &corpus.plan;
        let mut checker = Checker::new(&subject.shapes, &plan.layout, tag_bits(plan), MAX_READS);
        let mut reader = corpus.reader();
        for id in (0..corpus.store.len()).map(StructureId) {
            let is_reported = plan.slack.is_none() || reader.reported(id).is_some();
            if corpus.type_of(id) == TypeIdx(0) && is_reported {
                self.check(&mut checker, id);
            }
            if id.0.is_multiple_of(CHECK_INTERVAL) && id.0 > 0 {
                let stopped = control.stop_reason(corpus.store.bytes());
                if stopped.is_some() {
                    return stopped;
                }
            }
        }
        None
    }

    fn check(&mut self, checker: &mut Checker<'_>, id: StructureId) {
        let form = self.corpus.store.form(id);
        self.checked += 1;
        for (index, rep_ok) in self.rep_oks.iter().enumerate() {
            let clause = match checker.check(rep_ok.as_fn(), &form) {
                Ok(Ok(())) => continue,
                Ok(Err(Broken(clause))) => clause.to_owned(),
                Err(cause) => cause.to_string(),
            };
            let first = Rejection { id, count: 0 };
            self.rejections.entry((index, clause)).or_insert(first).count += 1;
        }
    }

    /// The summary without measures. A stop while checking makes it incomplete, too.
    fn into_summary(self, stopped: Option<StopReason>) -> CheckSummary {
        let mut summary = Summary::of(self.corpus);
        if let Some(reason) = stopped {
            summary.complete = false;
            reason.name().clone_into(&mut summary.stop_reason);
        }
        let mut found: Vec<_> = self.rejections.iter().collect();
        found.sort_by_key(|((rep_ok, _), rejection)| (rejection.id, *rep_ok));
        let record = |((rep_ok, clause), rejection): &(&(usize, String), &Rejection)| {
            self.record(self.rep_oks[*rep_ok].name, clause, rejection)
        };
        let witnesses = found.iter().filter_map(record).collect();
        let repoks = self.rep_oks.iter().enumerate().map(|(index, rep_ok)| {
            let own = self.rejections.iter().filter(|((rep_ok, _), _)| *rep_ok == index);
            let rejected = own.map(|(_, rejection)| rejection.count).sum();
            CheckedRepok { name: rep_ok.name.to_owned(), rejected }
        });
        CheckSummary { repoks: repoks.collect(), checked: self.checked, witnesses, summary }
    }

    fn record(&self, repok: &str, clause: &str, rejection: &Rejection) -> Option<RejectionRecord> {
        let Rejection { id, count } = *rejection;
        let heap = self.corpus.graph(id)?;
        let source = to_source(&self.corpus.plan.suite, &self.corpus.recipe(id)).0;
        Some(RejectionRecord {
            repok: repok.to_owned(),
            id: id.0,
            calls: self.corpus.cost(id),
            witness: WitnessRecord::new(Some(clause), count, &heap).with_recipe(&source),
        })
    }
}
