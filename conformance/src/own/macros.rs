//! Types and suites for both sides, each written once.

/// Declares a type, derives `beget::Heap` for it, and says how it is seen here: fields in the order
/// of the source.
#[macro_export]
macro_rules! seen {
    ($(#[$meta:meta])* $vis:vis struct $name:ident { $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $ty:ty),* $(,)? }) => {
        $(#[$meta])*
        #[derive(beget::Heap)]
        $vis struct $name { $($(#[$field_meta])* $field_vis $field: $ty),* }

        impl $crate::own::Show for $name {
            fn show(&self, sight: &mut $crate::own::Sight<'_>) {
                let _ = &sight;
                $($crate::own::Show::show(&self.$field, sight);)*
            }
        }
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident;) => {
        $(#[$meta])*
        #[derive(beget::Heap)]
        $vis struct $name;

        impl $crate::own::Show for $name {
            fn show(&self, _: &mut $crate::own::Sight<'_>) {}
        }
    };
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($variant:ident $(($($element:ident: $element_ty:ty),*))? $({$($field:ident: $ty:ty),*})?),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(beget::Heap)]
        $vis enum $name { $($variant $(($($element_ty),*))? $({$($field: $ty),*})?),* }

        impl $crate::own::Show for $name {
            fn show(&self, sight: &mut $crate::own::Sight<'_>) {
                let mut number = 0;
                $(
                    if let $name::$variant $(($($element),*))? $({$($field),*})? = self {
                        sight.put($crate::own::Token::Variant(number));
                        $($($crate::own::Show::show($element, sight);)*)?
                        $($($crate::own::Show::show($field, sight);)*)?
                        return;
                    }
                    number += 1;
                )*
                let _ = number;
            }
        }
    };
}

/// Declares a suite of beget and the same for the enumerator.
#[macro_export]
macro_rules! both {
    (
        $(#[doc = $doc:literal])*
        suite $suite:ident $name:literal {
            $(for $ty:ident {
                $(fn $method:ident ( $($params:tt)* ) $(-> $result:ty)? $(= $path:ident)?;)*
            })+
        }
    ) => {
        beget::suite! {
            $(#[doc = $doc])*
            #[name = $name]
            pub suite $suite {
                $(for $ty {
                    $(fn $method ( $($params)* ) $(-> $result)? $(= $path)?;)*
                })+
            }
        }

        impl $suite {
            /// The same for the enumerator.
            pub fn own() -> $crate::own::OwnSuite {
                let mut ops = Vec::new();
                $(<$ty as $crate::own::Operated<$suite>>::ops(&mut ops);)+
                $crate::own::OwnSuite { types: vec![$($crate::own::ty::<$ty>()),+], ops }
            }
        }

        $(
            impl $crate::own::Operated<$suite> for $ty {
                fn ops(ops: &mut Vec<$crate::own::Op>) {
                    let _ = &ops;
                    $(ops.push($crate::op!($method [$($path)?] $($params)*));)*
                }
            }

            impl $crate::own::Argument for $ty {
                fn role(_: &$crate::own::Pools) -> $crate::own::Role {
                    $crate::own::Role::Structure(std::any::TypeId::of::<$ty>())
                }
            }

            impl $crate::own::Give for $ty {
                const N: usize = 1;

                fn give(self, _: &[usize], out: &mut Vec<$crate::own::Slot>) {
                    out.push(Some(Box::new(self)));
                }
            }
        )+
    };
}

/// Says that results may refer to parts of these types, which are then cloned.
#[macro_export]
macro_rules! lent {
    ($($ty:ident),+) => {$(
        impl $crate::own::GiveRef for $ty {
            const N: usize = 1;

            fn give_ref(&self, known: &[usize], out: &mut Vec<$crate::own::Slot>) {
                let is_known = known.contains(&std::ptr::from_ref(self).addr());
                out.push(if is_known { None } else { Some(Box::new(self.clone())) });
            }
        }
    )+};
}

/// One operation from the parameters of a signature.
#[macro_export]
macro_rules! op {
    (@ $name:ident [$($path:ident)?] [$($done:tt)*] &mut self $(, $($rest:tt)*)?) => {
        $crate::op!(@ $name [$($path)?] [$($done)* {arg exclusive Self}] $($($rest)*)?)
    };
    (@ $name:ident [$($path:ident)?] [$($done:tt)*] &self $(, $($rest:tt)*)?) => {
        $crate::op!(@ $name [$($path)?] [$($done)* {arg shared Self}] $($($rest)*)?)
    };
    (@ $name:ident [$($path:ident)?] [$($done:tt)*] self $(, $($rest:tt)*)?) => {
        $crate::op!(@ $name [$($path)?] [$($done)* {arg moved Self}] $($($rest)*)?)
    };
    (@ $name:ident [$($path:ident)?] [$($done:tt)*] $n:ident: &str $(, $($rest:tt)*)?) => {
        $crate::op!(@ $name [$($path)?] [$($done)* {arg text String}] $($($rest)*)?)
    };
    (@ $name:ident [$($path:ident)?] [$($done:tt)*] $n:ident: &[$t:ty] $(, $($rest:tt)*)?) => {
        $crate::op!(@ $name [$($path)?] [$($done)* {arg text Vec<$t>}] $($($rest)*)?)
    };
    (@ $name:ident [$($path:ident)?] [$($done:tt)*] $n:ident: &mut $t:ty $(, $($rest:tt)*)?) => {
        $crate::op!(@ $name [$($path)?] [$($done)* {arg exclusive $t}] $($($rest)*)?)
    };
    (@ $name:ident [$($path:ident)?] [$($done:tt)*] $n:ident: &$t:ty $(, $($rest:tt)*)?) => {
        $crate::op!(@ $name [$($path)?] [$($done)* {arg shared $t}] $($($rest)*)?)
    };
    (@ $name:ident [$($path:ident)?] [$($done:tt)*] $n:ident: $t:ty $(, $($rest:tt)*)?) => {
        $crate::op!(@ $name [$($path)?] [$($done)* {arg moved $t}] $($($rest)*)?)
    };
    (@ $name:ident [$($path:ident)?] [$({$arg:ident $pass:ident $t:ty})*]) => {
        $crate::own::Op {
            name: stringify!($name),
            params: vec![$(<$t as $crate::own::Argument>::role as $crate::own::Param),*],
            run: |slots: &mut [$crate::own::Slot], out: &mut Vec<$crate::own::Slot>| {
                let mut slots = slots.iter_mut();
                $(let mut $arg = $crate::own::Held::<$t>::take(slots.next());)*
                let known: Vec<usize> = vec![$($arg.address()),*];
                #[allow(clippy::let_unit_value)]
                let result = $crate::op!(# $name $($path)?)($($arg.$pass()),*);
                let is_error = $crate::own::Give::is_error(&result);
                $crate::own::Give::give(result, &known, out);
                $($arg.end();)*
                let _ = slots.next();
                is_error
            },
        }
    };
    (# $name:ident) => { Self::$name };
    (# $name:ident $path:ident) => { $path };
    ($name:ident [$($path:ident)?] $($params:tt)*) => {
        $crate::op!(@ $name [$($path)?] [] $($params)*)
    };
}
