#[derive(Clone, Copy, beget::Domain)]
union Either {
    a: u8,
    b: i8,
}

#[derive(Clone, beget::Domain)]
#[domain(krate = beget)]
struct Name<'a>(std::marker::PhantomData<&'a u8>);

fn main() {}
