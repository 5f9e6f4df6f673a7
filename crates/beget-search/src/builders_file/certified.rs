//! The connection of the searches with the file: writing their results, and certifying them again.

use beget_engine::{Explorer, Settings, Watcher};
use beget_plan::finding::{StopReason, Witness};
use beget_plan::scope::{Plan, PlannedIdx, suite_fingerprint};
use beget_suite::to_source;

use super::{
    BuildersFile, CertificateV1, ConfirmedV1, ExtentV1, FileError, NeedV1, ObserverV1, StructureV1,
    VERSION,
};
use crate::builders::Identification;
use crate::builders::certificate::{
    Certificate, Confirmation, certify_against, confirm, extent_of, generate_with,
};
use crate::builders::{BuiltExtent, Goal, Observer, Space};

/// The thoroughness of checking a certificate again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recheck {
    /// Generates once with the builders and compares the result with the certificate.
    Builders,
    /// Generates with the full API, with the builders, and with the builders without each.
    Everything,
}

impl BuildersFile {
    /// The file of an identification with the methods of `plan`, and of confirmations at other
    /// scopes.
    pub fn new(plan: &Plan, found: &Identification, confirmed: &[Confirmation]) -> Self {
        let writer = CertificateWriter { plan };
        BuildersFile {
            version: VERSION,
            suite: plan.suite.name.clone(),
            methods: plan.method_names(&found.methods),
            fingerprint: suite_fingerprint(&plan.suite),
            certificate: CertificateV1 {
                search: found.search.name().to_owned(),
                observers: writer.observers(&found.observers),
                confirmed: confirmed.iter().map(|one| writer.confirmed(one)).collect(),
                ..writer.certificate(&found.certificate)
            },
        }
    }

    /// The same file with the text of the scope file, so that it can be checked by itself.
    #[must_use]
    pub fn with_scope(mut self, text: &str) -> Self {
        text.clone_into(&mut self.certificate.scope);
        self
    }

    /// Checks the file and generates the extents of its certificate again. The methods of `plan`
    /// are the full API, at the scope of the certificate.
    ///
    /// # Errors
    ///
    /// The first mismatch, or the reason why the check was stopped.
    pub fn recheck(
        &self,
        plan: &Plan,
        how: Recheck,
        settings: Settings,
        watcher: &mut dyn Watcher,
    ) -> Result<(), FileError> {
        self.check(&plan.suite)?;
        let old = &self.certificate;
        if old.k != plan.k {
            return Err(FileError::OtherScope { certified: old.k, k: plan.k });
        }
        let methods = self.positions(plan)?;
        let goal = if old.main_type_only { Goal::MainType } else { Goal::Everything };
        match how {
            Recheck::Builders => {
                let by_set = generate_with(plan, &methods, settings, watcher)?;
                differs(
                    "the builders give",
                    &old.builders,
                    &extent(extent_of(&by_set, goal).map_err(StopReason::from)?),
                )
            }
            Recheck::Everything => {
                let explorer = Explorer::new(plan, settings);
                let space = Space::explore(&explorer, goal, watcher)?;
                let (full, writer) = (space.extent(), CertificateWriter { plan });
                let new = certify_against(full, plan, &methods, goal, settings, watcher)?;
                let observers = writer.observers(space.observers());
                compare(old, &CertificateV1 { observers, ..writer.certificate(&new) })
            }
        }
    }

    /// Generates the certificate's extents at another scope again; `larger` has the same methods
    /// there.
    ///
    /// # Errors
    ///
    /// If the certificate differs, or does not have that scope; or if the check was stopped.
    pub fn recheck_confirmed(
        &self,
        larger: &Plan,
        settings: Settings,
        watcher: &mut dyn Watcher,
    ) -> Result<(), FileError> {
        let k = larger.k;
        let old = self.certificate.confirmed.iter().find(|one| one.k == k);
        let old = old.ok_or(FileError::OtherScope { certified: self.certificate.k, k })?;
        let methods = self.positions(larger)?;
        let new = confirm(larger, &methods, Goal::Everything, settings, watcher)?;
        let new = CertificateWriter { plan: larger }.confirmed(&new);
        differs(&format!("at k = {k} the builders give"), &old.builders, &new.builders)?;
        is_same(&format!("confirmed at k = {k}: missing"), &old.missing, &new.missing)?;
        is_same(&format!("confirmed at k = {k}: superfluous"), &old.superfluous, &new.superfluous)
    }

