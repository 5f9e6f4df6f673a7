//! Individualisation and refinement: an order of a graph's vertices that depends on the graph
//! alone.
//!
//! Source: McKay and Piperno, "Practical graph isomorphism, II" (Journal of Symbolic Computation,
//! 2014), section 2, without the pruning by automorphisms: its effect depends on the order in which
//! leaves are met, and the bound must not. Instead a graph is split into its parts, which are
//! ordered one by one.

use super::UndecidedTies;

/// The number of times that a vertex may be given a colour of its own. Six objects that all refer
/// to each other take 1236.
const MOST_BRANCHES: u32 = 2048;

/// The number of vertices visited in all rounds of refinement.
const MOST_WORK: usize = 1 << 22;

/// A graph with coloured vertices; edges are labelled by their place at the vertex they leave.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    colors: Vec<u32>,
    /// The place and target of each edge of each vertex.
    out: Vec<Vec<(u32, u32)>>,
    /// The same, from the ends of the edges.
    back: Vec<Vec<(u32, u32)>>,
}

impl Graph {
    pub(super) fn new(colors: Vec<u32>) -> Self {
        let none = vec![Vec::new(); colors.len()];
        Graph { colors, out: none.clone(), back: none }
    }

    pub(super) fn add_edge(&mut self, from: usize, place: u32, to: usize) {
        self.out[from].push((place, to as u32));
        self.back[to].push((place, from as u32));
    }

    fn len(&self) -> usize {
        self.colors.len()
    }

    /// The subgraph of the listed vertices, which are in order.
    fn part(&self, vertices: &[u32], colors: &[u32]) -> Graph {
        let own = vertices.iter().map(|&vertex| colors[vertex as usize]).collect();
        let mut part = Graph::new(own);
        for (from, &vertex) in vertices.iter().enumerate() {
            for (place, to) in &self.out[vertex as usize] {
                if let Ok(to) = vertices.binary_search(to) {
                    part.add_edge(from, *place, to);
                }
            }
        }
        part
    }

    /// The graph with its vertices in this order, as numbers. Two orders of isomorphic graphs have
    /// equal certificates if one maps to the other.
    fn certificate(&self, order: &[u32]) -> Vec<u32> {
        let mut places = vec![0; order.len()];
        for (place, &vertex) in (0..).zip(order) {
            places[vertex as usize] = place;
        }
        let mut certificate = Vec::new();
        for &vertex in order {
            let out = &self.out[vertex as usize];
            let mut edges: Vec<(u32, u32)> =
                out.iter().map(|&(place, to)| (place, places[to as usize])).collect();
            edges.sort_unstable();
            certificate.extend([self.colors[vertex as usize], edges.len() as u32]);
            certificate.extend(edges.into_iter().flat_map(|(place, to)| [place, to]));
        }
        certificate
    }
}

/// The work that the search may still do.
struct Effort {
    branches: u32,
    work: usize,
}

impl Effort {
    fn branch(&mut self) -> Result<(), UndecidedTies> {
        self.branches = self.branches.checked_sub(1).ok_or(UndecidedTies)?;
        Ok(())
    }

    fn look_at(&mut self, n_vertices: usize) -> Result<(), UndecidedTies> {
        self.work = self.work.checked_sub(n_vertices).ok_or(UndecidedTies)?;
        Ok(())
    }
}

/// The place of each vertex in an order that does not depend on how the vertices were numbered,
/// except for vertices that can be exchanged. Colours keep their order.
pub(super) fn order(graph: &Graph) -> Result<Vec<u32>, UndecidedTies> {
    let mut effort = Effort { branches: MOST_BRANCHES, work: MOST_WORK };
    let colors = refine(graph, graph.colors.clone(), &mut effort)?;
    let order = order_refined(graph, &colors, &mut effort)?;
    let mut places = vec![0; order.len()];
    for (place, vertex) in (0..).zip(order) {
        places[vertex as usize] = place;
    }
    Ok(places)
}

