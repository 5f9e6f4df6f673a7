//! `beget compare`.

use beget_emit::picture::{self, Picture};
use beget_emit::{
    CompareSummary, CompareText, EmitError, FindingRecord, OutputDir, SidesRecord, SlackStep,
    WitnessRecord, methods_of,
};
use beget_engine::store::{ExactStore, Store, StructureId};
use beget_engine::{Corpus, tag_bits};
use beget_finding::StopReason;
use beget_heap::HeapGraph;
use beget_repok::{Checker, Comparison, FormSet, Group, Names, Predicate, Subject, compare};
use beget_scope::Plan;
use beget_suite::{TypeIdx, to_source};

use crate::args::{CompareArgs, General, SummaryFormat};
use crate::control::Control;
use crate::error::CliError;
use crate::generate::search_under;
use crate::open::{CORRECTED, Chosen, Opened, overrides, warn};
use crate::output::prepare_dir;
use crate::repok::{MAX_READS, search_settings, searching};
use crate::{Catalog, Exit, interrupt, print};

/// How often the slack is raised, where the arguments give none.
const MOST_RAISES: u32 = 4;

/// How many slacks in a row may bring nothing before no more are tried.
const MOST_IDLE: usize = 2;

/// Witnesses of each side in a summary.
const MOST_WITNESSES: usize = 100;

/// Pictures of each side in a directory.
const MOST_PICTURES: usize = 25;

pub(crate) fn run(
    args: &CompareArgs,
    general: &General,
    catalog: Catalog,
) -> Result<Exit, CliError> {
    if args.run.budgets.no_state_matching {
        let message = "without state matching there is no set to compare with";
        return Err(CliError::Usage(message.to_owned()));
    }
    let opened = Opened::read(&args.scope.scope, catalog)?;
    let mut comparing = Comparing::new(args, general, &opened)?;
    let output = args.output.as_deref().map(prepare_dir).transpose()?;
    interrupt::listen();
    let stop_reason = comparing.raise_slack()?;
    let (summary, pictures) = comparing.finish(stop_reason);
    if let Some(output) = output {
        write(output, &summary, &pictures)?;
    }
    print::result(&match args.summary {
        SummaryFormat::Json => serde_json::to_string(&summary)? + "\n",
        SummaryFormat::Text => {
            let verbosity = general.verbosity();
            CompareText { summary: &summary, stop_reason, verbosity }.to_string()
        }
    })?;
    Ok(Exit::of(summary.has_findings(), summary.complete))
}

/// The repOK whose clauses name what only `compared` admits: the corrected one, or else the first other. What the corrected one
/// admits is named by shape, because a clause of a flawed one may name a flaw.
fn naming<'s>(subject: &'s Subject, compared: &Predicate) -> Option<&'s Predicate> {
    let corrected = subject.rep_ok(CORRECTED);
    let other =
        corrected.or_else(|| subject.rep_oks.iter().find(|rep_ok| rep_ok.name != compared.name));
    other.filter(|other| other.name != compared.name)
}

/// The comparison in progress.
struct Comparing<'a> {
    args: &'a CompareArgs,
    general: &'a General,
    opened: &'a Opened,
    chosen: Chosen<'a>,
    /// The repOK that names what only the compared one admits.
    other: Option<&'a Predicate>,
    control: Control,
    steps: Vec<SlackStep>,
    best: Option<Step>,
}

/// What one slack came to.
struct Step {
    summary: CompareSummary,
    stop_reason: StopReason,
    pictures: Sides,
    /// What only the repOK admits, but for heaps that no value is like.
    gap: u64,
}

/// The pictures of both sides.
#[derive(Default)]
struct Sides {
    only_api: Vec<Picture>,
    only_repok: Vec<Picture>,
}

impl<'a> Comparing<'a> {
    fn new(
        args: &'a CompareArgs,
        general: &'a General,
        opened: &'a Opened,
    ) -> Result<Self, CliError> {
        let resolved = opened.resolve(&overrides(&args.scope, &args.run.budgets))?;
        let chosen = opened.choose(args.repok.as_deref(), &resolved)?;
        warn(&resolved, general);
        let other = naming(chosen.subject, chosen.rep_ok);
        let control = Control::new(resolved.plan.budget, general);
        let (steps, best) = (Vec::new(), None);
        Ok(Comparing { args, general, opened, chosen, other, control, steps, best })
    }

