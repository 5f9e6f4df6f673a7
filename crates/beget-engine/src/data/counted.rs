//! The objects that a plan counts, and their greatest number.

use beget_heap::Bounds;
use beget_plan::scope::Plan;

/// The class whose objects `generated_by_objects` counts: the one with the smallest bound above 1,
/// or else the first that pointers lead to.
pub fn counted_class(plan: &Plan) -> Option<usize> {
    let bound_of = |bounds: &Bounds, name: &str| {
        bounds.objects.get(name).copied().unwrap_or(bounds.other_objects)
    };
    let classes = plan.schema().classes().iter().enumerate();
    classes
        .filter(|(_, class)| class.is_object)
        .min_by_key(|(index, class)| {
            let bound = bound_of(&plan.bounds, class.key.name);
            (class.is_array, bound <= 1, bound, *index)
        })
        .map(|(index, _)| index)
}

/// Room for the objects of any structure in scope.
pub(crate) fn most_objects(plan: &Plan) -> usize {
    let classes = plan.schema().classes().iter().filter(|class| class.is_object);
    let bounds = classes.map(|class| {
        let name = class.key.name;
        plan.bounds.objects.get(name).copied().unwrap_or(plan.bounds.other_objects)
    });
    // Unbounded classes usually give small structures; decoders fall back if not.
    (bounds.map(|bound| bound.min(1 << 12) as usize).sum::<usize>() + 8).min(1 << 14)
}