/// Splits colours until vertices of one colour reach, and are reached from, the same colours in the
/// same places. The order of colours stays; they are numbered from 0 on.
fn refine(
    graph: &Graph,
    mut colors: Vec<u32>,
    effort: &mut Effort,
) -> Result<Vec<u32>, UndecidedTies> {
    let mut n_colors = 0;
    loop {
        effort.look_at(graph.len())?;
        let colored = |edges: &[(u32, u32)]| {
            let mut edges: Vec<(u32, u32)> =
                edges.iter().map(|&(place, end)| (place, colors[end as usize])).collect();
            edges.sort_unstable();
            edges
        };
        let mut seen: Vec<_> = (0..graph.len())
            .map(|vertex| {
                let (out, back) = (&graph.out[vertex], &graph.back[vertex]);
                ((colors[vertex], colored(out), colored(back)), vertex)
            })
            .collect();
        seen.sort_unstable();
        let mut next = vec![0; graph.len()];
        let mut color = 0;
        for pair in seen.windows(2) {
            color += u32::from(pair[0].0 != pair[1].0);
            next[pair[1].1] = color;
        }
        colors = next;
        if color + 1 == n_colors {
            return Ok(colors);
        }
        n_colors = color + 1;
    }
}

/// An order of the vertices, whose colours are refined.
fn order_refined(
    graph: &Graph,
    colors: &[u32],
    effort: &mut Effort,
) -> Result<Vec<u32>, UndecidedTies> {
    let mut sizes = vec![0_u32; graph.len()];
    colors.iter().for_each(|&color| sizes[color as usize] += 1);
    let is_open = |vertex: u32| sizes[colors[vertex as usize] as usize] > 1;
    let open: Vec<u32> = (0..graph.len() as u32).filter(|&vertex| is_open(vertex)).collect();
    let mut places: Vec<(u32, u32, u32)> = colors.iter().map(|&color| (color, 0, 0)).collect();
    let parts = parts(graph, &open);
    if parts.first().is_some_and(|part| part.len() == graph.len()) {
        return individualize(graph, colors, &sizes, effort);
    }
    let mut ordered = Vec::new();
    for part in parts {
        let own = graph.part(&part, colors);
        let own_colors = renumbered(&own.colors);
        let order = order_refined(&own, &own_colors, effort)?;
        ordered.push((own.certificate(&order), part, order));
    }
    // Equal parts can be exchanged.
    ordered.sort_unstable();
    for (number, (_, part, order)) in (0..).zip(ordered) {
        for (place, vertex) in (0..).zip(order) {
            let place_of = &mut places[part[vertex as usize] as usize];
            (place_of.1, place_of.2) = (number, place);
        }
    }
    let mut order: Vec<u32> = (0..graph.len() as u32).collect();
    order.sort_unstable_by_key(|&vertex| places[vertex as usize]);
    Ok(order)
}

/// The least of the orders that come from giving each vertex of one colour a colour of its own.
fn individualize(
    graph: &Graph,
    colors: &[u32],
    sizes: &[u32],
    effort: &mut Effort,
) -> Result<Vec<u32>, UndecidedTies> {
    let target = (0..).zip(sizes).filter(|(_, size)| **size > 1);
    let (target, _) = target.min_by_key(|&(color, size)| (*size, color)).expect("all are open");
    let mut least: Option<(Vec<u32>, Vec<u32>)> = None;
    for vertex in (0..graph.len()).filter(|&vertex| colors[vertex] == target) {
        effort.branch()?;
        let mut own: Vec<u32> = colors.iter().map(|color| color * 2 + 1).collect();
        own[vertex] -= 1;
        let own = refine(graph, own, effort)?;
        let order = order_refined(graph, &own, effort)?;
        let found = (graph.certificate(&order), order);
        if least.as_ref().is_none_or(|least| found.0 < least.0) {
            least = Some(found);
        }
    }
    Ok(least.expect("a colour is that of a vertex").1)
}

