//! Cases: a suite and a scope for both sides.

use std::fmt::Write as _;

use crate::own::{Limits, OwnSuite, Pools, Space};

/// A suite, as both sides know it, and its scope.
#[derive(Clone, Debug)]
pub struct Case {
    /// The suite's name.
    pub name: String,
    /// As beget knows it.
    pub suite: fn() -> beget::suites::Suite,
    /// As the enumerator knows it.
    pub own: fn() -> OwnSuite,
    /// The scope.
    pub scope: Scope,
}

/// A scope.
#[derive(Clone, Debug)]
pub struct Scope {
    /// Most objects of each class.
    pub objects: u32,
    /// Most objects of the classes named.
    pub named: Vec<(&'static str, u32)>,
    /// Longest array.
    pub arrays: u32,
    /// Integer literals.
    pub ints: Vec<i128>,
    /// Floating-point literals.
    pub floats: Vec<f64>,
    /// Texts.
    pub strings: Vec<&'static str>,
    /// Characters.
    pub chars: Vec<char>,
    /// Whether `Err` is misuse.
    pub errors: bool,
    /// Parts of the messages of panics that are misuse; without special characters of regular
    /// expressions.
    pub panics: Vec<&'static str>,
}

impl Scope {
    /// At most `k` objects of each class, arrays of at most `k`, integers below `k`.
    pub fn of(k: u32) -> Self {
        Scope {
            objects: k,
            named: Vec::new(),
            arrays: k,
            ints: (0..k.into()).collect(),
            floats: Vec::new(),
            strings: Vec::new(),
            chars: Vec::new(),
            errors: true,
            panics: Vec::new(),
        }
    }

    /// The scope file.
    pub fn to_ron(&self, suite: &str) -> String {
        let mut ron =
            format!("Scope(suite: {suite:?}, k: {}, arrays: {},", self.objects, self.arrays);
        let mut put = |text: std::fmt::Arguments<'_>| writeln!(ron, "{text},").expect("a string");
        let named = self.named.iter().map(|(class, most)| format!(", {class:?}: {most}"));
        put(format_args!("objects: {{\"*\": \"k\"{}}}", named.collect::<String>()));
        put(format_args!("ints: {:?}", self.ints));
        let float = |float: &f64| match float {
            float if float.is_nan() => "NaN".to_owned(),
            float if float.is_infinite() && *float < 0.0 => "-inf".to_owned(),
            float if float.is_infinite() => "inf".to_owned(),
            float => format!("{float:?}"),
        };
        let floats: Vec<String> = self.floats.iter().map(float).collect();
        put(format_args!("floats: [{}]", floats.join(", ")));
        put(format_args!("strings: {:?}", self.strings));
        put(format_args!("chars: {:?}", self.chars));
        put(format_args!("misuse: (errors: {}, panics: {:?})", self.errors, self.panics));
        ron.push(')');
        ron
    }
}

impl Case {
    /// The space for the enumerator.
    pub fn space(&self) -> Space {
        let scope = self.scope.clone();
        let longest_text = scope.strings.iter().map(|text| text.len()).max().unwrap_or(0);
        let arrays = scope.arrays as usize;
        let text = longest_text.max(arrays);
        let limits = Limits { named: scope.named, others: scope.objects, arrays, text };
        let Scope { ints, floats, strings, chars, .. } = scope;
        let pools = Pools { ints, floats, strings, chars, longest: arrays };
        let mut space = Space::new((self.own)(), limits, pools);
        space.errors_are_misuse = scope.errors;
        space.misuse_panics = scope.panics;
        space
    }
}

/// The case of a suite that [`both`](crate::both) declared.
#[macro_export]
macro_rules! case {
    ($suite:ident, $scope:expr) => {
        $crate::case::Case {
            name: <$suite as beget::HasSuite>::suite().name,
            suite: <$suite as beget::HasSuite>::suite,
            own: $suite::own,
            scope: $scope,
        }
    };
}
