//! What the runs of a case came to, as lines of CSV: the result, and what a measurement that was
//! stopped goes on from.

use super::{ARMS, Arm, FILTERS, Filter, LeftByRun, Runs};

/// The names of the columns.
pub const HEAD: &str = "suite,filter,arm,calls,structures_by_seed,objects_by_seed,bytes_by_seed";

/// The lines of some runs, behind the head.
#[must_use]
pub fn to_csv(all: &[Runs]) -> String {
    all.iter().fold(format!("{HEAD}\n"), |text, runs| text + &line(runs))
}

fn line(Runs { suite, filter, arm, calls, left }: &Runs) -> String {
    let column = |of: &dyn Fn(&LeftByRun) -> u64| {
        left.iter().map(|run| of(run).to_string()).collect::<Vec<_>>().join(" ")
    };
    let [structures, objects, bytes] =
        [column(&|run| run.structures), column(&|run| run.objects), column(&|run| run.bytes)];
    // A comma in a name would be the end of a cell.
    let filter = filter.name().replace(", ", " and ");
    format!("{suite},{filter},{},{calls},{structures},{objects},{bytes}\n", arm.name())
}

/// The runs of a text that [`to_csv`] has made.
///
/// # Errors
/// The line that is none.
pub fn parse(text: &str) -> Result<Vec<Runs>, String> {
    let mut lines = text.lines();
    match lines.next() {
        None => Ok(Vec::new()),
        Some(HEAD) => lines.map(|line| runs(line).ok_or_else(|| line.to_owned())).collect(),
        Some(other) => Err(other.to_owned()),
    }
}

fn runs(line: &str) -> Option<Runs> {
    let cells: Vec<&str> = line.split(',').collect();
    let &[suite, filter, arm, calls, structures, objects, bytes] = cells.as_slice() else {
        return None;
    };
    let filter = filter.replace(" and ", ", ");
    let is_named = |named: &&Filter| named.name() == filter;
    let column = |cell: &str| cell.split(' ').map(|n| n.parse().ok()).collect::<Option<Vec<u64>>>();
    let (structures, objects, bytes) = (column(structures)?, column(objects)?, column(bytes)?);
    let by_seed = structures.iter().zip(&objects).zip(&bytes);
    let left = by_seed
        .map(|((&structures, &objects), &bytes)| LeftByRun { structures, objects, bytes })
        .collect();
    let is_whole = structures.len() == objects.len() && objects.len() == bytes.len();
    is_whole.then_some(Runs {
        suite: suite.to_owned(),
        filter: FILTERS.into_iter().find(|named| is_named(&named))?,
        arm: ARMS.into_iter().find(|named: &Arm| named.name() == arm)?,
        calls: calls.parse().ok()?,
        left,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let left = |structures| LeftByRun { structures, objects: 3, bytes: 8 };
        let runs = |filter, arm| Runs {
            suite: "a::b".to_owned(),
            filter,
            arm,
            calls: 10,
            left: vec![left(1), left(2)],
        };
        let all: Vec<Runs> =
            FILTERS.iter().flat_map(|&filter| ARMS.map(|arm| runs(filter, arm))).collect();
        let text = to_csv(&all);
        assert_eq!(parse(&text), Ok(all));
        // The last line, cut short.
        assert!(parse(&text[..text.len() - 3]).is_err());
        assert!(parse("other,columns\n").is_err());
    }
}
