//! Which suites have certified builders: those of `benchmarks/results/builders.csv`, which holds
//! what the certificates of `just table2` say.

use std::collections::BTreeMap;

use super::super::table2::data::Data;
use super::super::table2::sets::methods_of;

/// A suite with certified builders.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Its name.
    pub suite: String,
    /// The scope at which the builders were identified.
    pub k: u32,
    /// The methods that take part.
    pub api: Vec<String>,
    /// The builders: the published ones if they suffice and are minimal, else those found.
    pub builders: Vec<String>,
    /// Whether they are the published ones.
    pub are_published: bool,
    /// The processor time of the search for builders.
    pub identification_seconds: f64,
}

impl Case {
    /// Its scope file below `scopes/`.
    #[must_use]
    pub fn scope(&self) -> String {
        self.suite.replace("::", "/")
    }
}

/// The suites of `data` that have a set in `certified`, in the order of `data`.
///
/// # Errors
/// What is wrong with `certified`.
pub fn cases(data: &Data, certified: &str) -> Result<Vec<Case>, String> {
    let rows = rows(certified)?;
    let mut cases = Vec::new();
    for subject in &data.subjects {
        let of_suite = |search: &str| {
            let row = rows.iter().find(|row| row.is(&subject.suite, search));
            row.filter(|row| row.is_certified())
        };
        let Some(found) = of_suite("hill-climbing") else { continue };
        let published = of_suite("published");
        let all = methods_of(&subject.suite).map_err(|error| error.to_string())?;
        cases.push(Case {
            suite: subject.suite.clone(),
            k: subject.k,
            api: subject.api(&all),
            builders: published.unwrap_or(found).builders()?,
            are_published: published.is_some(),
            identification_seconds: found.seconds()?,
        });
    }
    Ok(cases)
}

/// A line of the file by the names of its columns.
struct CertifiedRow<'t>(BTreeMap<&'t str, &'t str>);

fn rows(text: &str) -> Result<Vec<CertifiedRow<'_>>, String> {
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().ok_or("the file of builders is empty")?.split(',').collect();
    lines.map(|line| CertifiedRow::of(&head, line)).collect()
}

impl<'t> CertifiedRow<'t> {
    fn of(head: &[&'t str], line: &'t str) -> Result<Self, String> {
        let cells: Vec<&str> = line.split(',').collect();
        match cells.len() == head.len() {
            true => Ok(CertifiedRow(head.iter().copied().zip(cells).collect())),
            false => Err(format!("{} columns in place of {}: {line}", cells.len(), head.len())),
        }
    }
}

impl CertifiedRow<'_> {
    fn get(&self, column: &str) -> Result<&str, String> {
        let cell = self.0.get(column).copied();
        cell.ok_or_else(|| format!("the file of builders has no column {column:?}"))
    }

    fn is(&self, suite: &str, search: &str) -> bool {
        self.get("suite") == Ok(suite) && self.get("search") == Ok(search)
    }

    /// Whether the set was found or tried completely, suffices, and is minimal.
    fn is_certified(&self) -> bool {
        ["complete", "sufficient", "minimal"].iter().all(|column| self.get(column) == Ok("true"))
    }

    fn builders(&self) -> Result<Vec<String>, String> {
        Ok(self.get("builders")?.split(' ').map(str::to_owned).collect())
    }

    fn seconds(&self) -> Result<f64, String> {
        let cell = self.get("cpu_seconds")?;
        cell.parse().map_err(|_| format!("{cell:?} is no number of seconds"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "suite,search,builders,complete,sufficient,minimal,cpu_seconds";

    fn cases_of(rows: &str) -> Result<Vec<Case>, String> {
        let subject = r#"(subjects: [(suite: "roops::llist", k: 5)], statements: [])"#;
        cases(&Data::parse(subject).expect("data"), &format!("{HEAD}\n{rows}"))
    }

    #[test]
    fn published_builders_come_first_if_they_are_certified() {
        let found = "roops::llist,hill-climbing,new add_last,true,true,true,0.5";
        let published = "roops::llist,published,new add_first,true,SUFFICIENT,true,9";
        let builders = |sufficient: &str| {
            let rows = format!("{found}\n{}", published.replace("SUFFICIENT", sufficient));
            let case = cases_of(&rows).expect("a table").remove(0);
            assert_eq!(case.identification_seconds, 0.5);
            (case.builders.join(" "), case.are_published)
        };
        assert_eq!(builders("true"), ("new add_first".to_owned(), true));
        assert_eq!(builders("false"), ("new add_last".to_owned(), false));
    }

    #[test]
    fn what_is_not_certified_is_no_case_and_what_is_wrong_is_an_error() {
        let row = "roops::llist,hill-climbing,new,true,true,false,0.5";
        assert_eq!(cases_of(row), Ok(Vec::new()));
        assert!(cases_of("roops::llist,hill-climbing").is_err());
        assert!(cases_of("roops::llist,hill-climbing,new,true,true,true,soon").is_err());
    }
}
