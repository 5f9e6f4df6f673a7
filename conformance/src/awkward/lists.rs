//! A linked list of the standard library, boxed slices, and nested vectors.

use std::collections::LinkedList;

use crate::case::{Case, Scope};
use crate::{both, seen};

seen! {
    #[derive(Clone)]
    pub struct Album { songs: LinkedList<u8>, discs: Vec<Vec<u8>>, cover: Option<Box<[u8]>> }
}

impl Album {
    pub fn new() -> Self {
        Album { songs: LinkedList::new(), discs: Vec::new(), cover: None }
    }

    pub fn add(&mut self, song: u8, front: bool) {
        if front { self.songs.push_front(song) } else { self.songs.push_back(song) }
    }

    pub fn press(&mut self) {
        self.discs.push(std::mem::take(&mut self.songs).into_iter().collect());
    }

    pub fn draw(&mut self) {
        self.cover = self.discs.pop().map(Vec::into_boxed_slice);
    }

    pub fn join(&mut self, other: Album) {
        self.discs.extend(other.discs);
    }
}

both! {
    /// Albums.
    suite Albums "awkward::lists" {
        for Album {
            fn new() -> Self;
            fn add(&mut self, song: u8, front: bool);
            fn press(&mut self);
            fn draw(&mut self);
            fn join(&mut self, other: Album);
        }
    }
}

pub fn case() -> Case {
    crate::case!(Albums, Scope { ints: vec![1], objects: 4, arrays: 1, ..Scope::of(2) })
}
