//! Suites from signatures: `suite!` and `#[api]` read a [`declaration`], its signatures become
//! [`method`]s, and [`emit`] writes the value that describes them.

mod api;
mod chosen;
mod conditions;
mod declaration;
mod emit;
mod lent;
mod literal;
mod marks;
mod method;
mod remedy;
mod result;
mod shown;
mod types;
mod wrapped;

use proc_macro2::TokenStream;
use syn::Result;

pub(crate) use api::api;
use declaration::Declaration;

pub(crate) fn suite(tokens: TokenStream) -> Result<TokenStream> {
    emit::suite(&syn::parse2::<Declaration>(tokens)?)
}
