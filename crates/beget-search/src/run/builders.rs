//! A smallest set of methods that builds everything, certified, and confirmed at larger scopes.

use crate::builders::{
    BuilderSearch, BuilderSettings, Confirmation, Goal, Identification, confirm, identify,
};
use crate::builders_file::{BuildersFile, FileError, Recheck};
use beget_engine::{Interim, Observer};
use beget_plan::finding::{Progress, StopReason};
use beget_plan::scope::{MethodsOverride, Overrides, Plan, PlannedIdx, Resolution};

use beget_run::{Event, Input, InputError, Watch, with_int_ranges};

/// The scopes of a search for builders: that of the search, and the larger ones at which the set is
/// checked.
#[derive(Clone, Debug)]
pub struct BuildersPlan<'i> {
    input: &'i Input<'i>,
    /// The scope of the search.
    pub resolved: Resolution,
    /// Larger scopes.
    pub larger: Vec<Resolution>,
}

/// The result of a search for builders.
#[derive(Clone, Debug)]
pub struct BuildersRun {
    /// The set with its certificate; `None` if the run was stopped before it was known.
    pub found: Option<Identification>,
    /// The larger scopes that were explored before the run was stopped. Methods are given by their
    /// positions in the plan of the search.
    pub confirmed: Vec<Confirmation>,
    /// The reason for the end.
    pub stop_reason: StopReason,
}

impl<'i> BuildersPlan<'i> {
    /// The full API at the scope and at each of `confirm_at`. The scope file's choice of methods is
    /// ignored: unless `overrides` name some, all methods take part for which the scope has
    /// literals.
    ///
    /// # Errors
    ///
    /// If the input is wrong.
    pub fn new(
        input: &'i Input<'i>,
        overrides: &Overrides,
        confirm_at: &[u32],
    ) -> Result<Self, InputError> {
        let methods = match &overrides.methods {
            Some(MethodsOverride::Only(names)) => MethodsOverride::Only(names.clone()),
            _ => MethodsOverride::WithLiterals,
        };
        let overrides = Overrides { methods: Some(methods), ..overrides.clone() };
        let at = |&k: &u32| input.resolve(&Overrides { k: Some(k), ..overrides.clone() });
        let resolved = input.resolve(&overrides)?;
        let larger = confirm_at.iter().map(at).collect::<Result<Vec<Resolution>, _>>()?;
        Ok(BuildersPlan { input, resolved, larger })
    }

    /// Finds the builders, certifies them, and confirms them at the larger scopes.
    ///
    /// # Errors
    ///
    /// If a builder takes no part at a larger scope, or a bound cut everything that the full API
    /// builds.
    pub fn run(
        &self,
        search: BuilderSearch,
        settings: beget_engine::Settings,
        watch: &Watch<'_>,
    ) -> Result<BuildersRun, InputError> {
        let plan = &with_int_ranges(self.resolved.plan.clone(), settings, watch);
        let settings = BuilderSettings { engine: settings, ..BuilderSettings::default() };
        let mut reporter = StageReporter { watch, last: Progress::default() };
        watch.report(Event::Begin);
        match identify(plan, search, settings, &mut reporter) {
            Ok(found) => {
                self.require_built(&found)?;
                let (confirmed, stop_reason) = self.confirm(&found, settings, &mut reporter)?;
                Ok(BuildersRun { found: Some(found), confirmed, stop_reason })
            }
            Err(stop_reason) => Ok(BuildersRun { found: None, confirmed: Vec::new(), stop_reason }),
        }
    }

    /// The text of the scope file.
    pub fn scope_text(&self) -> &str {
        self.input.scope_text()
    }

    /// Generates the extents in the certificate of `file` again, at the scope and at the larger
    /// ones.
    ///
    /// # Errors
    ///
    /// The first mismatch, or the reason why the check was stopped.
    pub fn recheck(
        &self,
        file: &BuildersFile,
        settings: beget_engine::Settings,
        watch: &Watch<'_>,
    ) -> Result<(), FileError> {
        let plan = with_int_ranges(self.resolved.plan.clone(), settings, watch);
        let mut reporter = StageReporter { watch, last: Progress::default() };
        watch.report(Event::Begin);
        file.recheck(&plan, Recheck::Everything, settings, &mut reporter)?;
        self.larger.iter().try_for_each(|larger| {
            let larger = with_int_ranges(larger.plan.clone(), settings, watch);
            file.recheck_confirmed(&larger, settings, &mut reporter)
        })
    }

    /// Like [`Input::require_built`], for the exploration of the full API.
    fn require_built(&self, found: &Identification) -> Result<(), InputError> {
        let is_told = found.counters.failures > 0 || !found.findings.is_empty();
        match found.full_generated > 0 || is_told {
            true => Ok(()),
            false => self.input.refuse_passed(&found.passed, &self.resolved.plan),
        }
    }

    /// The confirmations made, and the reason why there are no more.
    fn confirm(
        &self,
        found: &Identification,
        settings: BuilderSettings,
        reporter: &mut StageReporter<'_>,
    ) -> Result<(Vec<Confirmation>, StopReason), InputError> {
        let plan = &self.resolved.plan;
        let mut confirmed = Vec::new();
        for Resolution { plan: larger, .. } in &self.larger {
            let larger = &with_int_ranges(larger.clone(), settings.engine, reporter.watch);
            let methods = positions(plan, &found.methods, larger)?;
            match confirm(larger, &methods, Goal::Everything, settings.engine, reporter) {
                // Positions are those of the first plan from here on.
                Ok(one) => confirmed.push(Confirmation {
                    superfluous: positions(larger, &one.superfluous, plan)?,
                    ..one
                }),
                Err(reason) => return Ok((confirmed, reason)),
            }
        }
        Ok((confirmed, StopReason::Exhausted))
    }
}

