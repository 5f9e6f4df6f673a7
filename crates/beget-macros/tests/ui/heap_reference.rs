#[derive(beget::Heap)]
struct Static {
    plain: &'static [u8],
    nested: Option<(u8, Vec<&'static u8>)>,
    text: &'static str,
}

#[derive(beget::Heap)]
struct Borrowed<'a> {
    value: std::borrow::Cow<'a, str>,
}

fn main() {}