    fn positions(&self, plan: &Plan) -> Result<Vec<PlannedIdx>, FileError> {
        let position = |name: &String| {
            let found = plan.suite.find_method(name).and_then(|method| plan.find_planned(method));
            found.ok_or_else(|| FileError::NoMethod(name.clone()))
        };
        self.methods.iter().map(position).collect()
    }
}

fn compare(old: &CertificateV1, new: &CertificateV1) -> Result<(), FileError> {
    if !old.among.is_empty() && old.among != new.among {
        return Err(FileError::Differs("the full API has other methods".to_owned()));
    }
    differs("the full API gives", &old.full, &new.full)?;
    differs("the builders give", &old.builders, &new.builders)?;
    is_same("missing", &old.missing, &new.missing)?;
    for (old, new) in old.needs.iter().zip(&new.needs) {
        differs(&format!("the set without `{}` gives", old.method), &old.without, &new.without)?;
        is_same(&format!("needs, `{}`: lost", old.method), &old.lost, &new.lost)?;
    }
    is_same("observers", &old.observers, &new.observers)
}

/// Compares a field of the certificate with its new value.
fn is_same<T: PartialEq + std::fmt::Debug>(field: &str, old: &T, new: &T) -> Result<(), FileError> {
    if old == new {
        return Ok(());
    }
    Err(FileError::Differs(format!("`{field}` is {new:?}, where the certificate says {old:?}")))
}

fn differs(what: &str, old: &ExtentV1, new: &ExtentV1) -> Result<(), FileError> {
    if old == new {
        return Ok(());
    }
    Err(FileError::Differs(format!(
        "{what} {} structures with digest {}, where the certificate says {} with {}",
        new.structures, new.digest, old.structures, old.digest
    )))
}

fn extent(extent: BuiltExtent) -> ExtentV1 {
    ExtentV1 { structures: extent.structures, digest: format!("{:032x}", extent.digest) }
}

/// Writes the names of a plan's methods.
struct CertificateWriter<'p> {
    plan: &'p Plan,
}

impl CertificateWriter<'_> {
    fn certificate(&self, certificate: &Certificate) -> CertificateV1 {
        let needs = certificate.needs.iter().map(|need| NeedV1 {
            method: self.plan.method_name(need.method).to_owned(),
            without: extent(need.without),
            lost: need.loss.as_ref().map(|loss| self.structure(loss)),
        });
        CertificateV1 {
            k: certificate.k,
            search: String::new(),
            main_type_only: certificate.goal == Goal::MainType,
            full: extent(certificate.full),
            builders: extent(certificate.builders),
            missing: certificate.missing.as_ref().map(|loss| self.structure(loss)),
            needs: needs.collect(),
            observers: Vec::new(),
            confirmed: Vec::new(),
            among: self
                .plan
                .planned_idxs()
                .map(|one| self.plan.method_name(one).to_owned())
                .collect(),
            slack: self.plan.slack.as_ref().map_or(0, |proper| proper.slack),
            scope: String::new(),
        }
    }

    fn observers(&self, observers: &[Observer]) -> Vec<ObserverV1> {
        let written = |observer: &Observer| ObserverV1 {
            method: self.plan.method_name(observer.method).to_owned(),
            calls: observer.calls,
            returned: observer.returned,
        };
        observers.iter().map(written).collect()
    }

    fn confirmed(&self, confirmation: &Confirmation) -> ConfirmedV1 {
        ConfirmedV1 {
            k: confirmation.k,
            builders: extent(confirmation.builders),
            missing: confirmation.missing.as_ref().map(|loss| self.structure(loss)),
            superfluous: self.plan.method_names(&confirmation.superfluous),
        }
    }

    fn structure(&self, loss: &Witness) -> StructureV1 {
        let source = |recipe| to_source(&self.plan.suite, recipe).0;
        StructureV1 {
            recipe: loss.recipe.as_ref().map(source).unwrap_or_default(),
            picture: loss.text().trim_end().to_owned(),
        }
    }
}
