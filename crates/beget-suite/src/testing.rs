//! Methods of suites by hand, for unit tests.

use crate::{Call, CallFn, Method, Outcome, Output, Param, ParamKind, Passing, TypeIdx};

pub(crate) fn structure(name: &'static str, ty: TypeIdx, passing: Passing) -> Param {
    Param { name, kind: ParamKind::Structure { ty, passing } }
}

pub(crate) fn method(
    path: &'static str,
    params: &[Param],
    output: Option<TypeIdx>,
    call: CallFn,
) -> Method {
    Method {
        name: path.rsplit("::").next().unwrap(),
        signature: "",
        returns: Some(""),
        path,
        params: params.to_vec(),
        outputs: output.map(|ty| Output { ty, access: "" }).into_iter().collect(),
        fallible: false,
        call,
        call_observed: None,
        stand_in: None,
    }
}

pub(crate) fn returned(_: &mut Call<'_>) -> Outcome {
    Outcome::Returned
}
