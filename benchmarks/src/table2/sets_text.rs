//! The sets as Markdown and CSV.

use std::fmt::Write as _;

use super::runner::Ran;
use super::sets::{Published, Relation, SEARCHES, SubjectSets};
use super::text::{field, names, seconds, yes_no};

const PREAMBLE: &str = "\
For each suite the full API takes part, at the scope k that the table says; what cannot is listed below. *Sufficient* and *minimal* are
what the certificate says, which rests on generating anew. For a published set they were found by generating with it and
with the full API, where number and digest must agree, and by looking for builders among its methods alone. *generated* counts structures of the
main type; what counts for a set are all types. CPU and wall time are those of the whole process, start-up included.
The genetic search goes by field extensions, by which different sets of structures may look the same: what it finds is not always sufficient.
";

const HEAD: &str = "\
| suite | k | methods | generated | search | builders | sufficient | minimal | CPU s | wall s | MB | published set |
|---|---:|---:|---:|---|---|---|---|---:|---:|---:|---|
";

pub(super) fn markdown(sets: &[SubjectSets], about: &str, statements: &str) -> String {
    let mut text = format!("# Builders of the case studies\n\n{about}\n\n{PREAMBLE}\n{HEAD}");
    for set in sets {
        push_rows(&mut text, set);
    }
    text.push('\n');
    push_differences(&mut text, sets);
    push_left_out(&mut text, sets);
    text + statements
}

fn push_rows(text: &mut String, set: &SubjectSets) {
    let full = set.found.iter().find_map(|ran| ran.number("full_generated"));
    let head = format!(
        "| `{}` | {} | {} | {}",
        set.subject.suite,
        set.k,
        set.api.len(),
        full.map_or("–".to_owned(), |full| full.to_string())
    );
    for (search, ran) in SEARCHES.iter().zip(&set.found) {
        let relation = relation(set, ran);
        line(text, &format!("{head} | {search} | {} | {relation} |", outcome(ran)));
    }
    if let Some((published, methods)) = set.published.as_ref().zip(set.subject.published.as_ref()) {
        line(text, &format!("{head} | published | {} | |", published_outcome(published, methods)));
    }
}

/// What a search found and used.
fn outcome(ran: &Ran) -> String {
    let builders = match ran.names("builders") {
        Some(builders) => names(&builders),
        None => format!("none: {}", ran.stop_reason()),
    };
    let (sufficient, minimal) = (yes_no(ran.flag("sufficient")), yes_no(ran.flag("minimal")));
    format!("{builders} | {sufficient} | {minimal} | {}", used(ran))
}

fn published_outcome(published: &Published, methods: &[String]) -> String {
    let sufficient = yes_no(published.is_sufficient());
    let minimal = yes_no(published.is_minimal(methods));
    format!("{} | {sufficient} | {minimal} | {}", names(methods), used(&published.generated))
}

fn used(ran: &Ran) -> String {
    format!("{} | {} | {:.0}", seconds(ran.cpu), seconds(ran.wall), ran.peak_rss() as f64 / 1e6)
}

fn relation(set: &SubjectSets, ran: &Ran) -> &'static str {
    match set.relation(ran) {
        Relation::Same => "the same",
        Relation::BothSuffice => "another; both suffice",
        Relation::OnlyFoundSuffices => "does not suffice",
        Relation::OnlyPublishedSuffices => "suffices; this one does not",
        Relation::NeitherSuffices => "neither suffices",
        Relation::Unknown if set.subject.published.is_none() => "none",
        Relation::Unknown => "unknown",
    }
}

fn push_differences(text: &mut String, sets: &[SubjectSets]) {
    text.push_str("## Notes\n\n");
    for set in sets.iter().filter(|set| !set.subject.note.is_empty()) {
        line(text, &format!("- `{}`: {}", set.subject.suite, set.subject.note));
    }
    text.push('\n');
}

fn push_left_out(text: &mut String, sets: &[SubjectSets]) {
    text.push_str("## Methods left out\n\n");
    for set in sets {
        for left_out in &set.subject.left_out {
            let (suite, reason) = (&set.subject.suite, &left_out.reason);
            line(text, &format!("- `{suite}`, `{}`: {reason}.", left_out.method));
        }
    }
    text.push('\n');
}

const CSV_HEAD: &str = "suite,k,methods,search,builders,complete,stop_reason,sufficient,minimal,\
full_generated,explored,cpu_seconds,wall_seconds,peak_rss_bytes,relation";

pub(super) fn csv(sets: &[SubjectSets]) -> String {
    let mut text = CSV_HEAD.to_owned() + "\n";
    for set in sets {
        for (search, ran) in SEARCHES.iter().zip(&set.found) {
            let relation = format!("{:?}", set.relation(ran));
            push_csv(&mut text, set, search, ran, &relation);
        }
        if let Some(published) = &set.published {
            push_published_csv(&mut text, set, published);
        }
    }
    text
}

fn push_csv(text: &mut String, set: &SubjectSets, search: &str, ran: &Ran, relation: &str) {
    let builders = ran.names("builders").unwrap_or_default();
    let flags = [ran.flag("sufficient"), ran.flag("minimal")];
    let full = ran.number("full_generated");
    push_record(text, set, search, &builders, ran, flags, full, relation);
}

fn push_published_csv(text: &mut String, set: &SubjectSets, published: &Published) {
    let methods = set.subject.published.clone().unwrap_or_default();
    let flags = [published.is_sufficient(), published.is_minimal(&methods)];
    let full = published.full.number("generated");
    push_record(text, set, "published", &methods, &published.generated, flags, full, "");
}

#[allow(clippy::too_many_arguments, reason = "one for each group of columns")]
fn push_record(
    text: &mut String,
    set: &SubjectSets,
    search: &str,
    builders: &[String],
    ran: &Ran,
    flags: [Option<bool>; 2],
    full: Option<u64>,
    relation: &str,
) {
    let flag = |flag: Option<bool>| flag.map_or(String::new(), |flag| flag.to_string());
    let number = |number: Option<u64>| number.map_or(String::new(), |number| number.to_string());
    let fields = [
        set.subject.suite.clone(),
        set.k.to_string(),
        set.api.len().to_string(),
        search.to_owned(),
        builders.join(" "),
        flag(ran.flag("complete")),
        ran.stop_reason().to_owned(),
        flag(flags[0]),
        flag(flags[1]),
        number(full),
        number(ran.number("explored")),
        format!("{:.3}", ran.cpu),
        format!("{:.3}", ran.wall),
        ran.peak_rss().to_string(),
        relation.to_owned(),
    ];
    line(text, &fields.map(|text| field(&text)).join(","));
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string takes all text");
}
