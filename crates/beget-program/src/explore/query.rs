//! The list of structures that an address asks for: the fields of the form, read and written.

use std::borrow::Cow;

use super::live::LiveFilter;

/// The list of structures that an address asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListQuery {
    pub(super) level: String,
    pub(super) objects: String,
    pub(super) call: String,
    pub(super) filter: String,
    pub(super) live: LiveFilter,
}

impl ListQuery {
    pub(super) fn of(query: &str) -> ListQuery {
        ListQuery {
            level: value_of(query, "level"),
            objects: value_of(query, "objects"),
            call: value_of(query, "call"),
            filter: value_of(query, "filter"),
            live: LiveFilter {
                clause: value_of(query, "clause"),
                method: value_of(query, "method"),
                outcome: value_of(query, "outcome"),
            },
        }
    }

    /// The level and the number of objects that are asked for.
    pub(super) fn numbers(&self) -> [Option<u32>; 2] {
        [&self.level, &self.objects].map(|text| text.trim().parse().ok())
    }

    /// Returns whether structures must be read to choose from them.
    pub(super) fn needs_reading(&self) -> bool {
        !(self.filter.trim().is_empty() && self.call.is_empty() && self.live.is_empty())
    }

    pub(super) fn to_query(&self) -> String {
        let ListQuery { level, objects, call, filter, live } = self;
        let LiveFilter { clause, method, outcome } = live;
        let parts = [
            ("level", level),
            ("objects", objects),
            ("call", call),
            ("filter", filter),
            ("clause", clause),
            ("method", method),
            ("outcome", outcome),
        ];
        let given = parts.iter().filter(|(_, value)| !value.is_empty());
        let pairs = given.map(|(name, value)| format!("{name}={}", encoded(value)));
        pairs.collect::<Vec<_>>().join("&")
    }
}

/// The value of a name in a query; empty if it is not there.
pub(super) fn value_of(query: &str, name: &str) -> String {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let mut values = pairs.filter(|(found, _)| *found == name);
    values.next().map(|(_, value)| decoded(value).into_owned()).unwrap_or_default()
}

fn encoded(text: &str) -> String {
    let one = |byte: u8| match byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(one).collect()
}

fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains(['%', '+']) {
        return Cow::Borrowed(text);
    }
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let digits = text.get(at + 1..at + 3).and_then(|two| u8::from_str_radix(two, 16).ok());
        match (bytes[at], digits) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
                continue;
            }
            (b'+', _) => out.push(b' '),
            (byte, _) => out.push(byte),
        }
        at += 1;
    }
    Cow::Owned(String::from_utf8_lossy(&out).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_gives_back_what_was_put_into_it() {
        let choice =
            ListQuery { filter: "a < 3 && b == \"ü%+\"".to_owned(), ..ListQuery::default() };
        let live = LiveFilter { outcome: "out of scope".to_owned(), ..LiveFilter::default() };
        let choice = ListQuery { live, ..choice };
        assert_eq!(ListQuery::of(&choice.to_query()), choice);
        assert_eq!(decoded("a+b%20c%"), "a b c%");
        assert_eq!(decoded("%ü%4"), "%ü%4");
    }
}