/// The positions of one plan's methods in another: a range that is empty at one k leaves methods
/// out there.
fn positions(
    plan: &Plan,
    methods: &[PlannedIdx],
    other: &Plan,
) -> Result<Vec<PlannedIdx>, InputError> {
    let position = |&planned: &PlannedIdx| {
        let method = plan.planned(planned).method;
        let found = other.find_planned(method);
        found.ok_or_else(|| InputError::NoLiterals {
            k: other.k,
            method: plan.suite.method(method).name,
        })
    };
    methods.iter().map(position).collect()
}

/// Reports the explorations of an identification, and the search between them, as one run.
struct StageReporter<'w> {
    watch: &'w Watch<'w>,
    last: Progress,
}

impl Observer for StageReporter<'_> {
    fn check(&mut self, progress: Progress) -> Option<StopReason> {
        let is_new_search =
            level_of(progress) < level_of(self.last) || progress.explored < self.last.explored;
        if is_new_search {
            self.watch.report(Event::Begin);
        }
        self.last = progress;
        self.watch.check(self.last)
    }

    fn step(&mut self, _: u32, _: f64) -> Option<StopReason> {
        self.watch.check(self.last)
    }

    fn wait(&mut self, interim: &Interim<'_>) {
        self.watch.wait(interim);
    }
}

fn level_of(progress: Progress) -> u32 {
    progress.level.map_or(0, |level| level.number)
}

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, missing_docs, reason = "the type stands for one of a library")]

    use beget::{HasSuite as _, Heap};
    use beget_engine::Settings;
    use beget_plan::finding::{Finding, Kind, Problem, Witness};
    use beget_plan::scope::Budget;
    use beget_run::{Catalog, Host};

    use super::*;

    /// Fish, two of which are one too many for some scopes.
    #[derive(Clone, Debug, Default, Heap)]
    pub struct Pond {
        fish: u8,
    }

    #[beget::api(name = "test::pond")]
    impl Pond {
        pub fn new() -> Self {
            Pond::default()
        }

        pub fn stock(&mut self) {
            self.fish = (self.fish + 1).min(4);
        }

        pub fn stock_two(&mut self) {
            self.stock();
            self.stock();
        }
    }

    struct Still;

    impl Host for Still {
        fn seconds(&self) -> f64 {
            0.0
        }
    }

    fn input(fields: &str) -> Input<'static> {
        let text = format!(r#"Scope(suite: "test::pond", k: 1, objects: {{"*": "k"}}, {fields})"#);
        Input::of_text("pond.ron", text, Catalog::new(vec![Pond::suite()])).unwrap()
    }

    #[test]
    fn builders_of_all_scopes_are_checked_again() {
        let input = input(r#"fields: {"Pond.fish": "0..=k"}"#);
        let plan = BuildersPlan::new(&input, &Overrides::default(), &[2, 3]).unwrap();
        assert_eq!(plan.scope_text(), input.scope_text());
        let watch = Watch::new(Budget::default(), &Still);
        let settings = Settings::default();
        let run = plan.run(BuilderSearch::HillClimbing, settings, &watch).unwrap();
        let found = run.found.expect("it was not stopped");
        assert_eq!((&found.names[..], run.confirmed.len()), (&["new", "stock"][..], 2));
        let file = BuildersFile::new(&plan.resolved.plan, &found, &run.confirmed);
        assert_eq!(plan.recheck(&file, settings, &watch), Ok(()));
        // Both the scope itself and the larger ones.
        let differs = |change: &dyn Fn(&mut BuildersFile)| {
            let mut file = file.clone();
            change(&mut file);
            matches!(plan.recheck(&file, settings, &watch), Err(FileError::Differs(_)))
        };
        assert!(differs(&|file| file.certificate.needs[0].without.structures += 1));
        assert!(differs(&|file| file.certificate.confirmed[1].builders.structures += 1));
    }

    /// The bound is to blame unless something was built, or failed, or was found.
    #[test]
    fn a_bound_is_named_if_there_is_nothing_else_to_say() {
        let input = input(r#"fields: {"Pond.fish": "3..=3"}"#);
        let plan = BuildersPlan::new(&input, &Overrides::default(), &[]).unwrap();
        let resolved = &plan.resolved.plan;
        let settings = BuilderSettings::default();
        let found = identify(resolved, BuilderSearch::HillClimbing, settings, &mut |_| None);
        let nothing = found.unwrap();
        assert_eq!((nothing.full_generated, nothing.counters.failures), (0, 0));
        let is_refused = |change: &dyn Fn(&mut Identification)| {
            let mut found = nothing.clone();
            change(&mut found);
            plan.require_built(&found).is_err()
        };
        assert!(is_refused(&|_| ()));
        assert!(!is_refused(&|found| found.full_generated = 1));
        assert!(!is_refused(&|found| found.counters.failures = 1));
        let problem = Problem::new(Kind::Panic, "it leaks");
        let finding = Finding { problem, count: 1, witness: Witness::default() };
        assert!(!is_refused(&|found| found.findings = vec![finding.clone()]));
    }
}
