//! The Rust code of the book, compiled and run as doc tests.

macro_rules! chapters {
    ($($name:ident = $file:literal),+ $(,)?) => {$(
        #[doc = include_str!(concat!("../../../docs/", $file))]
        mod $name {}
    )+};
}

chapters! {
    concepts = "src/concepts.md",
    types = "src/types.md",
    suites = "src/suites.md",
    promises = "src/promises.md",
    telling_apart = "src/telling-apart.md",
    keys = "src/keys.md",
    parameters = "src/parameters.md",
    contracts = "src/contracts.md",
    library = "dev/library.md",
    scope_files = "src/scope-files.md",
    repok = "src/repok.md",
    models = "src/models.md",
}
