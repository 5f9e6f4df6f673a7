//! Views of finished structures: live values, and stored canonical forms.

use std::marker::PhantomData;

use super::{Filler, Shapes, Table, Viewed};
use crate::{Decoder, Encoder, FormCoding, FormRef, Heap, Undecodable};

/// Lays structures out in one table, which is reused for the next.
///
/// ```
/// use beget_heap::view::{ArrayView, Viewed, Viewer};
/// use beget_heap::{Bounds, Layout, Schema};
///
/// let layout = Layout::new(&Schema::of::<Vec<u8>>(), &Bounds::unlimited());
/// let mut viewer = Viewer::<Vec<u8>>::new(&layout);
/// let list: ArrayView<'_, u8> = Vec::<u8>::view(viewer.value(&vec![7, 9]).unwrap().root());
/// assert_eq!((list.len(), list.at(1)), (2, 9));
/// ```
#[derive(Debug)]
pub struct Viewer<'l, T> {
    filler: Filler,
    encoder: Encoder<'l>,
    decoder: Decoder<'l>,
    table: Table,
    root: PhantomData<fn() -> T>,
}

impl<'l, T: Heap + Viewed> Viewer<'l, T> {
    /// A viewer for structures of type `T` whose forms are of one coding.
    pub fn new(coding: impl Into<FormCoding<'l>>) -> Self {
        let coding = coding.into();
        Viewer {
            filler: Filler::new(&Shapes::of::<T>(), coding.layout),
            encoder: Encoder::new(coding),
            decoder: Decoder::new(coding, 16),
            table: Table::new(),
            root: PhantomData,
        }
    }

    /// The table of a canonical form.
    ///
    /// # Errors
    /// The errors of [`Filler::fill`].
    pub(crate) fn form(&mut self, form: FormRef<'_>) -> Result<&Table, Undecodable> {
        self.decoder.begin(form);
        self.filler.fill(&mut self.table, &mut self.decoder)?;
        Ok(&self.table)
    }

    /// The table of a live value, without the fields that the layout omits.
    ///
    /// # Errors
    /// The errors of [`Filler::fill`], and if the value is out of the layout's bounds.
    pub fn value(&mut self, value: &T) -> Result<&Table, Undecodable> {
        let form =
            self.encoder.encode(value).map_err(|reason| Undecodable::new(reason.to_string()))?;
        let form = form.to_canonical();
        self.form(form.as_ref())
    }
}