/// The listed vertices, grouped by connected part.
fn parts(graph: &Graph, vertices: &[u32]) -> Vec<Vec<u32>> {
    let mut is_left = vec![false; graph.len()];
    vertices.iter().for_each(|&vertex| is_left[vertex as usize] = true);
    let mut parts = Vec::new();
    for &first in vertices {
        if !std::mem::take(&mut is_left[first as usize]) {
            continue;
        }
        let (mut part, mut next) = (vec![first], 0);
        while let Some(&vertex) = part.get(next) {
            next += 1;
            let ends = graph.out[vertex as usize].iter().chain(&graph.back[vertex as usize]);
            for &(_, end) in ends {
                if std::mem::take(&mut is_left[end as usize]) {
                    part.push(end);
                }
            }
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts
}

/// The colours in the same order, from 0 on.
fn renumbered(colors: &[u32]) -> Vec<u32> {
    let mut known = colors.to_vec();
    known.sort_unstable();
    known.dedup();
    let number = |color| known.binary_search(color).expect("it is one of them") as u32;
    colors.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn graph_of(colors: &[u32], edges: &[(usize, u32, usize)]) -> Graph {
        let mut graph = Graph::new(colors.to_vec());
        edges.iter().for_each(|&(from, place, to)| graph.add_edge(from, place, to));
        graph
    }

    /// The graph with other numbers for its vertices.
    fn exchanged(graph: &Graph, numbers: &[usize]) -> Graph {
        let mut colors = vec![0; graph.len()];
        for (vertex, &number) in numbers.iter().enumerate() {
            colors[number] = graph.colors[vertex];
        }
        let mut exchanged = Graph::new(colors);
        for (from, &number) in numbers.iter().enumerate() {
            for &(place, to) in graph.out[from].iter().rev() {
                exchanged.add_edge(number, place, numbers[to as usize]);
            }
        }
        exchanged
    }

    fn found(graph: &Graph) -> Vec<u32> {
        let places = order(graph).expect("it is small");
        let mut order: Vec<u32> = (0..graph.len() as u32).collect();
        order.sort_by_key(|&vertex| places[vertex as usize]);
        graph.certificate(&order)
    }

    /// Calls `see` with each order of the numbers.
    fn each_order(left: &mut Vec<u32>, taken: &mut Vec<u32>, see: &mut impl FnMut(&[u32])) {
        if left.is_empty() {
            see(taken);
        }
        for at in 0..left.len() {
            let vertex = left.remove(at);
            taken.push(vertex);
            each_order(left, taken, see);
            taken.pop();
            left.insert(at, vertex);
        }
    }

    /// The least certificate of all orders, by trying them.
    fn naive(graph: &Graph) -> (Vec<u32>, bool) {
        let (mut least, mut is_found, own) = (None::<Vec<u32>>, false, found(graph));
        each_order(&mut (0..graph.len() as u32).collect(), &mut Vec::new(), &mut |order| {
            let certificate = graph.certificate(order);
            is_found |= certificate == own;
            if least.as_ref().is_none_or(|least| certificate < *least) {
                least = Some(certificate);
            }
        });
        (least.unwrap_or_default(), is_found)
    }

    const N: usize = 6;

    fn small_graph() -> impl Strategy<Value = Graph> {
        let colors = prop::collection::vec(0..2_u32, N);
        let edges = prop::collection::btree_set((0..N, 0..2_u32, 0..N), 0..9);
        (colors, edges).prop_map(|(mut colors, edges)| {
            if colors.iter().sum::<u32>() < 4 {
                colors.fill(0);
            }
            graph_of(&colors, &edges.into_iter().collect::<Vec<_>>())
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Equal graphs give equal certificates and others do not, compared with trying all orders.
        #[test]
        fn the_search_tells_graphs_apart_as_all_orders_do(
            one in small_graph(),
            other in small_graph(),
            numbers in Just((0..N).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let (least, is_order) = naive(&one);
            prop_assert!(is_order, "what is found is an order of the graph");
            prop_assert_eq!(found(&one), found(&exchanged(&one, &numbers)));
            prop_assert_eq!(least == naive(&other).0, found(&one) == found(&other));
        }
    }

    /// Refinement alone confuses one ring of six with two of three; a search does not.
    #[test]
    fn rings_are_told_apart_and_known_again() {
        let ring = |of: &[usize]| -> Vec<(usize, u32, usize)> {
            (0..of.len()).map(|at| (of[at], 0, of[(at + 1) % of.len()])).collect()
        };
        let one = graph_of(&[0; 6], &ring(&[0, 1, 2, 3, 4, 5]));
        let two = graph_of(&[0; 6], &[ring(&[0, 1, 2]), ring(&[3, 4, 5])].concat());
        let mut effort = Effort { branches: 1, work: 1000 };
        for graph in [&one, &two] {
            assert_eq!(refine(graph, vec![0; 6], &mut effort), Ok(vec![0; 6]));
        }
        assert_ne!(found(&one), found(&two));
        assert_eq!(found(&two), found(&exchanged(&two, &[0, 2, 4, 1, 3, 5])));
        assert_eq!(found(&one), found(&exchanged(&one, &[3, 1, 4, 0, 5, 2])));
    }

    /// Each vertex has three neighbours, but only some lie in a triangle, so it matters which of
    /// them is given a colour of its own.
    #[test]
    fn a_graph_whose_vertices_only_look_the_same_is_known_again() {
        let ring = (0..8).map(|at| (at, (at + 1) % 8));
        let edges = ring.chain([(0, 4), (1, 7), (2, 6), (3, 5)]);
        let edges: Vec<_> =
            edges.flat_map(|(one, other)| [(one, 0, other), (other, 0, one)]).collect();
        let graph = graph_of(&[0; 8], &edges);
        let mut effort = Effort { branches: 0, work: 1000 };
        assert_eq!(refine(&graph, vec![0; 8], &mut effort), Ok(vec![0; 8]));
        for shift in 1..8 {
            let numbers: Vec<usize> = (0..8).map(|vertex| (vertex + shift) % 8).collect();
            assert_eq!(found(&graph), found(&exchanged(&graph, &numbers)));
        }
    }

    /// The two vertices of the second colour are given colours of their own.
    #[test]
    fn a_vertex_with_a_colour_of_its_own_keeps_its_place_among_the_colours() {
        let edges: Vec<_> = (0..6).map(|edge| (edge % 3, 0, 3 + edge / 3)).collect();
        let places = order(&graph_of(&[0, 0, 0, 1, 1], &edges)).expect("it is small");
        assert!(places[..3].iter().all(|&place| place < 3), "{places:?}");
    }

    fn clique(n: usize) -> Graph {
        let pairs = (0..n).flat_map(|one| (0..n).map(move |other| (one, 0, other)));
        graph_of(&vec![0; n], &pairs.filter(|(one, _, other)| one != other).collect::<Vec<_>>())
    }

    #[test]
    fn the_bound_is_that_of_branches_and_does_not_count_parts_that_are_apart() {
        assert!(order(&clique(6)).is_ok());
        assert_eq!(order(&clique(7)), Err(UndecidedTies));
        let n = 300;
        let pairs: Vec<_> = (0..n).map(|at| (at, 0, n + at)).collect();
        let mut colors = vec![0; n];
        colors.extend(vec![1; n]);
        let pairs = graph_of(&colors, &pairs);
        let mut effort = Effort { branches: 0, work: 10_000 };
        let refined = refine(&pairs, colors, &mut effort).unwrap();
        assert!(order_refined(&pairs, &refined, &mut effort).is_ok());
        assert_eq!(
            refine(&pairs, refined, &mut Effort { branches: 0, work: 2 }),
            Err(UndecidedTies)
        );
    }
}
