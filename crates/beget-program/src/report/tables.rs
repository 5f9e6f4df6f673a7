//! The numbers of a summary as tables.
//!
//! They are read from the JSON that `--summary json` prints, so that no number of a page is counted
//! twice. Keys that are known have a title and a sentence on how to read them; a list of records
//! that is not known becomes a table by its keys.

use serde_json::{Map, Value};

use crate::records::grouped;

/// A table of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageTable {
    pub(super) title: String,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Row>,
    /// True if a bar at the end of each row shows its share of the largest.
    pub(super) has_bars: bool,
    /// A sentence on how to read it.
    pub(super) reading: &'static str,
}

#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) is_number: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) cells: Vec<TableCell>,
    /// The length of its bar in hundredths.
    pub(super) bar: u32,
}

#[derive(Clone, Debug)]
pub(super) struct TableCell {
    pub(super) text: String,
    pub(super) is_number: bool,
    pub(super) is_code: bool,
}

/// A key of a summary that has a table of its own.
struct KnownTable {
    key: &'static str,
    title: &'static str,
    /// The column that the bars show; none without bars.
    bars: Option<&'static str>,
    /// The first columns in order; the others follow.
    columns: &'static [&'static str],
    reading: &'static str,
}

/// The column of a table of texts that has Rust source.
const CODE: &str = "code";

const KNOWN: [KnownTable; 9] = [
    KnownTable {
        key: "levels",
        title: "Structures by level",
        bars: Some("new"),
        columns: &["calls", "explored", "new"],
        reading: "A level is the number of calls of a shortest recipe. A last level that brings nothing new shows that \
                  the space is exhausted.",
    },
    KnownTable {
        key: "generated_by_objects",
        title: "Structures by size",
        bars: Some("structures"),
        columns: &[],
        reading: "The size is the number of objects of the most bounded class. Where the largest size has the most \
                  structures, a larger k would bring many more.",
    },
    KnownTable {
        key: "generated_by_type",
        title: "Structures by type",
        bars: None,
        columns: &[],
        reading: "",
    },
    KnownTable {
        key: "out_of_scope_by",
        title: "Bounds that cut",
        bars: Some("calls"),
        columns: &[],
        reading: "Calls whose result passed a bound, by the first bound that it passed. A bound that cuts most calls is \
                  the one to widen.",
    },
    KnownTable {
        key: "expected_panics",
        title: "Panics that the scope expects",
        bars: None,
        columns: &[],
        reading: "Each pattern should belong to one documented rule of use; a pattern that takes many methods may hide \
                  a failure.",
    },
    KnownTable {
        key: "by_method",
        title: "Calls by method",
        bars: None,
        columns: &["name", "chosen", "kept", "matched", "out_of_scope", "misuse", "failures"],
        reading: "A method without a kept or matched call never returned normally.",
    },
    KnownTable {
        key: "by_generation",
        title: "Generations",
        bars: None,
        columns: &["generation", "best", "mean", "deviation"],
        reading: "The best chromosome of each generation with its points and calls, beside the mean of those that survive.",
    },
    KnownTable {
        key: "unpaired",
        title: "Methods that are not compared",
        bars: None,
        columns: &["method", "suite", "difference"],
        reading: "Without a difference, the other suite has no method of that name.",
    },
    KnownTable {
        key: "slack_steps",
        title: "Slack by slack",
        bars: None,
        columns: &["slack", "api", "only_repok"],
        reading: "Slack lets calls pass a bound on their way to a structure within it. Where more slack builds no more, \
                  the missing structures need other methods.",
    },
];

/// The most characters of a value that is no sentence.
const LONG: usize = 40;

/// Keys that the rest of a page shows, or that are no numbers.
const ELSEWHERE: [&str; 23] = [
    "builders",
    "observers",
    "calls",
    "needs",
    "advice",
    "contracts",
    "notes",
    "repoks",
    "suite",
    "k",
    "methods",
    "complete",
    "stop_reason",
    "beget",
    "version",
    "findings",
    "witnesses",
    "seconds",
    "cpu_seconds",
    "peak_rss_bytes",
    "store_bytes",
    "disk_bytes",
    "ways",
];

