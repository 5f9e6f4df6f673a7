//! The Rust code of the book, compiled and run as doc tests.

macro_rules! chapters {
    ($($name:ident = $file:literal),+ $(,)?) => {$(
        #[doc = include_str!(concat!("../../../docs/src/", $file))]
        mod $name {}
    )+};
}

chapters! {
    concepts = "concepts.md",
    types = "types.md",
    suites = "suites.md",
    promises = "promises.md",
    telling_apart = "telling-apart.md",
    keys = "keys.md",
    parameters = "parameters.md",
    contracts = "contracts.md",
    library = "library.md",
    scope_files = "scope-files.md",
    repok = "repok.md",
    models = "models.md",
}