    /// Compares with the slack of the scope file, then with more and more while structures of the repOK are missing; or once, with
    /// the slack that the arguments give.
    fn raise_slack(&mut self) -> Result<StopReason, CliError> {
        if let Some(slack) = self.args.scope.slack {
            return self.step(slack);
        }
        let first = self.opened.slack();
        let most = first.saturating_add(MOST_RAISES);
        let mut n_idle = 0;
        for slack in first..=most {
            let gap_before = self.best.as_ref().map(|best| best.gap);
            let stop_reason = self.step(slack)?;
            let gap = self.best.as_ref().map_or(0, |best| best.gap);
            n_idle = if gap_before == Some(gap) { n_idle + 1 } else { 0 };
            let is_closed = gap == 0 || self.is_undecided();
            if stop_reason != StopReason::Exhausted || is_closed || n_idle == MOST_IDLE {
                return Ok(stop_reason);
            }
            if slack < most && !self.general.quiet {
                let next = slack + 1;
                print::note(&format!(
                    "not built with a slack of {slack}: {gap} of the repOK's structures; trying {next}"
                ));
            }
        }
        Ok(StopReason::Exhausted)
    }

    /// Whether no slack will help, because the repOK does not always answer.
    fn is_undecided(&self) -> bool {
        self.best.as_ref().is_some_and(|best| !best.summary.findings.is_empty())
    }

    /// Compares with `slack`, and keeps the result if no smaller slack gave as much.
    fn step(&mut self, slack: u32) -> Result<StopReason, CliError> {
        let mut wanted = overrides(&self.args.scope, &self.args.run.budgets);
        wanted.slack = Some(slack);
        let plan = self.opened.resolve(&wanted)?.plan;
        let corpus = search_under(&mut self.control, plan, &self.args.run);
        let step = self.compare(slack, &corpus);
        let stop_reason = step.stop_reason;
        // A run that was cut tells less than a complete one with less slack.
        if stop_reason == StopReason::Exhausted || self.best.is_none() {
            let CompareSummary { api, only_repok, .. } = step.summary;
            self.steps.push(SlackStep { slack, api, only_repok });
            if self.best.as_ref().is_none_or(|best| step.gap < best.gap) {
                self.best = Some(step);
            }
        }
        Ok(stop_reason)
    }

    fn compare(&self, slack: u32, corpus: &Corpus) -> Step {
        let plan = &corpus.plan;
        let api = ApiForms::new(corpus);
        let names = self.other.map_or(Names::Shapes, |other| Names::Clauses(other.as_fn()));
        let settings = search_settings(self.args.run.threads, plan.budget);
        let comparison = searching(&self.chosen, plan, settings, &self.control, |from| {
            compare(from, &plan.layout, &api, names)
        });
        let stop_reason = match corpus.report.stop_reason {
            StopReason::Exhausted => comparison.search.stop_reason,
            stopped => stopped,
        };
        let (witnesses, pictures) = self.witnesses(corpus, &api, &comparison);
        let gap = comparison.only_rep_ok - comparison.search.unrepresentable;
        let summary = self.summary(slack, corpus, &comparison, witnesses);
        Step { summary, stop_reason, pictures, gap }
    }

    fn summary(
        &self,
        slack: u32,
        corpus: &Corpus,
        comparison: &Comparison,
        witnesses: SidesRecord,
    ) -> CompareSummary {
        let plan = &corpus.plan;
        let found = comparison.search.findings.iter();
        let is_complete = corpus.report.is_complete() && comparison.search.is_complete();
        CompareSummary {
            suite: plan.suite.name.clone(),
            k: plan.k,
            methods: methods_of(plan),
            repok_name: self.chosen.rep_ok.name.to_owned(),
            named_after: self.other.map(|other| other.name.to_owned()),
            complete: false,
            stop_reason: String::new(),
            api: comparison.api,
            repok: comparison.rep_ok,
            only_api: comparison.only_api,
            only_repok: comparison.only_rep_ok,
            verdict: is_complete.then(|| comparison.relation.to_string()),
            slack,
            slack_steps: Vec::new(),
            failures: corpus.report.counters.failures,
            findings: found.map(|finding| FindingRecord::of(&plan.suite, finding)).collect(),
            witnesses,
            spent: None,
        }
    }

    fn witnesses(
        &self,
        corpus: &Corpus,
        api: &ApiForms<'_>,
        comparison: &Comparison,
    ) -> (SidesRecord, Sides) {
        let show = Show { corpus, api, chosen: &self.chosen };
        let (only_api, api_pictures) = show.all(&comparison.only_api_groups);
        let (only_repok, repok_pictures) = show.all(&comparison.only_rep_ok_groups);
        let pictures = Sides { only_api: api_pictures, only_repok: repok_pictures };
        (SidesRecord { only_api, only_repok }, pictures)
    }

