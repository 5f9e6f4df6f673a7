//! The text of a harness, with the purpose of each line.

use std::fmt::Write as _;

use crate::harness::Harness;
use crate::method::MethodForm;
use crate::state::StateField;

/// The most items taken from an iterator.
const MOST_ITEMS: usize = 16;

/// The purpose of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinePurpose {
    /// The text common to all harnesses.
    Frame,
    /// The field of the state with the structure's contents.
    Contents,
    /// The observer of that number in the state.
    Observer(usize),
    /// The function of that number.
    Function(usize),
}

/// The text with the purpose of each line.
#[derive(Default)]
pub(crate) struct HarnessText {
    pub(crate) text: String,
    pub(crate) purposes: Vec<LinePurpose>,
}

impl HarnessText {
    fn add(&mut self, purpose: LinePurpose, text: &str) {
        for line in text.lines() {
            self.text.push_str(line);
            self.text.push('\n');
            self.purposes.push(purpose);
        }
    }

    fn frame(&mut self, text: &str) {
        self.add(LinePurpose::Frame, text);
    }

    fn indented(&mut self, purpose: LinePurpose, text: &str) {
        for line in text.lines() {
            let indent = if line.is_empty() { "" } else { "    " };
            self.add(purpose, &format!("{indent}{line}\n"));
        }
    }
}

/// A template with its names in braces replaced by values.
pub(crate) fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let fill =
        |text: String, (name, value): &(&str, &str)| text.replace(&format!("{{{name}}}"), value);
    values.iter().fold(template.to_owned(), fill)
}

/// The beginning of a text, on one line.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 160;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} ...", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

impl Harness {
    pub(crate) fn text(&self) -> HarnessText {
        let mut text = HarnessText::default();
        self.write_head(&mut text);
        self.write_state(&mut text);
        self.write_suite(&mut text);
        self.write_wrappers(&mut text);
        text.frame(&self.filled(include_str!("template/tests.txt")));
        text
    }

    /// A template with its names replaced by the type's.
    fn filled(&self, template: &str) -> String {
        let values = [
            ("crate", &*self.crate_name),
            ("source", &self.subject.source),
            ("name", &self.subject.name),
            ("variable", &self.subject.variable),
            ("state", &self.state_name()),
            ("scope", &self.scope_path()),
        ];
        filled(template, &values)
    }

    fn write_head(&self, text: &mut HarnessText) {
        let mut head = self.filled(include_str!("template/head.txt"));
        let (run, all) = self.counts();
        let _ = writeln!(head, "// {run} of {all} public functions take part.");
        if run < all {
            head += "// Left out:\n";
        }
        for (function, reason) in self.left_out() {
            let _ = writeln!(head, "// - {}: {reason}", function.path);
        }
        text.frame(&(head + "\n"));
    }

    fn write_state(&self, text: &mut HarnessText) {
        let contents = self.state.contents.first();
        let doc = match contents.map(|field| field.name.as_str()) {
            Some("items") => "what it gives when iterated, and what observers say",
            Some(_) => "what `Debug` shows of it, and what observers say",
            None => "what observers say",
        };
        let fields = |text: &mut HarnessText, line: &dyn Fn(&StateField) -> String| {
            if let Some(field) = contents {
                text.add(LinePurpose::Contents, &line(field));
            }
            for (index, field) in self.state.observers.iter().enumerate() {
                text.add(LinePurpose::Observer(index), &line(field));
            }
        };
        text.frame(&filled(&self.filled(include_str!("template/state.txt")), &[("doc", doc)]));
        fields(text, &|field| format!("    pub {}: {},", field.name, field.ty));
        text.frame(&self.filled(include_str!("template/state_of.txt")));
        fields(text, &|field| format!("            {}: {},", field.name, field.value));
        text.frame("        }\n    }\n}\n\n");
    }

    fn write_suite(&self, text: &mut HarnessText) {
        let has_keys = !self.keys.is_empty();
        let (template, indent) = match has_keys {
            true => (include_str!("template/suite_with_keys.txt"), "            "),
            false => (include_str!("template/suite.txt"), "        "),
        };
        text.frame(&self.filled(template));
        for (index, form) in self.forms() {
            if let Some(panics) = &self.methods[index].panics {
                let panics = shortened(panics);
                text.frame(&format!("{indent}// Panics, as documented: {panics}"));
            }
            text.add(LinePurpose::Function(index), &format!("{indent}{}", form.declaration));
        }
        if has_keys {
            text.frame("        }\n");
        }
        for key in &self.keys {
            text.frame(&filled(include_str!("template/keys.txt"), &[("key", key)]));
        }
        text.frame("    }\n}\n\n");
    }

    fn write_wrappers(&self, text: &mut HarnessText) {
        let wrapper = |(index, form): (usize, &MethodForm)| Some((index, form.wrapper.clone()?));
        let wrappers: Vec<_> = self.forms().filter_map(wrapper).collect();
        if wrappers.is_empty() {
            return;
        }
        let uses = |name: &str| wrappers.iter().any(|(_, wrapper)| wrapper.contains(name));
        text.frame(&self.filled(include_str!("template/calls.txt")));
        let uses_driven = uses("driven(") || uses("repeated(");
        if uses("MOST_ITEMS") || uses_driven {
            let most = MOST_ITEMS.to_string();
            text.frame(&filled(include_str!("template/most_items.txt"), &[("most", &most)]));
        }
        if uses_driven {
            text.indented(LinePurpose::Frame, include_str!("template/driven.txt"));
        }
        if uses("repeated(") {
            text.indented(LinePurpose::Frame, include_str!("template/repeated.txt"));
        }
        if uses("shown(") {
            text.indented(LinePurpose::Frame, include_str!("template/shown.txt"));
        }
        for (at, (index, wrapper)) in wrappers.iter().enumerate() {
            if at > 0 {
                text.frame("\n");
            }
            text.indented(LinePurpose::Function(*index), wrapper);
        }
        text.frame("}\n\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_shortened_between_characters() {
        assert_eq!(shortened("Panics."), "Panics.");
        let long = "\u{e4}".repeat(161);
        assert_eq!(shortened(&long), "\u{e4}".repeat(160) + " ...");
    }
}
