#[derive(Clone, beget::Domain)]
enum Tree {
    Leaf,
    Node(Box<Tree>, Box<Self>),
}

fn main() {}
