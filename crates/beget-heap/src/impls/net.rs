//! Addresses of the Internet, by their numbers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

use crate::{Decoder, Heap, Primitive, Schema, Undecodable, Walker};

/// Shows a value as the tuple of numbers it consists of.
macro_rules! numbers {
    ($($ty:ty as $numbers:ty: |$value:ident| $there:expr, |$made:pat_param| $back:expr);+ $(;)?) => {$(
        impl Heap for $ty {
            const IS_REGULAR: bool = true;

            fn describe(_: &mut Schema) {}

            fn walk<W: Walker>(&self, walker: &mut W) {
                let $value = self;
                <$numbers>::walk(&$there, walker);
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                let $made = <$numbers>::decode(decoder)?;
                Ok($back)
            }
        }
    )+};
}

numbers! {
    Ipv4Addr as u32: |address| address.to_bits(), |bits| Ipv4Addr::from_bits(bits);
    Ipv6Addr as u128: |address| address.to_bits(), |bits| Ipv6Addr::from_bits(bits);
    SocketAddrV4 as (u32, u16): |address| (address.ip().to_bits(), address.port()),
        |(ip, port)| SocketAddrV4::new(Ipv4Addr::from_bits(ip), port);
    SocketAddrV6 as (u128, u16, u32, u32):
        |address| (address.ip().to_bits(), address.port(), address.flowinfo(), address.scope_id()),
        |(ip, port, flow, scope)| SocketAddrV6::new(Ipv6Addr::from_bits(ip), port, flow, scope);
}

macro_rules! either {
    ($($ty:ident { V4($four:ident), V6($six:ident) })+) => {$(
        impl Heap for $ty {
            const IS_REGULAR: bool = true;

            fn describe(_: &mut Schema) {}

            fn walk<W: Walker>(&self, walker: &mut W) {
                let variant = |index, name| Primitive::Variant { index, of: 2, name };
                match self {
                    $ty::V4(address) => {
                        walker.primitive(variant(0, "V4"));
                        address.walk(walker);
                    }
                    $ty::V6(address) => {
                        walker.primitive(variant(1, "V6"));
                        address.walk(walker);
                    }
                }
            }

            fn decode(decoder: &mut Decoder<'_>) -> Result<Self, Undecodable> {
                match decoder.variant(2) {
                    0 => $four::decode(decoder).map($ty::V4),
                    _ => $six::decode(decoder).map($ty::V6),
                }
            }
        }
    )+};
}

either! {
    IpAddr { V4(Ipv4Addr), V6(Ipv6Addr) }
    SocketAddr { V4(SocketAddrV4), V6(SocketAddrV6) }
}
