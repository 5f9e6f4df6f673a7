//! The table as comma-separated values (RFC 4180 with plain line ends): plain numbers, and nothing
//! where there is none.

use super::measured::Verdict;
use super::published::{Beapi, Korat, Mark};
use super::{Line, State};

const HEAD: &str = "benchmark,suite,class,k,mark,published_generated,published_explored,status,generated,explored,\
explored_as_published,wall_seconds,cpu_seconds,calls_per_second,peak_rss_bytes,store_bytes,\
store_bytes_per_structure,peak_bytes_per_structure,digest,needs_bytes,needs_cpu_seconds,beapi,\
beapi_seconds,korat,korat_seconds,korat_generated,korat_explored,note";

/// A line of names and one for each row.
#[must_use]
pub fn csv(lines: &[Line<'_>]) -> String {
    let mut text = format!("{HEAD}\n");
    for line in lines {
        let cells: Vec<String> = cells(line).iter().map(|cell| quoted(cell)).collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

fn cells(line: &Line<'_>) -> Vec<String> {
    let Line { subject, row, .. } = line;
    let texts = [&subject.benchmark, &subject.suite, &subject.class].map(String::to_owned);
    let mut cells = texts.to_vec();
    cells.extend([row.k.to_string(), mark(row.mark).to_owned()]);
    cells.extend([shown(row.generated), shown(row.explored), status(line)]);
    cells.extend(measured_cells(line));
    cells.extend([
        shown(line.need.map(|need| need.bytes.round())),
        shown(line.need.map(|need| need.seconds.round())),
    ]);
    cells.extend(published_cells(line));
    let notes = [subject.note.as_deref(), row.note.as_deref()];
    cells.push(notes.into_iter().flatten().collect::<Vec<_>>().join(" "));
    cells
}

fn status(line: &Line<'_>) -> String {
    match (&line.state, line.verdict()) {
        (State::NotRun(reason), _) => format!("not run: {reason}"),
        (_, Some(Verdict::Equal)) => "equal".to_owned(),
        (_, Some(Verdict::Differs(how))) => format!("differs: {how}"),
        (_, Some(Verdict::Unknown) | None) => "none known".to_owned(),
    }
}

fn measured_cells(line: &Line<'_>) -> [String; 11] {
    let Some(measured) = line.state.measured() else { return Default::default() };
    let repeated = line.subject.constructors.n_calls(line.row.k);
    let (store, peak) = measured.bytes_per_structure().unzip();
    let with_one_digit = |value: f64| format!("{value:.1}");
    [
        measured.generated.to_string(),
        measured.explored.to_string(),
        measured.explored_as_published(repeated).to_string(),
        format!("{:.3}", measured.wall_seconds),
        format!("{:.3}", measured.cpu_seconds),
        format!("{:.0}", measured.calls_per_second()),
        measured.peak_rss_bytes.to_string(),
        measured.store_bytes.to_string(),
        shown(store.map(with_one_digit)),
        shown(peak.map(with_one_digit)),
        measured.digest.clone(),
    ]
}

fn published_cells(line: &Line<'_>) -> [String; 6] {
    let (beapi, beapi_seconds) = match line.row.beapi {
        Beapi::NotListed => ("", None),
        Beapi::Finished { published_seconds } => ("finished", published_seconds),
        Beapi::TimedOut => ("timeout", None),
        Beapi::NoResult => ("no result", None),
    };
    let (korat, korat_seconds, counts) = match line.row.korat {
        Korat::NotListed => ("", None, None),
        Korat::Finished { generated, explored, published_seconds } => {
            ("finished", published_seconds, Some((generated, explored)))
        }
        Korat::TimedOut => ("timeout", None, None),
        Korat::NoResult => ("no result", None, None),
    };
    let (generated, explored) = counts.unzip();
    [
        beapi.to_owned(),
        shown(beapi_seconds),
        korat.to_owned(),
        shown(korat_seconds),
        shown(generated),
        shown(explored),
    ]
}

fn mark(mark: Mark) -> &'static str {
    match mark {
        Mark::Printed => "printed",
        Mark::PrintedAndVerified => "printed and verified",
        Mark::Verified => "verified",
        Mark::Inferred => "inferred",
    }
}

fn shown(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_and_quotes_are_quoted() {
        assert_eq!(quoted("plain text"), "plain text");
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
    }
}
