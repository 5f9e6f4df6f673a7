//! NodeCachingLinkedList as ordinary objects: strong references forward, weak ones backward.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

pub(super) type NodeRef = Rc<RefCell<Node>>;

/// A node of the ring or of the cache; a weak reference to nothing stands for null.
pub(super) struct Node {
    pub(super) value: Option<i32>,
    pub(super) next: Option<NodeRef>,
    pub(super) previous: Weak<RefCell<Node>>,
}

/// A ring of nodes through a header without value, and a stack of recycled nodes.
pub(super) struct List {
    pub(super) default_maximum_cache_size: i32,
    pub(super) cache_size: i32,
    pub(super) first_cached_node: Option<NodeRef>,
    pub(super) header: NodeRef,
    pub(super) maximum_cache_size: i32,
    pub(super) size: i32,
}

/// The exception that `removeIndex` raises.
#[derive(Debug)]
pub(super) struct EmptyList;

impl Node {
    fn new(value: Option<i32>) -> NodeRef {
        Rc::new(RefCell::new(Self { value, next: None, previous: Weak::new() }))
    }
}

impl List {
    pub(super) fn new() -> Self {
        let header = Node::new(None);
        header.borrow_mut().next = Some(Rc::clone(&header));
        header.borrow_mut().previous = Rc::downgrade(&header);
        Self {
            default_maximum_cache_size: 20,
            cache_size: 0,
            first_cached_node: None,
            header,
            maximum_cache_size: 20,
            size: 0,
        }
    }

    pub(super) fn add_last(&mut self, value: i32) -> bool {
        let node = self.obtain_node(value);
        let last = self.header.borrow().previous.upgrade().expect("the ring is closed");
        node.borrow_mut().next = Some(Rc::clone(&self.header));
        node.borrow_mut().previous = Rc::downgrade(&last);
        self.header.borrow_mut().previous = Rc::downgrade(&node);
        last.borrow_mut().next = Some(node);
        self.size += 1;
        true
    }

    fn obtain_node(&mut self, value: i32) -> NodeRef {
        let Some(node) = self.first_cached_node.take() else { return Node::new(Some(value)) };
        self.first_cached_node = node.borrow_mut().next.take();
        self.cache_size -= 1;
        node.borrow_mut().value = Some(value);
        node
    }

    /// Acts on the first element whatever the index is, as the published class does.
    pub(super) fn remove_index(&mut self, _index: i32) -> Result<Option<i32>, EmptyList> {
        if self.size == 0 {
            return Err(EmptyList);
        }
        let first = self.header.borrow().next.clone().expect("the ring is closed");
        let second = first.borrow().next.clone().expect("the ring is closed");
        second.borrow_mut().previous = Rc::downgrade(&self.header);
        self.header.borrow_mut().next = Some(second);
        self.size -= 1;
        let value = first.borrow().value;
        self.recycle(first);
        Ok(value)
    }

    /// The comparison is the published one, which lets the cache hold one node too many.
    fn recycle(&mut self, node: NodeRef) {
        if self.cache_size > self.maximum_cache_size {
            return;
        }
        node.borrow_mut().previous = Weak::new();
        node.borrow_mut().value = None;
        node.borrow_mut().next = self.first_cached_node.take();
        self.first_cached_node = Some(node);
        self.cache_size += 1;
    }
}

impl Drop for List {
    /// Opens the ring: its strong references would keep it alive for ever.
    fn drop(&mut self) {
        self.header.borrow_mut().next = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_leave_in_the_order_they_came_and_their_nodes_are_recycled() {
        let mut list = List::new();
        assert!(list.add_last(4) && list.add_last(6));
        assert_eq!(list.remove_index(1).expect("two elements"), Some(4));
        let cached = list.first_cached_node.clone().expect("one cached node");
        assert!(list.add_last(8));
        assert_eq!(list.cache_size, 0);
        assert_eq!(cached.borrow().value, Some(8));
        assert_eq!(list.remove_index(0).expect("two elements"), Some(6));
        assert_eq!(list.remove_index(0).expect("one element"), Some(8));
        assert!(list.remove_index(0).is_err());
        assert_eq!((list.size, list.cache_size), (0, 2));
    }

    #[test]
    fn dropping_a_list_frees_its_nodes() {
        let mut list = List::new();
        list.add_last(1);
        list.add_last(2);
        let header = Rc::downgrade(&list.header);
        let first = Rc::downgrade(list.header.borrow().next.as_ref().expect("two elements"));
        drop(list);
        assert!(header.upgrade().is_none() && first.upgrade().is_none());
    }
}
