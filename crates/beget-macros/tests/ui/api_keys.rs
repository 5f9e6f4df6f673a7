//! A key without a domain is one error, however many parameters have its type, and the error names
//! the option of keys; that belongs to the first block.

#[derive(Clone, Copy, Debug, beget::Heap)]
pub struct Entity(usize);

#[derive(Clone, Debug, beget::Heap)]
pub struct World {
    alive: Vec<bool>,
}

#[beget::api]
impl World {
    pub fn new() -> Self {
        World { alive: Vec::new() }
    }

    pub fn spawn(&mut self) -> Entity {
        self.alive.push(true);
        Entity(self.alive.len() - 1)
    }

    pub fn attach(&mut self, _child: Entity, _parent: Entity) {}

    pub fn despawn(&mut self, entity: Entity) {
        self.alive[entity.0] = false;
    }
}

#[beget::api(part = 2, keys(Entity))]
impl World {
    pub fn is_alive(&self, entity: Entity) -> bool {
        self.alive[entity.0]
    }
}

fn main() {}