    /// The result. `stop_reason` is why no more slack was tried.
    fn finish(self, stop_reason: StopReason) -> (CompareSummary, Sides) {
        let best = self.best.expect("a slack was tried");
        let spent = self.control.start().spent();
        self.control.finish();
        let summary = CompareSummary {
            complete: stop_reason == StopReason::Exhausted,
            stop_reason: stop_reason.name().to_owned(),
            slack_steps: self.steps,
            spent: Some(spent),
            ..best.summary
        };
        (summary, best.pictures)
    }
}

/// The structures of the main type that a run reports, by number; their forms are those of the store, slack included.
struct ApiForms<'c> {
    store: &'c ExactStore,
    /// The structures in order; `None` if they are all of the store's.
    members: Option<Vec<u32>>,
}

impl<'c> ApiForms<'c> {
    fn new(corpus: &'c Corpus) -> Self {
        let plan = &corpus.plan;
        let is_everything = plan.suite.types.len() == 1 && plan.slack.is_none();
        let members = (!is_everything).then(|| {
            let mut reader = corpus.reader();
            let all = (0..corpus.store.len()).map(StructureId);
            let mut is_member = |id: StructureId| {
                corpus.type_of(id) == TypeIdx(0)
                    && (plan.slack.is_none() || reader.reported(id).is_some())
            };
            all.filter(|&id| is_member(id)).map(|id| id.0).collect()
        });
        ApiForms { store: &corpus.store, members }
    }

    fn id(&self, number: usize) -> StructureId {
        StructureId(self.members.as_ref().map_or(number as u32, |members| members[number]))
    }
}

impl FormSet for ApiForms<'_> {
    fn len(&self) -> usize {
        self.members.as_ref().map_or(self.store.len() as usize, Vec::len)
    }

    fn find(&self, form: &[u8]) -> Option<usize> {
        let id = self.store.find(form)?.0;
        match &self.members {
            None => Some(id as usize),
            Some(members) => members.binary_search(&id).ok(),
        }
    }

    fn form(&self, number: usize) -> Vec<u8> {
        self.store.form(self.id(number))
    }
}

/// Makes witnesses readable.
struct Show<'s> {
    corpus: &'s Corpus,
    api: &'s ApiForms<'s>,
    chosen: &'s Chosen<'s>,
}

impl Show<'_> {
    /// The witnesses of the first groups.
    fn all(&self, groups: &[Group]) -> (Vec<WitnessRecord>, Vec<Picture>) {
        let groups = groups.iter().take(MOST_WITNESSES).enumerate();
        groups.filter_map(|(number, group)| self.one(number as u32, group)).unzip()
    }

    fn one(&self, number: u32, group: &Group) -> Option<(WitnessRecord, Picture)> {
        let heap = self.heap(&group.witness)?;
        let clause = group.is_clause.then_some(group.label.as_str());
        let rejected_by = group.rejected_by.as_deref();
        let mut witness = WitnessRecord::new(clause, group.count, &heap).behind(rejected_by);
        if let Some(api_number) = self.api.find(&group.witness) {
            let recipe = self.corpus.recipe(self.api.id(api_number));
            witness = witness.with_recipe(&to_source(&self.corpus.plan.suite, &recipe).0);
        }
        let title = format!("{} ({})", clause.unwrap_or("of one shape"), group.count);
        let recipe = witness.recipe.iter().flatten().cloned();
        let caption = std::iter::once(title).chain(recipe).collect();
        Some((witness, Picture::of_heap(number, heap, caption)))
    }

    fn heap(&self, form: &[u8]) -> Option<HeapGraph> {
        let Plan { layout, schema, .. } = &self.corpus.plan;
        let shapes = &self.chosen.subject.shapes;
        let mut checker = Checker::new(shapes, layout, tag_bits(&self.corpus.plan), MAX_READS);
        checker.graph(form, schema, layout).ok()
    }
}

/// Fills the directory and gives it its name.
fn write(output: OutputDir, summary: &CompareSummary, pictures: &Sides) -> Result<(), EmitError> {
    output.write_summary(&CompareSummary { spent: None, ..summary.clone() })?;
    let sides = [("only_api.svg", &pictures.only_api), ("only_repok.svg", &pictures.only_repok)];
    for (name, pictures) in sides {
        let first = &pictures[..pictures.len().min(MOST_PICTURES)];
        if !first.is_empty() {
            output.write_file(name, &picture::to_svg(first)?)?;
        }
    }
    output.commit()
}
