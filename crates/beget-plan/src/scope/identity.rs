//! The identity of a plan in words: it shows whether a run can continue a saved one, and the
//! difference if not.

use crate::scope::Plan;

impl Plan {
    /// Names and values of everything that structures, their order and their recipes depend on.
    /// Excludes budgets, and anything known only after the run has begun.
    pub fn identity(&self) -> Vec<(String, String)> {
        let mut identity = vec![
            ("version of beget".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
            ("suite".to_owned(), self.suite.name.to_string()),
            ("k".to_owned(), self.k.to_string()),
        ];
        for planned in self.planned_idxs() {
            let method = self.method(planned);
            let mut value = method.signature.to_owned();
            for domain in &self.planned(planned).domains {
                let literals: Vec<&str> =
                    domain.iter().map(|literal| literal.source.as_ref()).collect();
                value += &format!(" with {}", literals.join(", "));
            }
            identity.push((format!("method `{}`", method.name), value));
        }
        let bounds = &self.bounds;
        let mut push = |name: &str, value: String| identity.push((name.to_owned(), value));
        push("objects", format!("{:?}, others {}", bounds.objects, bounds.other_objects));
        push("arrays", bounds.arrays.to_string());
        push("text", bounds.text.to_string());
        push("width of integers", bounds.common_int.to_string());
        let states = self.suite.types.iter().map(|ty| ty.state.to_string());
        push("states", states.collect::<Vec<_>>().join(", "));
        push("omitted fields", format!("{:?}", bounds.omitted));
        push("fields", format!("{:?}", bounds.field_ints));
        push("integers in structures", format!("{:?} {:?}", bounds.ints, self.derived_ints));
        push("misuse", format!("{:?}", self.misuse));
        push("slack", format!("{:?}", self.slack.as_ref().map(|proper| proper.slack)));
        push("probe", self.probe.to_string());
        push("panics followed", self.follows_panics.to_string());
        identity
    }
}

/// The first difference between two plans: its name, and both values.
pub fn first_difference(
    first: &[(String, String)],
    second: &[(String, String)],
) -> Option<(String, Option<String>, Option<String>)> {
    let value_in = |list: &[(String, String)], name: &str| {
        list.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    };
    let mut names = first.iter().chain(second).map(|(name, _)| name);
    let name = names.find(|name| value_in(first, name) != value_in(second, name))?;
    Some((name.clone(), value_in(first, name), value_in(second, name)))
}