/// The tables of a summary: the known ones in their order, the others, and last all single values.
pub(super) fn tables_of(summary: &Map<String, Value>) -> Vec<PageTable> {
    let known = KNOWN.iter().filter_map(|known| known_table(known, summary.get(known.key)?));
    let is_other =
        |key: &str| !ELSEWHERE.contains(&key) && KNOWN.iter().all(|known| known.key != key);
    let others = || summary.iter().filter(|(key, _)| is_other(key));
    let lists = others().filter_map(|(key, value)| {
        let title = heading(key);
        Some(PageTable { title, ..records(value.as_array()?, &[])? })
    });
    let singles: Vec<Row> =
        others().filter_map(|(key, value)| Some(pair(&heading(key), given(value)?))).collect();
    // Beside sentences, numbers at the right edge of a wide column are far from their names.
    let has_long = singles.iter().flat_map(|row| &row.cells).any(|cell| cell.text.len() > LONG);
    let left = |cell: TableCell| TableCell { is_number: cell.is_number && !has_long, ..cell };
    let left = |row: Row| Row { cells: row.cells.into_iter().map(left).collect(), ..row };
    let rows = singles.into_iter().map(left).collect();
    let numbers = PageTable { title: "Numbers".to_owned(), rows, ..PageTable::default() };
    let tables = methods_of(summary).into_iter().chain(known).chain(lists).chain([numbers]);
    tables.filter(|table| !table.rows.is_empty()).collect()
}

/// The methods of a search for builders, with what the set builds without each.
fn methods_of(summary: &Map<String, Value>) -> Option<PageTable> {
    let names = |key: &str| -> Vec<&str> {
        let list = summary.get(key).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(|one| one.as_str().or_else(|| one.get("method")?.as_str())).collect()
    };
    let needs = summary.get("needs").and_then(Value::as_array)?;
    let (builders, observers) = (names("builders"), names("observers"));
    let full = summary.get("full_generated").and_then(single).unwrap_or_default();
    let row = |method: &str| {
        let need =
            needs.iter().find(|need| need.get("method").and_then(Value::as_str) == Some(method));
        let without = need.and_then(|need| single(need.get("without")?.get("structures")?));
        let role = match (builders.contains(&method), observers.contains(&method)) {
            (true, _) => "builder",
            (false, true) => "observer",
            (false, false) => "not needed",
        };
        let cell = |text: String, is_number| TableCell { text, is_number, is_code: false };
        let cells = vec![
            cell(method.to_owned(), false),
            cell(role.to_owned(), false),
            cell(without.unwrap_or_else(|| full.clone()), true),
        ];
        Row { cells, bar: 0 }
    };
    let column = |name: &str, is_number| Column { name: name.to_owned(), is_number };
    Some(PageTable {
        title: "Methods".to_owned(),
        columns: vec![
            column("method", false),
            column("role", false),
            column("structures without it", true),
        ],
        rows: names("methods").into_iter().map(row).collect(),
        reading: "Without a builder fewer structures are built; without any other method, all of them still are.",
        ..PageTable::default()
    })
}

