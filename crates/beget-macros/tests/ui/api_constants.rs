#[derive(Clone, beget::Heap)]
pub struct Ring<T, const N: usize>([T; N]);

#[beget::api]
impl<T: Copy, const N: usize> Ring<T, N> {
    pub fn new(items: [T; N]) -> Self {
        Ring(items)
    }
}

#[beget::api(at(N = 2))]
impl<const N: usize> Ring<u8, N> {
    pub fn filled() -> Self {
        Ring([0; N])
    }

    pub fn item<const AT: usize>(&self) -> u8 {
        self.0[AT]
    }

    #[api(at(AT = 1, of = 3))]
    pub fn set<const AT: usize>(&mut self, of: u8) {
        self.0[AT] = of;
    }
}

#[beget::api(at(T = 2, N = Vec<u8>))]
impl<T: Copy, const N: usize> Ring<(T, T), N> {
    pub fn pairs(items: [(T, T); N]) -> Self {
        Ring(items)
    }
}

beget::suite! {
    suite Rings for Ring<u8, 3> {
        fn item<const AT: usize>(&self) -> u8;
    }
}

fn main() {}
