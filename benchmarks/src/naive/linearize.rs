//! The canonical form of a list: depth-first, fields in the byte order of their Java names.
//!
//! A node is written in full at its first visit and as its number afterwards.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use super::list::{List, Node, NodeRef};

const NULL: u8 = 0xFF;
const NEW: u8 = 0xFE;
/// Numbers of nodes are written from here on, integers below.
const KNOWN: u8 = 0x80;

/// The canonical form, or `None` if more than `max_nodes` nodes are reachable.
pub(super) fn linearize(list: &List, max_nodes: usize) -> Option<Vec<u8>> {
    let mut writer = Writer { max_nodes, numbers: HashMap::new(), out: Vec::new() };
    writer.int(list.default_maximum_cache_size);
    writer.int(list.cache_size);
    writer.reference(list.first_cached_node.as_ref())?;
    writer.reference(Some(&list.header))?;
    writer.int(list.maximum_cache_size);
    writer.int(list.size);
    Some(writer.out)
}

struct Writer {
    max_nodes: usize,
    numbers: HashMap<*const RefCell<Node>, u8>,
    out: Vec<u8>,
}

impl Writer {
    fn int(&mut self, value: i32) {
        let byte = u8::try_from(value).ok().filter(|byte| *byte < KNOWN);
        self.out.push(byte.expect("integers of a list in scope are small"));
    }

    fn reference(&mut self, target: Option<&NodeRef>) -> Option<()> {
        let Some(node) = target else {
            self.out.push(NULL);
            return Some(());
        };
        if let Some(number) = self.numbers.get(&Rc::as_ptr(node)) {
            self.out.push(KNOWN + number);
            return Some(());
        }
        if self.numbers.len() == self.max_nodes {
            return None;
        }
        self.numbers.insert(Rc::as_ptr(node), self.numbers.len() as u8);
        self.out.push(NEW);
        self.fields(&node.borrow())
    }

    fn fields(&mut self, node: &Node) -> Option<()> {
        self.reference(node.next.as_ref())?;
        self.reference(node.previous.upgrade().as_ref())?;
        match node.value {
            Some(value) => self.int(value),
            None => self.out.push(NULL),
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_list_is_its_fields_and_a_header_linked_to_itself() {
        let header = [NEW, KNOWN, KNOWN, NULL];
        let expected = [&[20, 0, NULL], &header[..], &[20, 0]].concat();
        assert_eq!(linearize(&List::new(), 1), Some(expected));
    }

    #[test]
    fn cached_nodes_count_towards_the_scope() {
        let mut list = List::new();
        list.add_last(3);
        list.remove_index(0).expect("one element");
        assert!(linearize(&list, 1).is_none());
        assert!(linearize(&list, 2).is_some());
    }

    #[test]
    fn content_decides_and_history_does_not() {
        let mut direct = List::new();
        direct.add_last(1);
        direct.add_last(2);
        let mut detour = List::new();
        detour.add_last(2);
        detour.add_last(1);
        detour.remove_index(0).expect("two elements");
        detour.add_last(2);
        assert_eq!(linearize(&direct, 9), linearize(&detour, 9));
        direct.add_last(0);
        detour.add_last(1);
        assert_ne!(linearize(&direct, 9), linearize(&detour, 9));
    }
}