/// Time and memory: what differs from run to run.
pub(super) fn resources_of(summary: &Map<String, Value>) -> Vec<(&'static str, String)> {
    let number = |key: &str| summary.get(key).and_then(Value::as_f64);
    let seconds = |key| number(key).map(|seconds| format!("{seconds:.2} s"));
    let mebibytes = |key| {
        let bytes = number(key).filter(|bytes| *bytes > 0.0);
        bytes.map(|bytes| format!("{:.1} MiB", bytes / f64::from(1 << 20)))
    };
    let all = [
        ("wall time", seconds("seconds")),
        ("CPU time of all threads", seconds("cpu_seconds")),
        ("peak memory", mebibytes("peak_rss_bytes")),
        ("memory of the store", mebibytes("store_bytes")),
        ("files of the store", mebibytes("disk_bytes")),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

fn known_table(known: &KnownTable, value: &Value) -> Option<PageTable> {
    let table = match value {
        Value::Array(list) => records(list, known.columns)?,
        // One type needs no table.
        Value::Object(map) if known.bars.is_some() || map.len() > 1 => {
            let key = known.title.rsplit(' ').next().unwrap_or_default();
            counts(key, map)
        }
        _ => return None,
    };
    let table = PageTable { title: known.title.to_owned(), reading: known.reading, ..table };
    Some(match known.bars {
        Some(column) => table.with_bars(column),
        None => table,
    })
}

impl PageTable {
    /// A table of texts. Columns whose cells are all numbers are set as such.
    pub(crate) fn of_texts(
        title: &str,
        columns: &[&str],
        rows: Vec<Vec<String>>,
        reading: &'static str,
    ) -> PageTable {
        let is_digit = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
        let is_number = |text: &str| !text.is_empty() && text.chars().all(is_digit);
        let are_numbers =
            |at: usize| !rows.is_empty() && rows.iter().all(|row| is_number(&row[at]));
        let is_empty = |at: usize| rows.iter().all(|row| row[at].is_empty());
        if let Some(empty) =
            (0..columns.len()).find(|&at| is_empty(at)).filter(|_| !rows.is_empty())
        {
            let without = |mut row: Vec<String>| {
                row.remove(empty);
                row
            };
            let columns = [&columns[..empty], &columns[empty + 1..]].concat();
            let rows = rows.into_iter().map(without).collect();
            return PageTable::of_texts(title, &columns, rows, reading);
        }
        let columns: Vec<Column> = (columns.iter().enumerate())
            .map(|(at, name)| Column { name: (*name).to_owned(), is_number: are_numbers(at) })
            .collect();
        let cell = |(text, column): (String, &Column)| {
            let is_code = column.name == CODE;
            TableCell { text, is_number: column.is_number, is_code }
        };
        let row = |row: Vec<String>| Row {
            cells: row.into_iter().zip(&columns).map(cell).collect(),
            bar: 0,
        };
        let rows = rows.into_iter().map(row).collect();
        PageTable { title: title.to_owned(), columns, rows, reading, has_bars: false }
    }

    /// The same with bars for the numbers of a column.
    pub(crate) fn with_bars(mut self, column: &str) -> PageTable {
        let Some(at) = self.columns.iter().position(|one| one.name == column) else { return self };
        let value = |row: &Row| -> u64 {
            let digits = row.cells[at].text.chars().filter(char::is_ascii_digit);
            digits.collect::<String>().parse().unwrap_or(0)
        };
        let largest = self.rows.iter().map(value).max().unwrap_or(0).max(1);
        for row in &mut self.rows {
            row.bar = (value(row) as f64 / largest as f64 * 100.0).round() as u32;
        }
        PageTable { has_bars: true, ..self }
    }
}

/// Counts by a key.
fn counts(key: &str, map: &Map<String, Value>) -> PageTable {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by_key(|(key, _)| (key.parse::<u64>().unwrap_or(u64::MAX), key.as_str()));
    let column = |name: &str, is_number| Column { name: name.to_owned(), is_number };
    let row = |(key, value): (&String, &Value)| pair(key, single(value).unwrap_or_default());
    PageTable {
        columns: vec![column(key, false), column("structures", true)],
        rows: entries.into_iter().map(row).collect(),
        ..PageTable::default()
    }
}

/// Records as rows, by the keys whose values are single ones in all of them; `first_keys` are the
/// first of these.
fn records(list: &[Value], first_keys: &[&str]) -> Option<PageTable> {
    let first = list.first()?.as_object()?;
    let is_column = |key: &&String| {
        let is_single = |row: &Value| row.get(*key).is_none_or(|value| single(value).is_some());
        let is_given = |row: &Value| row.get(*key).is_some_and(|value| given(value).is_some());
        list.iter().all(is_single) && list.iter().any(is_given)
    };
    let keys: Vec<&String> = first.keys().filter(is_column).collect();
    let place = |key: &&String| first_keys.iter().position(|first| first == key);
    let (mut placed, others): (Vec<&String>, Vec<_>) =
        keys.into_iter().partition(|key| place(key).is_some());
    placed.sort_by_key(place);
    // Of the others names come first, then numbers.
    let is_number =
        |key: &String| list.iter().all(|row| row.get(key).is_some_and(Value::is_number));
    let (numbers, names): (Vec<_>, Vec<_>) = others.into_iter().partition(|key| is_number(key));
    let ordered: Vec<(&String, bool)> =
        (placed.into_iter().chain(names).chain(numbers)).map(|key| (key, is_number(key))).collect();
    let cell = |row: &Value, &(key, is_number): &(&String, bool)| {
        let text = row.get(key).and_then(single).unwrap_or_default();
        TableCell { text, is_number, is_code: false }
    };
    let row = |row: &Value| Row {
        cells: ordered.iter().map(|column| cell(row, column)).collect(),
        bar: 0,
    };
    let column =
        |&(key, is_number): &(&String, bool)| Column { name: key.replace('_', " "), is_number };
    Some(PageTable {
        columns: ordered.iter().map(column).collect(),
        rows: list.iter().map(row).collect(),
        ..PageTable::default()
    })
}

fn pair(name: &str, value: String) -> Row {
    let is_number = value.chars().next().is_some_and(|first| first.is_ascii_digit());
    let cells = vec![
        TableCell { text: name.to_owned(), is_number: false, is_code: false },
        TableCell { text: value, is_number: is_number && !value_is_text(name), is_code: false },
    ];
    Row { cells, bar: 0 }
}

/// A digest begins with a digit by chance.
fn value_is_text(name: &str) -> bool {
    name == "digest"
}

/// A value that fits a cell and is there.
fn given(value: &Value) -> Option<String> {
    single(value).filter(|text| !text.is_empty())
}

/// A value that fits a cell.
fn single(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::Bool(true) => Some("yes".to_owned()),
        Value::Bool(false) => Some("no".to_owned()),
        Value::Number(number) => Some(match number.as_u64() {
            Some(number) => grouped(number),
            None => decimal(number.as_f64().unwrap_or(0.0)),
        }),
        Value::String(text) => Some(text.clone()),
        Value::Array(list) => {
            let texts: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            texts.filter(|texts| !texts.is_empty()).map(|texts| texts.join(", "))
        }
        Value::Object(_) => None,
    }
}

/// A number to a tenth.
fn decimal(number: f64) -> String {
    let tenths = (number.abs() * 10.0).round();
    let sign = if number < 0.0 && tenths > 0.0 { "-" } else { "" };
    let (whole, tenth) = (grouped((tenths / 10.0) as u64), tenths % 10.0);
    if tenth == 0.0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{tenth}") }
}

fn heading(key: &str) -> String {
    key.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tables(summary: &Value) -> Vec<PageTable> {
        tables_of(summary.as_object().unwrap())
    }

    fn texts(table: &PageTable) -> Vec<Vec<&str>> {
        let row = |row: &'_ Row| row.cells.len();
        assert!(table.rows.iter().all(|one| row(one) == row(&table.rows[0])));
        table.rows.iter().map(|row| row.cells.iter().map(|cell| &*cell.text).collect()).collect()
    }

    #[test]
    fn sizes_are_in_the_order_of_numbers_with_bars_by_the_largest() {
        let found = tables(&json!({ "generated_by_objects": {"10": 50, "2": 200, "1": 1} }));
        assert_eq!(texts(&found[0]), [["1", "1"], ["2", "200"], ["10", "50"]]);
        assert!(found[0].has_bars);
        assert_eq!(found[0].rows.iter().map(|row| row.bar).collect::<Vec<_>>(), [1, 100, 25]);
    }

    #[test]
    fn methods_have_their_roles_and_what_is_built_without_them() {
        let found = tables(&json!({
            "methods": ["new", "add", "len"], "builders": ["new", "add"], "full_generated": 7,
            "needs": [{"method": "new", "without": {"structures": 0}}, {"method": "add", "without": {"structures": 1}}],
            "observers": [{"method": "len", "calls": 3, "returned": 3}],
        }));
        let rows = [["new", "builder", "0"], ["add", "builder", "1"], ["len", "observer", "7"]];
        assert_eq!(texts(&found[0]), rows);
    }

    #[test]
    fn lists_that_are_not_known_are_tables_and_single_values_are_last() {
        let found = tables(&json!({
            "suite": "tree", "findings": [{"kind": "panic"}], "digest": "00ff", "explored": 1200,
            "points": [{"hit": 3, "name": "a", "deep": {"no": 1}}, {"hit": 4, "name": "b", "deep": {}}],
        }));
        assert_eq!(found[0].title, "points");
        assert_eq!(texts(&found[0]), [["a", "3"], ["b", "4"]]);
        assert_eq!(texts(&found[1]), [["digest", "00ff"], ["explored", "1,200"]]);
        assert_eq!(found.len(), 2);
    }
}
