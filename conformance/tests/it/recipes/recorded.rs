pub(crate) fn all(check: Check<'_>, fails: Fails<'_>) {
{
use beget_conformance::awkward::arena::*;
let chain = Chain::new();
check("awkward::arena", 0, &chain);
}
{
use beget_conformance::awkward::arena::*;
let mut chain = Chain::new();
let _ = chain.push(1);
let _ = chain.push(0);
check("awkward::arena", 6, &chain);
}
{
use beget_conformance::awkward::arena::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.push(1);
let _ = chain.push(1);
check("awkward::arena", 13, &chain);
}
{
use beget_conformance::awkward::arena::*;
let mut chain = Chain::new();
let _ = chain.push(1);
let _ = chain.push(1);
let _ = chain.pop();
check("awkward::arena", 20, &chain);
}
{
use beget_conformance::awkward::arena::*;
let mut chain = Chain::new();
let _ = chain.push(1);
let _ = chain.push(0);
let _ = chain.push(0);
let _ = chain.pop();
check("awkward::arena", 27, &chain);
}
{
use beget_conformance::awkward::arena::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.push(0);
let _ = chain.push(1);
let _ = chain.pop();
let _ = chain.pop();
check("awkward::arena", 34, &chain);
}
{
use beget_conformance::awkward::arena::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.push(0);
let _ = chain.push(0);
let _ = chain.pop();
let _ = chain.pop();
let _ = chain.pop();
check("awkward::arena", 41, &chain);
}
{
use beget_conformance::awkward::arena::*;
let mut chain = Chain::new();
let _ = chain.push(1);
let _ = chain.push(1);
let _ = chain.push(1);
let _ = chain.pop();
let _ = chain.pop();
let _ = chain.pop();
check("awkward::arena", 48, &chain);
}
{
use beget_conformance::awkward::binary_heap::*;
let queue = Queue::new();
check("awkward::binary_heap", 0, &queue);
}
{
use beget_conformance::awkward::binary_heap::*;
let mut queue = Queue::new();
let _ = queue.push(1);
check("awkward::binary_heap", 2, &queue);
}
{
use beget_conformance::awkward::binary_heap::*;
let mut queue = Queue::new();
let _ = queue.push(0);
let _ = queue.push(1);
check("awkward::binary_heap", 5, &queue);
}
{
use beget_conformance::awkward::binary_heap::*;
let mut queue = Queue::new();
let _ = queue.push(1);
let _ = queue.push(2);
check("awkward::binary_heap", 8, &queue);
}
{
use beget_conformance::awkward::binary_heap::*;
let mut queue = Queue::new();
let _ = queue.push(0);
let _ = queue.push(0);
let _ = queue.push(0);
check("awkward::binary_heap", 10, &queue);
}
{
use beget_conformance::awkward::binary_heap::*;
let mut queue = Queue::new();
let _ = queue.push(0);
let _ = queue.push(1);
let _ = queue.push(1);
check("awkward::binary_heap", 13, &queue);
}
{
use beget_conformance::awkward::binary_heap::*;
let mut queue = Queue::new();
let _ = queue.push(1);
let _ = queue.push(1);
let _ = queue.push(1);
check("awkward::binary_heap", 16, &queue);
}
{
use beget_conformance::awkward::binary_heap::*;
let mut queue = Queue::new();
let _ = queue.push(2);
let _ = queue.push(2);
let _ = queue.push(2);
check("awkward::binary_heap", 19, &queue);
}
{
use beget_conformance::awkward::borrowed_or_owned::*;
let title = Title::new();
check("awkward::borrowed_or_owned", 0, &title);
}
{
use beget_conformance::awkward::borrowed_or_owned::*;
let mut title = Title::new();
let _ = title.push('a');
let _ = title.push('a');
check("awkward::borrowed_or_owned", 7, &title);
}
{
use beget_conformance::awkward::borrowed_or_owned::*;
let mut title = Title::new();
let _ = title.own();
let _ = title.cut();
let _ = title.write();
check("awkward::borrowed_or_owned", 14, &title);
}
{
use beget_conformance::awkward::borrowed_or_owned::*;
let mut title = Title::new();
let _ = title.push('b');
let _ = title.push('b');
let _ = title.write();
check("awkward::borrowed_or_owned", 21, &title);
}
{
use beget_conformance::awkward::borrowed_or_owned::*;
let mut title = Title::new();
let _ = title.own();
let _ = title.write();
let _ = title.forget();
let _ = title.cut();
check("awkward::borrowed_or_owned", 28, &title);
}
{
use beget_conformance::awkward::borrowed_or_owned::*;
let mut title = Title::new();
let _ = title.cut();
let _ = title.push('b');
let _ = title.push('a');
let _ = title.write();
check("awkward::borrowed_or_owned", 35, &title);
}
{
use beget_conformance::awkward::borrowed_or_owned::*;
let mut title = Title::new();
let _ = title.cut();
let _ = title.push('b');
let _ = title.push('a');
let _ = title.push('b');
let _ = title.write();
check("awkward::borrowed_or_owned", 42, &title);
}
{
use beget_conformance::awkward::borrowed_or_owned::*;
let mut title = Title::new();
let _ = title.cut();
let _ = title.push('b');
let _ = title.push('b');
let _ = title.push('b');
let _ = title.write();
let _ = title.write();
check("awkward::borrowed_or_owned", 50, &title);
}
{
use beget_conformance::awkward::bounds_by_class::*;
let yard = Yard::new();
check("awkward::bounds_by_class", 0, &yard);
}
{
use beget_conformance::awkward::bounds_by_class::*;
let mut yard = Yard::new();
let _ = yard.cat();
let _ = yard.dog(0);
let _ = yard.cat();
check("awkward::bounds_by_class", 29, &yard);
}
{
use beget_conformance::awkward::bounds_by_class::*;
let mut yard = Yard::new();
let _ = yard.cat();
let _ = yard.dog(0);
let _ = yard.twice();
let _ = yard.cat();
check("awkward::bounds_by_class", 59, &yard);
}
{
use beget_conformance::awkward::bounds_by_class::*;
let mut yard = Yard::new();
let _ = yard.dog(1);
let _ = yard.twice();
let _ = yard.cat();
let _ = yard.cat();
let _ = yard.twice();
check("awkward::bounds_by_class", 89, &yard);
}
{
use beget_conformance::awkward::bounds_by_class::*;
let mut yard = Yard::new();
let _ = yard.dog(0);
let _ = yard.twice();
let _ = yard.cat();
let _ = yard.cat();
let _ = yard.chase();
let _ = yard.dog(1);
check("awkward::bounds_by_class", 119, &yard);
}
{
use beget_conformance::awkward::bounds_by_class::*;
let mut yard = Yard::new();
let _ = yard.dog(0);
let _ = yard.twice();
let _ = yard.twice();
let _ = yard.cat();
let _ = yard.chase();
let _ = yard.cat();
let _ = yard.dog(2);
check("awkward::bounds_by_class", 149, &yard);
}
{
use beget_conformance::awkward::bounds_by_class::*;
let mut yard = Yard::new();
let _ = yard.dog(0);
let _ = yard.twice();
let _ = yard.twice();
let _ = yard.cat();
let _ = yard.chase();
let _ = yard.cat();
let _ = yard.dog(0);
let _ = yard.twice();
check("awkward::bounds_by_class", 179, &yard);
}
{
use beget_conformance::awkward::bounds_by_class::*;
let mut yard = Yard::new();
let _ = yard.dog(0);
let _ = yard.twice();
let _ = yard.twice();
let _ = yard.cat();
let _ = yard.chase();
let _ = yard.dog(0);
let _ = yard.twice();
let _ = yard.cat();
let _ = yard.chase();
let _ = yard.dog(2);
check("awkward::bounds_by_class", 209, &yard);
}
{
use beget_conformance::awkward::boxed_slices::*;
let rows = Rows::new();
check("awkward::boxed_slices", 0, &rows);
}
{
use beget_conformance::awkward::boxed_slices::*;
let mut rows = Rows::new();
let _ = rows.row(vec![0]);
let _ = rows.name(0);
let _ = rows.keep();
check("awkward::boxed_slices", 105, &rows);
}
{
use beget_conformance::awkward::boxed_slices::*;
let mut rows = Rows::new();
let _ = rows.row(vec![]);
let _ = rows.name(0);
let _ = rows.keep();
let _ = rows.keep();
check("awkward::boxed_slices", 211, &rows);
}
{
use beget_conformance::awkward::boxed_slices::*;
let mut rows = Rows::new();
let _ = rows.row(vec![1, 1]);
let _ = rows.row(vec![0]);
let _ = rows.name(0);
let _ = rows.keep();
check("awkward::boxed_slices", 317, &rows);
}
{
use beget_conformance::awkward::boxed_slices::*;
let mut rows = Rows::new();
let _ = rows.row(vec![0]);
let _ = rows.row(vec![1, 0]);
let _ = rows.name(0);
let _ = rows.keep();
let _ = rows.name(1);
check("awkward::boxed_slices", 422, &rows);
}
{
use beget_conformance::awkward::boxed_slices::*;
let mut rows = Rows::new();
let _ = rows.row(vec![0, 1]);
let _ = rows.row(vec![0]);
let _ = rows.name(1);
let _ = rows.keep();
let _ = rows.keep();
check("awkward::boxed_slices", 528, &rows);
}
{
use beget_conformance::awkward::boxed_slices::*;
let mut rows = Rows::new();
let _ = rows.row(vec![1, 1]);
let _ = rows.row(vec![1, 0]);
let _ = rows.name(1);
let _ = rows.keep();
let _ = rows.name(0);
check("awkward::boxed_slices", 634, &rows);
}
{
use beget_conformance::awkward::boxed_slices::*;
let mut rows = Rows::new();
let _ = rows.name(1);
let _ = rows.keep();
let _ = rows.clear();
let _ = rows.row(vec![1, 1]);
let _ = rows.row(vec![1, 1]);
check("awkward::boxed_slices", 740, &rows);
}
{
use beget_conformance::awkward::cells::*;
let panel = Panel::new();
check("awkward::cells", 0, &panel);
}
{
use beget_conformance::awkward::cells::*;
let panel = Panel::new();
let _ = panel.turn();
let _ = panel.log();
check("awkward::cells", 6, &panel);
}
{
use beget_conformance::awkward::cells::*;
let panel = Panel::new();
let _ = panel.turn();
let _ = panel.name(1);
let _ = panel.log();
check("awkward::cells", 13, &panel);
}
{
use beget_conformance::awkward::cells::*;
let panel = Panel::new();
let _ = panel.turn();
let panel_2 = Panel::new();
let _ = panel_2.turn();
let _ = panel.mode(&panel_2);
check("awkward::cells", 20, &panel);
}
{
use beget_conformance::awkward::cells::*;
let panel = Panel::new();
let _ = panel.turn();
let _ = panel.log();
let _ = panel.turn();
let _ = panel.swap(1);
check("awkward::cells", 26, &panel);
}
{
use beget_conformance::awkward::cells::*;
let panel = Panel::new();
let _ = panel.log();
let _ = panel.turn();
let panel_2 = Panel::new();
let _ = panel_2.turn();
let _ = panel.mode(&panel_2);
check("awkward::cells", 33, &panel);
}
{
use beget_conformance::awkward::cells::*;
let panel = Panel::new();
let _ = panel.name(1);
let _ = panel.log();
let _ = panel.turn();
let panel_2 = Panel::new();
let _ = panel_2.turn();
let _ = panel.mode(&panel_2);
check("awkward::cells", 40, &panel);
}
{
use beget_conformance::awkward::cells::*;
let panel = Panel::new();
let _ = panel.turn();
let _ = panel.name(1);
let _ = panel.log();
let _ = panel.turn();
let _ = panel.swap(1);
let panel_2 = Panel::new();
let _ = panel_2.turn();
let _ = panel.mode(&panel_2);
check("awkward::cells", 47, &panel);
}
{
use beget_conformance::awkward::chars::*;
let letters = Letters::new('ß');
check("awkward::chars", 0, &letters);
}
{
use beget_conformance::awkward::chars::*;
let mut letters = Letters::new('ß');
let _ = letters.keep();
let _ = letters.raise();
let _ = letters.next();
check("awkward::chars", 29, &letters);
}
{
use beget_conformance::awkward::chars::*;
let mut letters = Letters::new('ß');
let _ = letters.keep();
let _ = letters.raise();
let _ = letters.keep();
let _ = letters.next();
check("awkward::chars", 59, &letters);
}
{
use beget_conformance::awkward::chars::*;
let mut letters = Letters::new('ß');
let _ = letters.keep();
let _ = letters.next();
let _ = letters.raise();
let _ = letters.keep();
let _ = letters.keep();
check("awkward::chars", 89, &letters);
}
{
use beget_conformance::awkward::chars::*;
let mut letters = Letters::new('ß');
let _ = letters.keep();
let _ = letters.next();
let _ = letters.keep();
let _ = letters.raise();
let _ = letters.next();
let _ = letters.turn();
check("awkward::chars", 119, &letters);
}
{
use beget_conformance::awkward::chars::*;
let mut letters = Letters::new('ß');
let _ = letters.keep();
let _ = letters.raise();
let _ = letters.keep();
let _ = letters.turn();
let _ = letters.keep();
let _ = letters.next();
check("awkward::chars", 149, &letters);
}
{
use beget_conformance::awkward::chars::*;
let mut letters = Letters::new('ß');
let _ = letters.keep();
let _ = letters.raise();
let _ = letters.next();
let _ = letters.keep();
let _ = letters.raise();
let _ = letters.keep();
let _ = letters.turn();
check("awkward::chars", 179, &letters);
}
{
use beget_conformance::awkward::chars::*;
let mut letters = Letters::new('ß');
let _ = letters.keep();
let _ = letters.raise();
let _ = letters.next();
let _ = letters.keep();
let _ = letters.next();
let _ = letters.turn();
let _ = letters.keep();
let _ = letters.raise();
let _ = letters.turn();
check("awkward::chars", 209, &letters);
}
{
use beget_conformance::awkward::counted::*;
let doc = Doc::new();
check("awkward::counted", 0, &doc);
}
{
use beget_conformance::awkward::counted::*;
let mut doc = Doc::new();
let _ = doc.mark(1);
check("awkward::counted", 2, &doc);
}
{
use beget_conformance::awkward::counted::*;
let mut doc = Doc::new();
let _ = doc.make(1);
check("awkward::counted", 5, &doc);
}
{
use beget_conformance::awkward::counted::*;
let mut doc = Doc::new();
let _ = doc.mark(1);
let _ = doc.share();
check("awkward::counted", 8, &doc);
}
{
use beget_conformance::awkward::counted::*;
let mut doc = Doc::new();
let _ = doc.mark(1);
let _ = doc.make(2);
check("awkward::counted", 10, &doc);
}
{
use beget_conformance::awkward::counted::*;
let mut doc = Doc::new();
let _ = doc.mark(2);
let _ = doc.make(1);
check("awkward::counted", 13, &doc);
}
{
use beget_conformance::awkward::counted::*;
let mut doc = Doc::new();
let _ = doc.mark(3);
let _ = doc.share();
check("awkward::counted", 16, &doc);
}
{
use beget_conformance::awkward::counted::*;
let mut doc = Doc::new();
let _ = doc.mark(3);
let _ = doc.make(3);
check("awkward::counted", 19, &doc);
}
{
use beget_conformance::awkward::counted_atomically::*;
let team = Team::new(0);
check("awkward::counted_atomically", 0, &team);
}
{
use beget_conformance::awkward::counted_atomically::*;
let mut team = Team::new(0);
let _ = team.hire();
let _ = team.hire();
let _ = team.part();
check("awkward::counted_atomically", 10, &team);
}
{
use beget_conformance::awkward::counted_atomically::*;
let mut team = Team::new(0);
let _ = team.hire();
let _ = team.part();
let _ = team.own();
let _ = team.hire();
check("awkward::counted_atomically", 20, &team);
}
{
use beget_conformance::awkward::counted_atomically::*;
let mut team = Team::new(0);
let _ = team.hire();
let _ = team.part();
let _ = team.own();
let _ = team.hire();
let _ = team.promote();
check("awkward::counted_atomically", 30, &team);
}
{
use beget_conformance::awkward::counted_atomically::*;
let mut team = Team::new(0);
let _ = team.hire();
let _ = team.hire();
let _ = team.part();
let _ = team.promote();
let _ = team.part();
let _ = team.mark(1);
check("awkward::counted_atomically", 40, &team);
}
{
use beget_conformance::awkward::counted_atomically::*;
let mut team = Team::new(1);
let _ = team.hire();
let _ = team.hire();
let _ = team.part();
let _ = team.promote();
let _ = team.promote();
let _ = team.own();
check("awkward::counted_atomically", 50, &team);
}
{
use beget_conformance::awkward::counted_atomically::*;
let mut team = Team::new(0);
let _ = team.hire();
let _ = team.part();
let _ = team.own();
let _ = team.hire();
let _ = team.promote();
let _ = team.part();
let _ = team.mark(1);
check("awkward::counted_atomically", 60, &team);
}
{
use beget_conformance::awkward::counted_atomically::*;
let mut team = Team::new(0);
let _ = team.own();
let _ = team.hire();
let _ = team.hire();
let _ = team.part();
let _ = team.promote();
let _ = team.part();
let _ = team.mark(1);
let _ = team.promote();
check("awkward::counted_atomically", 71, &team);
}
{
use beget_conformance::awkward::cycles::*;
let ring = Ring::new();
check("awkward::cycles", 0, &ring);
}
{
use beget_conformance::awkward::cycles::*;
let mut ring = Ring::new();
let _ = ring.insert(1);
check("awkward::cycles", 2, &ring);
}
{
use beget_conformance::awkward::cycles::*;
let mut ring = Ring::new();
let _ = ring.insert(0);
let _ = ring.insert(1);
check("awkward::cycles", 4, &ring);
}
{
use beget_conformance::awkward::cycles::*;
let mut ring = Ring::new();
let _ = ring.insert(1);
let _ = ring.insert(0);
check("awkward::cycles", 6, &ring);
}
{
use beget_conformance::awkward::cycles::*;
let mut ring = Ring::new();
let _ = ring.insert(0);
let _ = ring.insert(0);
let _ = ring.insert(0);
check("awkward::cycles", 9, &ring);
}
{
use beget_conformance::awkward::cycles::*;
let mut ring = Ring::new();
let _ = ring.insert(0);
let _ = ring.insert(1);
let _ = ring.insert(0);
check("awkward::cycles", 11, &ring);
}
{
use beget_conformance::awkward::cycles::*;
let mut ring = Ring::new();
let _ = ring.insert(1);
let _ = ring.insert(0);
let _ = ring.insert(0);
check("awkward::cycles", 13, &ring);
}
{
use beget_conformance::awkward::cycles::*;
let mut ring = Ring::new();
let _ = ring.insert(1);
let _ = ring.insert(1);
let _ = ring.insert(1);
check("awkward::cycles", 16, &ring);
}
{
use beget_conformance::awkward::deep::*;
let tower = Tower::new();
check("awkward::deep", 0, &tower);
}
{
use beget_conformance::awkward::deep::*;
let mut tower = Tower::new();
let _ = tower.build(129);
check("awkward::deep", 2, &tower);
}
{
use beget_conformance::awkward::deep::*;
let mut tower = Tower::new();
let _ = tower.build(100);
let _ = tower.build(129);
check("awkward::deep", 4, &tower);
}
{
use beget_conformance::awkward::deep::*;
let mut tower = Tower::new();
let _ = tower.build(129);
let _ = tower.mark(100);
check("awkward::deep", 7, &tower);
}
{
use beget_conformance::awkward::deep::*;
let mut tower = Tower::new();
let _ = tower.build(100);
let _ = tower.build(100);
let _ = tower.mark(129);
check("awkward::deep", 9, &tower);
}
{
use beget_conformance::awkward::deep::*;
let mut tower = Tower::new();
let _ = tower.build(129);
let _ = tower.build(100);
let _ = tower.mark(100);
check("awkward::deep", 12, &tower);
}
{
use beget_conformance::awkward::deep::*;
let mut tower = Tower::new();
let _ = tower.build(129);
let _ = tower.build(129);
let _ = tower.mark(100);
check("awkward::deep", 14, &tower);
}
{
use beget_conformance::awkward::deep::*;
let mut tower = Tower::new();
let _ = tower.build(129);
let _ = tower.mark(100);
let _ = tower.build(129);
check("awkward::deep", 17, &tower);
}
{
use beget_conformance::awkward::deques::*;
let deque = Deque::new();
check("awkward::deques", 0, &deque);
}
{
use beget_conformance::awkward::deques::*;
let mut deque = Deque::new();
let _ = deque.push_back(0);
let _ = deque.push_back(1);
check("awkward::deques", 5, &deque);
}
{
use beget_conformance::awkward::deques::*;
let mut deque = Deque::new();
let _ = deque.push_back(1);
let _ = deque.push_front(2);
check("awkward::deques", 11, &deque);
}
{
use beget_conformance::awkward::deques::*;
let mut deque = Deque::new();
let _ = deque.push_back(0);
let _ = deque.push_back(0);
let _ = deque.push_front(1);
check("awkward::deques", 16, &deque);
}
{
use beget_conformance::awkward::deques::*;
let mut deque = Deque::new();
let _ = deque.push_back(0);
let _ = deque.push_back(1);
let _ = deque.push_front(2);
check("awkward::deques", 22, &deque);
}
{
use beget_conformance::awkward::deques::*;
let mut deque = Deque::new();
let _ = deque.push_back(0);
let _ = deque.push_back(2);
let _ = deque.push_front(2);
check("awkward::deques", 27, &deque);
}
{
use beget_conformance::awkward::deques::*;
let mut deque = Deque::new();
let _ = deque.push_back(1);
let _ = deque.push_back(1);
let _ = deque.push_back(2);
check("awkward::deques", 33, &deque);
}
{
use beget_conformance::awkward::deques::*;
let mut deque = Deque::new();
let _ = deque.push_back(2);
let _ = deque.push_back(2);
let _ = deque.push_back(2);
check("awkward::deques", 39, &deque);
}
{
use beget_conformance::awkward::destructors::*;
let pool = Pool::new();
check("awkward::destructors", 0, &pool);
}
{
use beget_conformance::awkward::destructors::*;
let mut pool = Pool::new();
let _ = pool.lend(1);
let _ = pool.lend(0);
check("awkward::destructors", 7, &pool);
}
{
use beget_conformance::awkward::destructors::*;
let mut pool = Pool::new();
let _ = pool.lend(3);
let _ = pool.give_back();
check("awkward::destructors", 14, &pool);
}
{
use beget_conformance::awkward::destructors::*;
let mut pool = Pool::new();
let _ = pool.lend(3);
let _ = pool.lend(3);
let _ = pool.give_back();
check("awkward::destructors", 21, &pool);
}
{
use beget_conformance::awkward::destructors::*;
let mut pool = Pool::new();
let _ = pool.lend(1);
let _ = pool.lend(1);
let _ = pool.give_back();
let _ = pool.lend(1);
check("awkward::destructors", 29, &pool);
}
{
use beget_conformance::awkward::destructors::*;
let mut pool = Pool::new();
let _ = pool.lend(1);
let _ = pool.lend(3);
let _ = pool.give_back();
let _ = pool.lend(3);
check("awkward::destructors", 36, &pool);
}
{
use beget_conformance::awkward::destructors::*;
let mut pool = Pool::new();
let _ = pool.lend(1);
let _ = pool.lend(1);
let mut pool_2 = pool.close();
let _ = pool_2.lend(0);
let _ = pool_2.lend(0);
check("awkward::destructors", 43, &pool_2);
}
{
use beget_conformance::awkward::destructors::*;
let mut pool = Pool::new();
let _ = pool.lend(1);
let _ = pool.lend(1);
let mut pool_2 = pool.close();
let _ = pool_2.lend(3);
let _ = pool_2.lend(3);
check("awkward::destructors", 51, &pool_2);
}
{
use beget_conformance::awkward::domains::*;
let lamp = Lamp::new(vec![]);
check("awkward::domains", 0, &lamp);
}
{
use beget_conformance::awkward::domains::*;
let lamp = Lamp::new(vec![false, true]);
check("awkward::domains", 4, &lamp);
}
{
use beget_conformance::awkward::domains::*;
let mut lamp = Lamp::new(vec![]);
let _ = lamp.order(Order::Set { key: 1, on: false });
check("awkward::domains", 9, &lamp);
}
{
use beget_conformance::awkward::domains::*;
let mut lamp = Lamp::new(vec![false]);
let _ = lamp.order(Order::Set { key: 1, on: true });
check("awkward::domains", 14, &lamp);
}
{
use beget_conformance::awkward::domains::*;
let mut lamp = Lamp::new(vec![false, false]);
let _ = lamp.order(Order::Set { key: 0, on: false });
check("awkward::domains", 19, &lamp);
}
{
use beget_conformance::awkward::domains::*;
let mut lamp = Lamp::new(vec![false, true]);
let _ = lamp.order(Order::Set { key: 0, on: true });
check("awkward::domains", 24, &lamp);
}
{
use beget_conformance::awkward::domains::*;
let mut lamp = Lamp::new(vec![true, false]);
let _ = lamp.order(Order::Set { key: 1, on: false });
check("awkward::domains", 29, &lamp);
}
{
use beget_conformance::awkward::domains::*;
let mut lamp = Lamp::new(vec![true, true]);
let _ = lamp.order(Order::Set { key: 1, on: true });
check("awkward::domains", 34, &lamp);
}
{
use beget_conformance::awkward::durations::*;
let timer = Timer::new();
check("awkward::durations", 0, &timer);
}
{
use beget_conformance::awkward::durations::*;
let mut timer = Timer::new();
let _ = timer.cut();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
check("awkward::durations", 14, &timer);
}
{
use beget_conformance::awkward::durations::*;
let mut timer = Timer::new();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.cut();
check("awkward::durations", 29, &timer);
}
{
use beget_conformance::awkward::durations::*;
let mut timer = Timer::new();
let _ = timer.cut();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
check("awkward::durations", 44, &timer);
}
{
use beget_conformance::awkward::durations::*;
let mut timer = Timer::new();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.cut();
let _ = timer.halve();
let _ = timer.halve();
check("awkward::durations", 58, &timer);
}
{
use beget_conformance::awkward::durations::*;
let mut timer = Timer::new();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.cut();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
check("awkward::durations", 73, &timer);
}
{
use beget_conformance::awkward::durations::*;
let mut timer = Timer::new();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.cut();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
check("awkward::durations", 88, &timer);
}
{
use beget_conformance::awkward::durations::*;
let mut timer = Timer::new();
let _ = timer.cut();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
let _ = timer.halve();
check("awkward::durations", 103, &timer);
}
{
use beget_conformance::awkward::errors::*;
let purse = Purse::new().unwrap();
check("awkward::errors", 0, &purse);
}
{
use beget_conformance::awkward::errors::*;
let mut purse = Purse::new().unwrap();
let _ = purse.earn(1);
check("awkward::errors", 2, &purse);
}
{
use beget_conformance::awkward::errors::*;
let mut purse = Purse::new().unwrap();
let _ = purse.pay(1);
let _ = purse.pay(1);
check("awkward::errors", 4, &purse);
}
{
use beget_conformance::awkward::errors::*;
let mut purse = Purse::new().unwrap();
let _ = purse.pay(1);
let _ = purse.earn(2);
check("awkward::errors", 6, &purse);
}
{
use beget_conformance::awkward::errors::*;
let mut purse = Purse::new().unwrap();
let _ = purse.earn(2);
let _ = purse.earn(2);
check("awkward::errors", 8, &purse);
}
{
use beget_conformance::awkward::errors::*;
let mut purse = Purse::new().unwrap();
let _ = purse.pay(1);
let _ = purse.pay(1);
let _ = purse.earn(2);
check("awkward::errors", 10, &purse);
}
{
use beget_conformance::awkward::errors::*;
let mut purse = Purse::new().unwrap();
let _ = purse.pay(1);
let _ = purse.earn(2);
let _ = purse.earn(2);
check("awkward::errors", 12, &purse);
}
{
use beget_conformance::awkward::errors::*;
let mut purse = Purse::new().unwrap();
let _ = purse.pay(1);
let _ = purse.pay(1);
let _ = purse.earn(2);
let _ = purse.earn(2);
check("awkward::errors", 14, &purse);
}
{
use beget_conformance::awkward::errors_and_panics::*;
let gate = Gate::new();
check("awkward::errors_and_panics", 0, &gate);
}
{
use beget_conformance::awkward::errors_and_panics::*;
let mut gate = Gate::new();
let _ = gate.enter(1);
check("awkward::errors_and_panics", 2, &gate);
}
{
use beget_conformance::awkward::errors_and_panics::*;
let mut gate = Gate::new();
let _ = gate.enter(0);
let _ = gate.enter(1);
check("awkward::errors_and_panics", 5, &gate);
}
{
use beget_conformance::awkward::errors_and_panics::*;
let mut gate = Gate::new();
let _ = gate.enter(1);
let _ = gate.enter(1);
check("awkward::errors_and_panics", 7, &gate);
}
{
use beget_conformance::awkward::errors_and_panics::*;
let mut gate = Gate::new();
let _ = gate.enter(0);
let _ = gate.enter(0);
let _ = gate.close();
check("awkward::errors_and_panics", 10, &gate);
}
{
use beget_conformance::awkward::errors_and_panics::*;
let mut gate = Gate::new();
let _ = gate.enter(0);
let _ = gate.enter(1);
let _ = gate.enter(1);
check("awkward::errors_and_panics", 12, &gate);
}
{
use beget_conformance::awkward::errors_and_panics::*;
let mut gate = Gate::new();
let _ = gate.enter(1);
let _ = gate.enter(1);
let _ = gate.enter(0);
check("awkward::errors_and_panics", 15, &gate);
}
{
use beget_conformance::awkward::errors_and_panics::*;
let mut gate = Gate::new();
let _ = gate.enter(0);
let _ = gate.enter(1);
let _ = gate.enter(0);
let _ = gate.close();
check("awkward::errors_and_panics", 18, &gate);
}
{
use beget_conformance::awkward::expressions::*;
let expr = Expr::unit();
check("awkward::expressions", 0, &expr);
}
{
use beget_conformance::awkward::expressions::*;
let expr = Expr::lit(-1);
check("awkward::expressions", 1, &expr);
}
{
use beget_conformance::awkward::expressions::*;
let expr = Expr::lit(5);
check("awkward::expressions", 2, &expr);
}
{
use beget_conformance::awkward::expressions::*;
let expr = Expr::unit();
let expr_2 = expr.neg();
check("awkward::expressions", 3, &expr_2);
}
{
use beget_conformance::awkward::expressions::*;
let expr = Expr::lit(-1);
let expr_2 = expr.neg();
check("awkward::expressions", 4, &expr_2);
}
{
use beget_conformance::awkward::expressions::*;
let expr = Expr::lit(5);
let expr_2 = expr.neg();
check("awkward::expressions", 5, &expr_2);
}
{
use beget_conformance::awkward::floats::*;
let point = Point::new(0.0);
check("awkward::floats", 0, &point);
}
{
use beget_conformance::awkward::floats::*;
let mut point = Point::new(0.0);
let _ = point.lift(-1.0);
check("awkward::floats", 9, &point);
}
{
use beget_conformance::awkward::floats::*;
let mut point = Point::new(-0.0);
let _ = point.lift(f32::NEG_INFINITY);
check("awkward::floats", 18, &point);
}
{
use beget_conformance::awkward::floats::*;
let mut point = Point::new(-1.0);
let _ = point.lift(1.0);
check("awkward::floats", 27, &point);
}
{
use beget_conformance::awkward::floats::*;
let mut point = Point::new(f64::INFINITY);
let _ = point.lift(f32::NEG_INFINITY);
check("awkward::floats", 36, &point);
}
{
use beget_conformance::awkward::floats::*;
let mut point = Point::new(f64::NAN);
let _ = point.lift(1.0);
check("awkward::floats", 45, &point);
}
{
use beget_conformance::awkward::floats::*;
let mut point = Point::new(0.0);
let _ = point.lift(f32::NEG_INFINITY);
let _ = point.scale(f64::INFINITY);
check("awkward::floats", 54, &point);
}
{
use beget_conformance::awkward::floats::*;
let mut point = Point::new(0.0);
let _ = point.scale(f64::INFINITY);
let _ = point.turn();
let _ = point.scale(f64::NAN);
check("awkward::floats", 63, &point);
}
{
use beget_conformance::awkward::generations::*;
let table = Table::new();
check("awkward::generations", 0, &table);
}
{
use beget_conformance::awkward::generations::*;
let mut table = Table::new();
let _ = table.insert(0);
let _ = table.remove();
let _ = table.insert(0);
let _ = table.forget();
let _ = table.remove();
let _ = table.insert(0);
let _ = table.forget();
let _ = table.insert(0);
check("awkward::generations", 123, &table);
}
{
use beget_conformance::awkward::generations::*;
let mut table = Table::new();
let _ = table.insert(0);
let _ = table.insert(0);
let _ = table.remove();
let _ = table.forget();
let _ = table.remove();
let _ = table.insert(1);
let _ = table.forget();
let _ = table.insert(0);
let _ = table.forget();
let _ = table.remove();
let _ = table.insert(0);
check("awkward::generations", 246, &table);
}
{
use beget_conformance::awkward::generations::*;
let mut table = Table::new();
let _ = table.insert(0);
let _ = table.remove();
let _ = table.insert(0);
let _ = table.forget();
let _ = table.remove();
let _ = table.insert(0);
let _ = table.forget();
let _ = table.remove();
let _ = table.insert(0);
let _ = table.forget();
let _ = table.insert(1);
let _ = table.remove();
let _ = table.forget();
check("awkward::generations", 370, &table);
}
{
use beget_conformance::awkward::generations::*;
let mut table = Table::new();
let _ = table.insert(0);
let _ = table.insert(0);
let _ = table.remove();
let _ = table.forget();
let _ = table.insert(0);
let _ = table.forget();
let _ = table.remove();
let _ = table.insert(0);
let _ = table.forget();
let _ = table.remove();
let _ = table.insert(0);
let _ = table.forget();
let _ = table.remove();
let _ = table.insert(1);
let _ = table.forget();
check("awkward::generations", 493, &table);
}
{
use beget_conformance::awkward::generations::*;
let mut table = Table::new();
let _ = table.insert(0);
let _ = table.insert(0);
let _ = table.remove();
let _ = table.forget();
let _ = table.insert(0);
let _ = table.forget();
let _ = table.remove();
let _ = table.insert(0);
let _ = table.forget();
let _ = table.remove();
let _ = table.insert(0);
let _ = table.forget();
let _ = table.remove();
let _ = table.insert(0);
let _ = table.forget();
let _ = table.remove();
let _ = table.insert(1);
check("awkward::generations", 617, &table);
}
{
use beget_conformance::awkward::generations::*;
let mut table = Table::new();
let _ = table.insert(0);
let _ = table.insert(0);
let _ = table.remove();
let _ = table.forget();
let _ = table.insert(0);
let _ = table.remove();
let _ = table.forget();
let _ = table.insert(0);
let _ = table.remove();
let _ = table.forget();
let _ = table.insert(0);
let _ = table.remove();
let _ = table.forget();
let _ = table.remove();
let _ = table.insert(0);
let _ = table.forget();
let _ = table.remove();
let _ = table.insert(0);
let _ = table.forget();
let _ = table.insert(1);
check("awkward::generations", 740, &table);
}
{
use beget_conformance::awkward::generations::*;
let mut table = Table::new();
let _ = table.insert(0);
let _ = table.insert(0);
let _ = table.remove();
let _ = table.forget();
let _ = table.insert(0);
let _ = table.remove();
let _ = table.forget();
let _ = table.insert(0);
let _ = table.remove();
let _ = table.forget();
let _ = table.insert(0);
let _ = table.remove();
let _ = table.forget();
let _ = table.insert(0);
let _ = table.remove();
let _ = table.forget();
let _ = table.insert(0);
let _ = table.remove();
let _ = table.forget();
let _ = table.insert(0);
let _ = table.remove();
let _ = table.forget();
let _ = table.insert(0);
let _ = table.remove();
let _ = table.forget();
let _ = table.remove();
let _ = table.forget();
check("awkward::generations", 864, &table);
}
{
use beget_conformance::awkward::heaps_of_boxes::*;
let queues = Queues::new();
check("awkward::heaps_of_boxes", 0, &queues);
}
{
use beget_conformance::awkward::heaps_of_boxes::*;
let mut queues = Queues::new();
let _ = queues.push(false, 1);
let _ = queues.push(true, 1);
let _ = queues.halve(false);
check("awkward::heaps_of_boxes", 24, &queues);
}
{
use beget_conformance::awkward::heaps_of_boxes::*;
let mut queues = Queues::new();
let _ = queues.push(false, 1);
let _ = queues.push(false, 1);
let _ = queues.halve(false);
let _ = queues.pop(false);
check("awkward::heaps_of_boxes", 48, &queues);
}
{
use beget_conformance::awkward::heaps_of_boxes::*;
let mut queues = Queues::new();
let _ = queues.push(false, 1);
let _ = queues.push(true, 2);
let _ = queues.pop(false);
let _ = queues.pop(true);
check("awkward::heaps_of_boxes", 73, &queues);
}
{
use beget_conformance::awkward::heaps_of_boxes::*;
let mut queues = Queues::new();
let _ = queues.push(true, 1);
let _ = queues.halve(true);
let _ = queues.pop(true);
let _ = queues.push(true, 2);
check("awkward::heaps_of_boxes", 97, &queues);
}
{
use beget_conformance::awkward::heaps_of_boxes::*;
let mut queues = Queues::new();
let _ = queues.push(false, 1);
let _ = queues.push(true, 1);
let _ = queues.halve(true);
let _ = queues.pop(false);
let _ = queues.push(true, 2);
check("awkward::heaps_of_boxes", 122, &queues);
}
{
use beget_conformance::awkward::heaps_of_boxes::*;
let mut queues = Queues::new();
let _ = queues.push(false, 1);
let _ = queues.push(false, 1);
let _ = queues.halve(false);
let _ = queues.halve(false);
let _ = queues.pop(false);
let _ = queues.push(false, 2);
check("awkward::heaps_of_boxes", 146, &queues);
}
{
use beget_conformance::awkward::heaps_of_boxes::*;
let mut queues = Queues::new();
let _ = queues.push(true, 1);
let _ = queues.push(true, 1);
let _ = queues.halve(true);
let _ = queues.halve(true);
let _ = queues.pop(true);
let _ = queues.push(true, 1);
let _ = queues.halve(true);
check("awkward::heaps_of_boxes", 171, &queues);
}
{
use beget_conformance::awkward::integers_in_place::*;
let grid = Grid::new();
check("awkward::integers_in_place", 0, &grid);
}
{
use beget_conformance::awkward::integers_in_place::*;
let mut grid = Grid::new();
let _ = grid.set(2);
let _ = grid.widen(100);
let _ = grid.row(2);
check("awkward::integers_in_place", 228, &grid);
}
{
use beget_conformance::awkward::integers_in_place::*;
let mut grid = Grid::new();
let _ = grid.size(2);
let _ = grid.flag(2);
let _ = grid.widen(1);
check("awkward::integers_in_place", 456, &grid);
}
{
use beget_conformance::awkward::integers_in_place::*;
let mut grid = Grid::new();
let _ = grid.set(1);
let _ = grid.flag(2);
let _ = grid.widen(100);
let _ = grid.row(1);
check("awkward::integers_in_place", 685, &grid);
}
{
use beget_conformance::awkward::integers_in_place::*;
let mut grid = Grid::new();
let _ = grid.set(100);
let _ = grid.size(0);
let _ = grid.flag(1);
let _ = grid.widen(100);
check("awkward::integers_in_place", 913, &grid);
}
{
use beget_conformance::awkward::integers_in_place::*;
let mut grid = Grid::new();
let _ = grid.size(100);
let _ = grid.flag(0);
let _ = grid.widen(100);
let _ = grid.row(2);
check("awkward::integers_in_place", 1142, &grid);
}
{
use beget_conformance::awkward::integers_in_place::*;
let mut grid = Grid::new();
let _ = grid.set(2);
let _ = grid.size(1);
let _ = grid.flag(1);
let _ = grid.widen(100);
let _ = grid.row(2);
check("awkward::integers_in_place", 1370, &grid);
}
{
use beget_conformance::awkward::integers_in_place::*;
let mut grid = Grid::new();
let _ = grid.set(100);
let _ = grid.size(100);
let _ = grid.flag(2);
let _ = grid.widen(100);
let _ = grid.row(100);
check("awkward::integers_in_place", 1599, &grid);
}
{
use beget_conformance::awkward::late::*;
let counter = Counter::new(0);
check("awkward::late", 0, &counter);
}
{
use beget_conformance::awkward::late::*;
let counter = Counter::new(1141);
check("awkward::late", 1141, &counter);
}
{
use beget_conformance::awkward::late::*;
let mut counter = Counter::new(836);
let _ = counter.double();
check("awkward::late", 2283, &counter);
}
{
use beget_conformance::awkward::late::*;
let mut counter = Counter::new(777);
let _ = counter.carry();
let _ = counter.keep();
check("awkward::late", 3424, &counter);
}
{
use beget_conformance::awkward::late::*;
let mut counter = Counter::new(663);
let _ = counter.keep();
let _ = counter.double();
let _ = counter.double();
check("awkward::late", 4566, &counter);
}
{
use beget_conformance::awkward::late::*;
let mut counter = Counter::new(865);
let _ = counter.double();
let _ = counter.carry();
let _ = counter.double();
let _ = counter.double();
check("awkward::late", 5707, &counter);
}
{
use beget_conformance::awkward::late::*;
let mut counter = Counter::new(982);
let _ = counter.double();
let _ = counter.carry();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.keep();
check("awkward::late", 6849, &counter);
}
{
use beget_conformance::awkward::late::*;
let mut counter = Counter::new(717);
let _ = counter.carry();
let _ = counter.keep();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
let _ = counter.double();
check("awkward::late", 7991, &counter);
}
{
use beget_conformance::awkward::late_values::*;
let memo = Memo::new();
check("awkward::late_values", 0, &memo);
}
{
use beget_conformance::awkward::late_values::*;
let mut memo = Memo::new();
let _ = memo.ask();
let _ = memo.answer();
check("awkward::late_values", 11, &memo);
}
{
use beget_conformance::awkward::late_values::*;
let mut memo = Memo::new();
let _ = memo.answer();
let _ = memo.ask();
let _ = memo.know(0);
check("awkward::late_values", 22, &memo);
}
{
use beget_conformance::awkward::late_values::*;
let mut memo = Memo::new();
let _ = memo.know(1);
let _ = memo.ask();
let _ = memo.forget();
let _ = memo.know(0);
check("awkward::late_values", 33, &memo);
}
{
use beget_conformance::awkward::late_values::*;
let mut memo = Memo::new();
let _ = memo.know(0);
let _ = memo.answer();
let _ = memo.ask();
let _ = memo.forget();
let _ = memo.know(1);
check("awkward::late_values", 45, &memo);
}
{
use beget_conformance::awkward::late_values::*;
let mut memo = Memo::new();
let _ = memo.know(0);
let _ = memo.ask();
let _ = memo.answer();
let _ = memo.ask();
let _ = memo.forget();
let _ = memo.change();
check("awkward::late_values", 56, &memo);
}
{
use beget_conformance::awkward::late_values::*;
let mut memo = Memo::new();
let _ = memo.ask();
let _ = memo.know(0);
let _ = memo.answer();
let _ = memo.ask();
let _ = memo.forget();
let _ = memo.know(1);
check("awkward::late_values", 67, &memo);
}
{
use beget_conformance::awkward::late_values::*;
let mut memo = Memo::new();
let _ = memo.know(1);
let _ = memo.ask();
let _ = memo.answer();
let _ = memo.ask();
let _ = memo.forget();
let _ = memo.know(1);
let _ = memo.change();
let _ = memo.change();
check("awkward::late_values", 79, &memo);
}
{
use beget_conformance::awkward::leaked_borrows::*;
let shelf = Shelf::new();
check("awkward::leaked_borrows", 0, &shelf);
}
{
use beget_conformance::awkward::leaked_borrows::*;
let shelf = Shelf::new();
let _ = shelf.add(0);
check("awkward::leaked_borrows", 1, &shelf);
}
{
use beget_conformance::awkward::leaked_borrows::*;
let shelf = Shelf::new();
let _ = shelf.count();
check("awkward::leaked_borrows", 3, &shelf);
}
{
use beget_conformance::awkward::leaked_borrows::*;
let shelf = Shelf::new();
let _ = shelf.add(0);
let _ = shelf.add(1);
check("awkward::leaked_borrows", 5, &shelf);
}
{
use beget_conformance::awkward::leaked_borrows::*;
let shelf = Shelf::new();
let _ = shelf.add(1);
let _ = shelf.add(0);
check("awkward::leaked_borrows", 7, &shelf);
}
{
use beget_conformance::awkward::leaked_borrows::*;
let shelf = Shelf::new();
let _ = shelf.add(1);
let _ = shelf.count();
check("awkward::leaked_borrows", 9, &shelf);
}
{
use beget_conformance::awkward::leaked_borrows::*;
let shelf = Shelf::new();
let _ = shelf.add(0);
let _ = shelf.add(1);
let _ = shelf.count();
check("awkward::leaked_borrows", 11, &shelf);
}
{
use beget_conformance::awkward::leaked_borrows::*;
let shelf = Shelf::new();
let _ = shelf.add(1);
let _ = shelf.add(1);
let _ = shelf.count();
check("awkward::leaked_borrows", 13, &shelf);
}
{
use beget_conformance::awkward::leaks::*;
let drain = Drain::new();
check("awkward::leaks", 0, &drain);
}
{
use beget_conformance::awkward::leaks::*;
let mut drain = Drain::new();
let _ = drain.drip(0);
let _ = drain.drip(1);
check("awkward::leaks", 5, &drain);
}
{
use beget_conformance::awkward::leaks::*;
let mut drain = Drain::new();
let _ = drain.drip(2);
let _ = drain.drip(1);
check("awkward::leaks", 11, &drain);
}
{
use beget_conformance::awkward::leaks::*;
let mut drain = Drain::new();
let _ = drain.drip(0);
let _ = drain.drip(1);
let _ = drain.drip(0);
check("awkward::leaks", 16, &drain);
}
{
use beget_conformance::awkward::leaks::*;
let mut drain = Drain::new();
let _ = drain.drip(1);
let _ = drain.drip(0);
let _ = drain.drip(0);
check("awkward::leaks", 22, &drain);
}
{
use beget_conformance::awkward::leaks::*;
let mut drain = Drain::new();
let _ = drain.drip(1);
let _ = drain.drip(1);
let _ = drain.drip(2);
check("awkward::leaks", 27, &drain);
}
{
use beget_conformance::awkward::leaks::*;
let mut drain = Drain::new();
let _ = drain.drip(2);
let _ = drain.drip(0);
let _ = drain.drip(2);
check("awkward::leaks", 33, &drain);
}
{
use beget_conformance::awkward::leaks::*;
let mut drain = Drain::new();
let _ = drain.drip(2);
let _ = drain.drip(2);
let _ = drain.drip(2);
check("awkward::leaks", 39, &drain);
}
{
use beget_conformance::awkward::lent_ends::*;
let chain = Chain::new();
check("awkward::lent_ends", 0, &chain);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
check("awkward::lent_ends", 1, &chain);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(1);
check("awkward::lent_ends", 2, &chain);
}
{
use beget_conformance::awkward::lent_ends::*;
let chain = Chain::new();
let end = chain.end();
drop(chain);
check("awkward::lent_ends", 3, &end);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.push(0);
check("awkward::lent_ends", 4, &chain);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.push(1);
check("awkward::lent_ends", 5, &chain);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let end = chain.end();
drop(chain);
check("awkward::lent_ends", 6, &end);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let end = chain.halves().1;
drop(chain);
check("awkward::lent_ends", 7, &end);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.change();
check("awkward::lent_ends", 8, &chain);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let watch = chain.watch().unwrap();
drop(chain);
check("awkward::lent_ends", 9, &watch);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(1);
let _ = chain.push(0);
check("awkward::lent_ends", 10, &chain);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(1);
let _ = chain.push(1);
check("awkward::lent_ends", 11, &chain);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(1);
let end = chain.end();
drop(chain);
check("awkward::lent_ends", 12, &end);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(1);
let end = chain.halves().1;
drop(chain);
check("awkward::lent_ends", 13, &end);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(1);
let watch = chain.watch().unwrap();
drop(chain);
check("awkward::lent_ends", 14, &watch);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.push(0);
let _ = chain.change();
check("awkward::lent_ends", 15, &chain);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.push(0);
let watch = chain.watch().unwrap();
drop(chain);
check("awkward::lent_ends", 16, &watch);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.push(1);
let watch = chain.watch().unwrap();
drop(chain);
check("awkward::lent_ends", 17, &watch);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let mut end = chain.end();
drop(chain);
let _ = end.count();
check("awkward::lent_ends", 18, &end);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.change();
let _ = chain.push(0);
check("awkward::lent_ends", 19, &chain);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.change();
let _ = chain.push(1);
check("awkward::lent_ends", 20, &chain);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.change();
let end = chain.end();
drop(chain);
check("awkward::lent_ends", 21, &end);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.change();
let end = chain.halves().1;
drop(chain);
check("awkward::lent_ends", 22, &end);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.change();
let watch = chain.watch().unwrap();
drop(chain);
check("awkward::lent_ends", 23, &watch);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let mut watch = chain.watch().unwrap();
drop(chain);
let _ = watch.forget();
check("awkward::lent_ends", 24, &watch);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(1);
let _ = chain.push(0);
let _ = chain.change();
check("awkward::lent_ends", 25, &chain);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(1);
let _ = chain.push(0);
let watch = chain.watch().unwrap();
drop(chain);
check("awkward::lent_ends", 26, &watch);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(1);
let _ = chain.push(1);
let watch = chain.watch().unwrap();
drop(chain);
check("awkward::lent_ends", 27, &watch);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(1);
let mut end = chain.end();
drop(chain);
let _ = end.count();
check("awkward::lent_ends", 28, &end);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.push(0);
let _ = chain.change();
let watch = chain.watch().unwrap();
drop(chain);
check("awkward::lent_ends", 29, &watch);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.change();
let _ = chain.push(0);
let _ = chain.change();
check("awkward::lent_ends", 30, &chain);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.change();
let _ = chain.push(0);
let watch = chain.watch().unwrap();
drop(chain);
check("awkward::lent_ends", 31, &watch);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.change();
let _ = chain.push(1);
let watch = chain.watch().unwrap();
drop(chain);
check("awkward::lent_ends", 32, &watch);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.change();
let mut end = chain.end();
drop(chain);
let _ = end.count();
check("awkward::lent_ends", 33, &end);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(1);
let _ = chain.push(0);
let _ = chain.change();
let watch = chain.watch().unwrap();
drop(chain);
check("awkward::lent_ends", 34, &watch);
}
{
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
let _ = chain.push(0);
let _ = chain.change();
let _ = chain.push(0);
let _ = chain.change();
let watch = chain.watch().unwrap();
drop(chain);
check("awkward::lent_ends", 35, &watch);
}
fails("panicked at conformance/src/awkward/lent_ends.rs:89:9: the end is alone, 2 owned it", &mut || {
use beget_conformance::awkward::lent_ends::*;
let mut chain = Chain::new();
chain.push(0);
let end = chain.end();
drop(chain);
let _ = end.only();
});
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
check("awkward::lent_twice", 0, &jar);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let knot = jar.knot(&jar_2);
drop(jar);
drop(jar_2);
check("awkward::lent_twice", 1, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let mut jar = Jar::new();
let mut jar_2 = Jar::new();
let _ = jar.trade(&mut jar_2);
drop(jar_2);
check("awkward::lent_twice", 2, &jar);
}
{
use beget_conformance::awkward::lent_twice::*;
let mut jar = Jar::new();
let mut jar_2 = Jar::new();
let knot = jar.trade(&mut jar_2);
drop(jar);
drop(jar_2);
check("awkward::lent_twice", 3, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let _ = jar.tie(&jar_2);
check("awkward::lent_twice", 4, &jar_2);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let knot = jar.tie(&jar_2);
drop(jar_2);
check("awkward::lent_twice", 5, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let mut knot = jar.knot(&jar_2);
drop(jar);
drop(jar_2);
let _ = knot.count();
check("awkward::lent_twice", 6, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let knot = jar.knot(&jar_2);
drop(jar);
drop(jar_2);
let knot_2 = knot.split().1;
check("awkward::lent_twice", 7, &knot_2);
}
{
use beget_conformance::awkward::lent_twice::*;
let mut jar = Jar::new();
let mut jar_2 = Jar::new();
let mut knot = jar.trade(&mut jar_2);
drop(jar);
drop(jar_2);
let _ = knot.count();
check("awkward::lent_twice", 8, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let mut jar = Jar::new();
let mut jar_2 = Jar::new();
let knot = jar.trade(&mut jar_2);
drop(jar);
drop(jar_2);
let knot_2 = knot.split().1;
check("awkward::lent_twice", 9, &knot_2);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let mut knot = jar.tie(&jar_2);
drop(jar_2);
let _ = knot.count();
check("awkward::lent_twice", 10, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let knot = jar.tie(&jar_2);
drop(jar_2);
let knot_2 = knot.split().1;
check("awkward::lent_twice", 11, &knot_2);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let mut jar_2 = Jar::new();
let mut jar_3 = Jar::new();
let _ = jar_2.trade(&mut jar_3);
drop(jar_3);
let knot = jar.knot(&jar_2);
drop(jar);
drop(jar_2);
check("awkward::lent_twice", 12, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let mut jar = Jar::new();
let mut jar_2 = Jar::new();
let _ = jar.trade(&mut jar_2);
drop(jar_2);
let mut jar_3 = Jar::new();
let knot = jar.trade(&mut jar_3);
drop(jar);
drop(jar_3);
check("awkward::lent_twice", 13, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let mut jar = Jar::new();
let mut jar_2 = Jar::new();
let _ = jar.trade(&mut jar_2);
drop(jar_2);
let jar_3 = Jar::new();
let knot = jar.tie(&jar_3);
drop(jar_3);
check("awkward::lent_twice", 14, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let _ = jar.tie(&jar_2);
let jar_3 = Jar::new();
let knot = jar_2.knot(&jar_3);
drop(jar_2);
drop(jar_3);
check("awkward::lent_twice", 15, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let _ = jar.tie(&jar_2);
let jar_3 = Jar::new();
let knot = jar_2.tie(&jar_3);
drop(jar_3);
check("awkward::lent_twice", 16, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let mut jar_2 = Jar::new();
let mut jar_3 = Jar::new();
let _ = jar_2.trade(&mut jar_3);
drop(jar_3);
let mut knot = jar.knot(&jar_2);
drop(jar);
drop(jar_2);
let _ = knot.count();
check("awkward::lent_twice", 17, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let mut jar_2 = Jar::new();
let mut jar_3 = Jar::new();
let _ = jar_2.trade(&mut jar_3);
drop(jar_3);
let knot = jar.knot(&jar_2);
drop(jar);
drop(jar_2);
let knot_2 = knot.split().1;
check("awkward::lent_twice", 18, &knot_2);
}
{
use beget_conformance::awkward::lent_twice::*;
let mut jar = Jar::new();
let mut jar_2 = Jar::new();
let _ = jar.trade(&mut jar_2);
drop(jar_2);
let mut jar_3 = Jar::new();
let mut knot = jar.trade(&mut jar_3);
drop(jar);
drop(jar_3);
let _ = knot.count();
check("awkward::lent_twice", 19, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let mut jar = Jar::new();
let mut jar_2 = Jar::new();
let _ = jar.trade(&mut jar_2);
drop(jar_2);
let mut jar_3 = Jar::new();
let knot = jar.trade(&mut jar_3);
drop(jar);
drop(jar_3);
let knot_2 = knot.split().1;
check("awkward::lent_twice", 20, &knot_2);
}
{
use beget_conformance::awkward::lent_twice::*;
let mut jar = Jar::new();
let mut jar_2 = Jar::new();
let _ = jar.trade(&mut jar_2);
drop(jar_2);
let jar_3 = Jar::new();
let mut knot = jar.tie(&jar_3);
drop(jar_3);
let _ = knot.count();
check("awkward::lent_twice", 21, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let mut jar = Jar::new();
let mut jar_2 = Jar::new();
let _ = jar.trade(&mut jar_2);
drop(jar_2);
let jar_3 = Jar::new();
let knot = jar.tie(&jar_3);
drop(jar_3);
let knot_2 = knot.split().1;
check("awkward::lent_twice", 22, &knot_2);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let _ = jar.tie(&jar_2);
let jar_3 = Jar::new();
let mut knot = jar_2.knot(&jar_3);
drop(jar_2);
drop(jar_3);
let _ = knot.count();
check("awkward::lent_twice", 23, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let _ = jar.tie(&jar_2);
let jar_3 = Jar::new();
let knot = jar_2.knot(&jar_3);
drop(jar_2);
drop(jar_3);
let knot_2 = knot.split().1;
check("awkward::lent_twice", 24, &knot_2);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let _ = jar.tie(&jar_2);
let jar_3 = Jar::new();
let mut knot = jar_2.tie(&jar_3);
drop(jar_3);
let _ = knot.count();
check("awkward::lent_twice", 25, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let _ = jar.tie(&jar_2);
let jar_3 = Jar::new();
let knot = jar_2.tie(&jar_3);
drop(jar_3);
let knot_2 = knot.split().1;
check("awkward::lent_twice", 26, &knot_2);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let _ = jar.tie(&jar_2);
let mut jar_3 = Jar::new();
let mut jar_4 = Jar::new();
let _ = jar_3.trade(&mut jar_4);
drop(jar_4);
let knot = jar_2.knot(&jar_3);
drop(jar_2);
drop(jar_3);
check("awkward::lent_twice", 27, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let _ = jar.tie(&jar_2);
let mut jar_3 = Jar::new();
let mut jar_4 = Jar::new();
let _ = jar_3.trade(&mut jar_4);
drop(jar_4);
let mut knot = jar_2.knot(&jar_3);
drop(jar_2);
drop(jar_3);
let _ = knot.count();
check("awkward::lent_twice", 28, &knot);
}
{
use beget_conformance::awkward::lent_twice::*;
let jar = Jar::new();
let jar_2 = Jar::new();
let _ = jar.tie(&jar_2);
let mut jar_3 = Jar::new();
let mut jar_4 = Jar::new();
let _ = jar_3.trade(&mut jar_4);
drop(jar_4);
let knot = jar_2.knot(&jar_3);
drop(jar_2);
drop(jar_3);
let knot_2 = knot.split().1;
check("awkward::lent_twice", 29, &knot_2);
}
{
use beget_conformance::awkward::linked::*;
let list = List::new();
check("awkward::linked", 0, &list);
}
{
use beget_conformance::awkward::linked::*;
let mut list = List::new();
let _ = list.push(0);
let _ = list.push(1);
check("awkward::linked", 5, &list);
}
{
use beget_conformance::awkward::linked::*;
let mut list = List::new();
let _ = list.push(2);
let _ = list.push(1);
check("awkward::linked", 11, &list);
}
{
use beget_conformance::awkward::linked::*;
let mut list = List::new();
let _ = list.push(0);
let _ = list.push(1);
let _ = list.push(0);
check("awkward::linked", 16, &list);
}
{
use beget_conformance::awkward::linked::*;
let mut list = List::new();
let _ = list.push(1);
let _ = list.push(0);
let _ = list.push(0);
check("awkward::linked", 22, &list);
}
{
use beget_conformance::awkward::linked::*;
let mut list = List::new();
let _ = list.push(1);
let _ = list.push(1);
let _ = list.push(2);
check("awkward::linked", 27, &list);
}
{
use beget_conformance::awkward::linked::*;
let mut list = List::new();
let _ = list.push(2);
let _ = list.push(0);
let _ = list.push(2);
check("awkward::linked", 33, &list);
}
{
use beget_conformance::awkward::linked::*;
let mut list = List::new();
let _ = list.push(2);
let _ = list.push(2);
let _ = list.push(2);
check("awkward::linked", 39, &list);
}
{
use beget_conformance::awkward::lists::*;
let album = Album::new();
check("awkward::lists", 0, &album);
}
{
use beget_conformance::awkward::lists::*;
let mut album = Album::new();
let _ = album.press();
check("awkward::lists", 2, &album);
}
{
use beget_conformance::awkward::lists::*;
let mut album = Album::new();
let _ = album.press();
let _ = album.add(1, false);
check("awkward::lists", 4, &album);
}
{
use beget_conformance::awkward::lists::*;
let mut album = Album::new();
let _ = album.add(1, false);
let _ = album.press();
let _ = album.draw();
check("awkward::lists", 7, &album);
}
{
use beget_conformance::awkward::lists::*;
let mut album = Album::new();
let _ = album.press();
let _ = album.draw();
let _ = album.press();
check("awkward::lists", 9, &album);
}
{
use beget_conformance::awkward::lists::*;
let mut album = Album::new();
let _ = album.press();
let _ = album.add(1, false);
let _ = album.draw();
let _ = album.press();
check("awkward::lists", 12, &album);
}
{
use beget_conformance::awkward::lists::*;
let mut album = Album::new();
let _ = album.add(1, false);
let _ = album.press();
let _ = album.add(1, false);
let _ = album.draw();
let _ = album.press();
check("awkward::lists", 14, &album);
}
{
use beget_conformance::awkward::lists::*;
let mut album = Album::new();
let _ = album.add(1, false);
let _ = album.press();
let _ = album.add(1, false);
let _ = album.draw();
let _ = album.press();
let _ = album.add(1, false);
check("awkward::lists", 17, &album);
}
{
use beget_conformance::awkward::logged_drops::*;
let stage = Stage::new();
check("awkward::logged_drops", 0, &stage);
}
{
use beget_conformance::awkward::logged_drops::*;
let mut stage = Stage::new();
let _ = stage.enter(0);
let _ = stage.enter(0);
let _ = stage.enter(1);
let _ = stage.queue();
let _ = stage.enter(1);
let _ = stage.pair(0);
check("awkward::logged_drops", 236, &stage);
}
{
use beget_conformance::awkward::logged_drops::*;
let mut stage = Stage::new();
let _ = stage.enter(0);
let _ = stage.enter(0);
let _ = stage.enter(1);
let _ = stage.pair(1);
let _ = stage.queue();
let _ = stage.enter(1);
let _ = stage.pair(1);
check("awkward::logged_drops", 473, &stage);
}
{
use beget_conformance::awkward::logged_drops::*;
let mut stage = Stage::new();
let _ = stage.enter(1);
let _ = stage.enter(0);
let _ = stage.enter(1);
let _ = stage.pair(0);
let _ = stage.queue();
let _ = stage.enter(1);
let _ = stage.pair(0);
check("awkward::logged_drops", 710, &stage);
}
{
use beget_conformance::awkward::logged_drops::*;
let mut stage = Stage::new();
let _ = stage.enter(0);
let _ = stage.enter(0);
let _ = stage.queue();
let _ = stage.enter(0);
let _ = stage.pair(1);
let _ = stage.queue();
let _ = stage.enter(0);
let _ = stage.pair(0);
check("awkward::logged_drops", 947, &stage);
}
{
use beget_conformance::awkward::logged_drops::*;
let mut stage = Stage::new();
let _ = stage.enter(1);
let _ = stage.enter(0);
let _ = stage.enter(1);
let _ = stage.queue();
let _ = stage.enter(0);
let _ = stage.queue();
let _ = stage.enter(0);
let _ = stage.pair(1);
check("awkward::logged_drops", 1184, &stage);
}
{
use beget_conformance::awkward::logged_drops::*;
let mut stage = Stage::new();
let _ = stage.enter(0);
let _ = stage.enter(1);
let _ = stage.enter(1);
let _ = stage.pair(0);
let _ = stage.queue();
let _ = stage.enter(0);
let _ = stage.pair(1);
let _ = stage.queue();
let _ = stage.enter(0);
check("awkward::logged_drops", 1421, &stage);
}
{
use beget_conformance::awkward::logged_drops::*;
let mut stage = Stage::new();
let _ = stage.enter(1);
let _ = stage.enter(1);
let _ = stage.enter(1);
let _ = stage.queue();
let _ = stage.enter(1);
let _ = stage.pair(1);
let _ = stage.queue();
let _ = stage.enter(1);
let _ = stage.pair(1);
check("awkward::logged_drops", 1658, &stage);
}
{
use beget_conformance::awkward::maps::*;
let index = Index::new();
check("awkward::maps", 0, &index);
}
{
use beget_conformance::awkward::maps::*;
let mut index = Index::new();
let _ = index.insert(1, 0);
let _ = index.name("");
let _ = index.name("b\"\\n");
let _ = index.remove(String::from(""));
let _ = index.clean();
check("awkward::maps", 223, &index);
}
{
use beget_conformance::awkward::maps::*;
let mut index = Index::new();
let _ = index.insert(1, 0);
let _ = index.name("");
let _ = index.name("b\"\\n");
let _ = index.remove(String::from("b\"\\n"));
let _ = index.name("b\"\\n");
let _ = index.insert(0, 0);
check("awkward::maps", 447, &index);
}
{
use beget_conformance::awkward::maps::*;
let mut index = Index::new();
let _ = index.insert(0, 0);
let _ = index.name("");
let _ = index.name("b\"\\n");
let _ = index.insert(1, 0);
let _ = index.remove(String::from("b\"\\n"));
let _ = index.name("b\"\\n");
let _ = index.clean();
check("awkward::maps", 671, &index);
}
{
use beget_conformance::awkward::maps::*;
let mut index = Index::new();
let _ = index.insert(1, 0);
let _ = index.name("b\"\\n");
let _ = index.insert(0, 0);
let _ = index.name("");
let _ = index.remove(String::from(""));
let _ = index.clean();
let _ = index.insert(0, 1);
check("awkward::maps", 895, &index);
}
{
use beget_conformance::awkward::maps::*;
let mut index = Index::new();
let _ = index.insert(0, 0);
let _ = index.name("");
let _ = index.insert(1, 0);
let _ = index.name("b\"\\n");
let _ = index.remove(String::from("b\"\\n"));
let _ = index.name("b\"\\n");
let _ = index.clean();
let _ = index.insert(1, 1);
check("awkward::maps", 1119, &index);
}
{
use beget_conformance::awkward::maps::*;
let mut index = Index::new();
let _ = index.insert(0, 0);
let _ = index.insert(1, 0);
let _ = index.name("");
let _ = index.name("b\"\\n");
let _ = index.remove(String::from("b\"\\n"));
let _ = index.insert(0, 0);
let _ = index.name("b\"\\n");
let _ = index.insert(1, 1);
let _ = index.clean();
check("awkward::maps", 1343, &index);
}
{
use beget_conformance::awkward::maps::*;
let mut index = Index::new();
let _ = index.insert(1, 0);
let _ = index.name("");
let _ = index.remove(String::from(""));
let _ = index.name("b\"\\n");
let _ = index.insert(0, 0);
let _ = index.name("");
let _ = index.insert(1, 1);
let _ = index.clean();
let _ = index.remove(String::from(""));
let _ = index.name("");
check("awkward::maps", 1567, &index);
}
{
use beget_conformance::awkward::markers::*;
let door = Door::new();
check("awkward::markers", 0, &door);
}
{
use beget_conformance::awkward::markers::*;
let mut door = Door::new();
let _ = door.open();
let _ = door.walk();
check("awkward::markers", 4, &door);
}
{
use beget_conformance::awkward::markers::*;
let mut door = Door::new();
let _ = door.open();
let _ = door.walk();
let _ = door.walk();
check("awkward::markers", 8, &door);
}
{
use beget_conformance::awkward::markers::*;
let mut door = Door::new();
let _ = door.open();
let _ = door.walk();
let _ = door.walk();
let _ = door.walk();
check("awkward::markers", 13, &door);
}
{
use beget_conformance::awkward::markers::*;
let mut door = Door::new();
let _ = door.open();
let _ = door.close();
let _ = door.open();
let _ = door.walk();
let _ = door.walk();
check("awkward::markers", 17, &door);
}
{
use beget_conformance::awkward::markers::*;
let mut door = Door::new();
let _ = door.walk();
let _ = door.walk();
let _ = door.swap();
let _ = door.walk();
let _ = door.walk();
check("awkward::markers", 22, &door);
}
{
use beget_conformance::awkward::markers::*;
let mut door = Door::new();
let _ = door.walk();
let _ = door.walk();
let _ = door.walk();
let _ = door.swap();
let _ = door.walk();
let _ = door.walk();
check("awkward::markers", 26, &door);
}
{
use beget_conformance::awkward::markers::*;
let mut door = Door::new();
let _ = door.open();
let _ = door.walk();
let _ = door.walk();
let _ = door.walk();
let _ = door.swap();
let _ = door.walk();
let _ = door.walk();
let _ = door.walk();
check("awkward::markers", 31, &door);
}
{
use beget_conformance::awkward::nested_maps::*;
let index = Index::new();
check("awkward::nested_maps", 0, &index);
}
{
use beget_conformance::awkward::nested_maps::*;
let mut index = Index::new();
let _ = index.put(0, 0);
let _ = index.tag(0);
let _ = index.put(1, 1);
let _ = index.mark();
check("awkward::nested_maps", 210, &index);
}
{
use beget_conformance::awkward::nested_maps::*;
let mut index = Index::new();
let _ = index.tag(0);
let _ = index.tag(1);
let _ = index.put(0, 1);
let _ = index.put(1, 1);
check("awkward::nested_maps", 421, &index);
}
{
use beget_conformance::awkward::nested_maps::*;
let mut index = Index::new();
let _ = index.put(0, 1);
let _ = index.tag(1);
let _ = index.put(1, 0);
let _ = index.lend(0, 1);
let _ = index.tag(0);
check("awkward::nested_maps", 632, &index);
}
{
use beget_conformance::awkward::nested_maps::*;
let mut index = Index::new();
let _ = index.tag(0);
let _ = index.put(1, 1);
let _ = index.tag(1);
let _ = index.mark();
let _ = index.put(1, 0);
check("awkward::nested_maps", 843, &index);
}
{
use beget_conformance::awkward::nested_maps::*;
let mut index = Index::new();
let _ = index.put(0, 0);
let _ = index.tag(1);
let _ = index.mark();
let _ = index.put(1, 1);
let _ = index.lend(0, 1);
let _ = index.tag(0);
check("awkward::nested_maps", 1054, &index);
}
{
use beget_conformance::awkward::nested_maps::*;
let mut index = Index::new();
let _ = index.tag(0);
let _ = index.tag(1);
let _ = index.put(0, 0);
let _ = index.put(1, 1);
let _ = index.mark();
let _ = index.lend(0, 1);
check("awkward::nested_maps", 1265, &index);
}
{
use beget_conformance::awkward::nested_maps::*;
let mut index = Index::new();
let _ = index.tag(1);
let _ = index.put(1, 1);
let _ = index.tag(0);
let _ = index.mark();
let _ = index.put(0, 0);
let _ = index.lend(1, 0);
let _ = index.lend(0, 1);
check("awkward::nested_maps", 1476, &index);
}
{
use beget_conformance::awkward::niches::*;
let niches = Niches::new();
check("awkward::niches", 0, &niches);
}
{
use beget_conformance::awkward::niches::*;
let mut niches = Niches::new();
let _ = niches.small(1);
let _ = niches.boxed(0);
let _ = niches.boxed(1);
let _ = niches.end();
let _ = niches.small(1);
check("awkward::niches", 400, &niches);
}
{
use beget_conformance::awkward::niches::*;
let mut niches = Niches::new();
let _ = niches.small(1);
let _ = niches.boxed(0);
let _ = niches.boxed(1);
let _ = niches.share();
let _ = niches.switch(true);
let _ = niches.end();
check("awkward::niches", 800, &niches);
}
{
use beget_conformance::awkward::niches::*;
let mut niches = Niches::new();
let _ = niches.switch(false);
let _ = niches.end();
let _ = niches.nest(false);
let _ = niches.nest(false);
let _ = niches.nest(true);
let _ = niches.small(0);
check("awkward::niches", 1200, &niches);
}
{
use beget_conformance::awkward::niches::*;
let mut niches = Niches::new();
let _ = niches.nest(false);
let _ = niches.nest(false);
let _ = niches.end();
let _ = niches.small(1);
let _ = niches.nest(false);
let _ = niches.share();
let _ = niches.switch(true);
check("awkward::niches", 1600, &niches);
}
{
use beget_conformance::awkward::niches::*;
let mut niches = Niches::new();
let _ = niches.nest(false);
let _ = niches.nest(false);
let _ = niches.nest(false);
let _ = niches.share();
let _ = niches.end();
let _ = niches.nest(false);
let _ = niches.nest(false);
let _ = niches.switch(false);
check("awkward::niches", 2000, &niches);
}
{
use beget_conformance::awkward::niches::*;
let mut niches = Niches::new();
let _ = niches.nest(false);
let _ = niches.nest(false);
let _ = niches.nest(false);
let _ = niches.share();
let _ = niches.end();
let _ = niches.small(1);
let _ = niches.nest(false);
let _ = niches.nest(false);
let _ = niches.boxed(0);
check("awkward::niches", 2400, &niches);
}
{
use beget_conformance::awkward::niches::*;
let mut niches = Niches::new();
let _ = niches.nest(false);
let _ = niches.nest(false);
let _ = niches.nest(true);
let _ = niches.end();
let _ = niches.small(1);
let _ = niches.nest(false);
let _ = niches.nest(false);
let _ = niches.nest(true);
let _ = niches.letter();
let _ = niches.letter();
let _ = niches.letter();
let _ = niches.share();
check("awkward::niches", 2801, &niches);
}
{
use beget_conformance::awkward::nothing_in_scope::*;
let giant = Giant::new(0);
check("awkward::nothing_in_scope", 0, &giant);
}
{
use beget_conformance::awkward::nothing_in_scope::*;
let giant = Giant::new(1);
check("awkward::nothing_in_scope", 1, &giant);
}
{
use beget_conformance::awkward::nothing_in_scope::*;
let mut giant = Giant::new(0);
let _ = giant.grow();
check("awkward::nothing_in_scope", 2, &giant);
}
{
use beget_conformance::awkward::options::*;
let nest = Nest::new(None);
check("awkward::options", 0, &nest);
}
{
use beget_conformance::awkward::options::*;
let mut nest = Nest::new(Some(Some(0)));
let _ = nest.fill(1);
check("awkward::options", 19, &nest);
}
{
use beget_conformance::awkward::options::*;
let mut nest = Nest::new(None);
let _ = nest.fill(1);
let _ = nest.fill(1);
check("awkward::options", 39, &nest);
}
{
use beget_conformance::awkward::options::*;
let mut nest = Nest::new(Some(Some(0)));
let _ = nest.fill(1);
let _ = nest.fill(1);
check("awkward::options", 59, &nest);
}
{
use beget_conformance::awkward::options::*;
let mut nest = Nest::new(None);
let _ = nest.wrap();
let _ = nest.fill(1);
let _ = nest.fill(1);
check("awkward::options", 79, &nest);
}
{
use beget_conformance::awkward::options::*;
let mut nest = Nest::new(Some(None));
let _ = nest.fail((0, Some(true)));
let _ = nest.fill(1);
let _ = nest.fill(1);
check("awkward::options", 99, &nest);
}
{
use beget_conformance::awkward::options::*;
let mut nest = Nest::new(Some(Some(1)));
let _ = nest.fail((0, Some(false)));
let _ = nest.fill(1);
let _ = nest.fill(1);
check("awkward::options", 119, &nest);
}
{
use beget_conformance::awkward::options::*;
let mut nest = Nest::new(None);
let _ = nest.wrap();
let _ = nest.fail((1, Some(true)));
let _ = nest.fill(1);
let _ = nest.fill(1);
check("awkward::options", 139, &nest);
}
{
use beget_conformance::awkward::own_pointers::*;
let line = Line::new();
check("awkward::own_pointers", 0, &line);
}
{
use beget_conformance::awkward::own_pointers::*;
let mut line = Line::new();
let _ = line.push(0);
let _ = line.forget();
check("awkward::own_pointers", 5, &line);
}
{
use beget_conformance::awkward::own_pointers::*;
let mut line = Line::new();
let _ = line.push(0);
let _ = line.push(0);
let _ = line.forget();
check("awkward::own_pointers", 11, &line);
}
{
use beget_conformance::awkward::own_pointers::*;
let mut line = Line::new();
let _ = line.push(1);
let _ = line.push(0);
let _ = line.push(0);
check("awkward::own_pointers", 17, &line);
}
{
use beget_conformance::awkward::own_pointers::*;
let mut line = Line::new();
let _ = line.push(1);
let _ = line.push(1);
let _ = line.push(1);
check("awkward::own_pointers", 22, &line);
}
{
use beget_conformance::awkward::own_pointers::*;
let mut line = Line::new();
let _ = line.push(0);
let _ = line.push(0);
let _ = line.push(1);
let _ = line.turn();
check("awkward::own_pointers", 28, &line);
}
{
use beget_conformance::awkward::own_pointers::*;
let mut line = Line::new();
let _ = line.push(1);
let _ = line.push(0);
let _ = line.push(0);
let _ = line.turn();
check("awkward::own_pointers", 34, &line);
}
{
use beget_conformance::awkward::own_pointers::*;
let mut line = Line::new();
let _ = line.push(1);
let _ = line.push(1);
let _ = line.push(1);
let _ = line.turn();
check("awkward::own_pointers", 40, &line);
}
{
use beget_conformance::awkward::pairs_and_triples::*;
let stack = Stack::new();
check("awkward::pairs_and_triples", 0, &stack);
}
{
use beget_conformance::awkward::pairs_and_triples::*;
let mut stack = Stack::new();
let _ = stack.push(0);
check("awkward::pairs_and_triples", 1, &stack);
}
{
use beget_conformance::awkward::pairs_and_triples::*;
let mut stack = Stack::new();
let _ = stack.push(1);
check("awkward::pairs_and_triples", 2, &stack);
}
{
use beget_conformance::awkward::pairs_and_triples::*;
let mut stack = Stack::new();
let _ = stack.push(0);
let _ = stack.push(0);
check("awkward::pairs_and_triples", 3, &stack);
}
{
use beget_conformance::awkward::pairs_and_triples::*;
let mut stack = Stack::new();
let _ = stack.push(0);
let _ = stack.push(1);
check("awkward::pairs_and_triples", 4, &stack);
}
{
use beget_conformance::awkward::pairs_and_triples::*;
let mut stack = Stack::new();
let _ = stack.push(1);
let _ = stack.push(0);
check("awkward::pairs_and_triples", 5, &stack);
}
{
use beget_conformance::awkward::pairs_and_triples::*;
let mut stack = Stack::new();
let _ = stack.push(1);
let _ = stack.push(1);
check("awkward::pairs_and_triples", 6, &stack);
}
{
use beget_conformance::awkward::panicking_clones::*;
let lonely = Lonely::new();
check("awkward::panicking_clones", 0, &lonely);
}
{
use beget_conformance::awkward::panicking_clones::*;
let mut lonely = Lonely::new();
let _ = lonely.step();
check("awkward::panicking_clones", 1, &lonely);
}
{
use beget_conformance::awkward::panicking_clones::*;
let mut lonely = Lonely::new();
let _ = lonely.step();
let _ = lonely.step();
check("awkward::panicking_clones", 2, &lonely);
}
{
use beget_conformance::awkward::panicking_clones::*;
let mut lonely = Lonely::new();
let _ = lonely.step();
let _ = lonely.step();
let _ = lonely.step();
check("awkward::panicking_clones", 3, &lonely);
}
{
use beget_conformance::awkward::panicking_clones::*;
let mut lonely = Lonely::new();
let _ = lonely.step();
let _ = lonely.step();
let _ = lonely.step();
let _ = lonely.step();
check("awkward::panicking_clones", 4, &lonely);
}
{
use beget_conformance::awkward::panics::*;
let safe = Safe::new(1);
check("awkward::panics", 0, &safe);
}
{
use beget_conformance::awkward::panics::*;
let mut safe = Safe::new(2);
let _ = safe.turn();
let _ = safe.put(2);
check("awkward::panics", 11, &safe);
}
{
use beget_conformance::awkward::panics::*;
let mut safe = Safe::new(1);
let _ = safe.turn();
let _ = safe.put(2);
let _ = safe.put(0);
check("awkward::panics", 22, &safe);
}
{
use beget_conformance::awkward::panics::*;
let mut safe = Safe::new(2);
let _ = safe.turn();
let _ = safe.put(2);
let _ = safe.turn();
check("awkward::panics", 33, &safe);
}
{
use beget_conformance::awkward::panics::*;
let mut safe = Safe::new(1);
let mut safe_2 = Safe::new(1);
let _ = safe_2.turn();
let _ = safe_2.put(1);
let _ = safe_2.put(1);
let _ = safe.swap(&mut safe_2);
check("awkward::panics", 45, &safe);
}
{
use beget_conformance::awkward::panics::*;
let mut safe = Safe::new(1);
let mut safe_2 = Safe::new(2);
let _ = safe_2.turn();
let _ = safe_2.put(2);
let _ = safe_2.put(0);
let _ = safe.swap(&mut safe_2);
check("awkward::panics", 56, &safe);
}
{
use beget_conformance::awkward::panics::*;
let mut safe = Safe::new(1);
let _ = safe.turn();
let _ = safe.put(0);
let _ = safe.put(2);
let _ = safe.take(0);
let _ = safe.turn();
check("awkward::panics", 67, &safe);
}
{
use beget_conformance::awkward::panics::*;
let mut safe = Safe::new(1);
let mut safe_2 = Safe::new(1);
let _ = safe_2.turn();
let _ = safe_2.put(0);
let _ = safe_2.put(2);
let _ = safe_2.take(0);
let _ = safe_2.put(2);
let _ = safe.swap(&mut safe_2);
check("awkward::panics", 79, &safe);
}
{
use beget_conformance::awkward::parts::*;
let rope = Rope::new();
check("awkward::parts", 0, &rope);
}
{
use beget_conformance::awkward::parts::*;
let mut rope = Rope::new();
let _ = rope.push(0);
let _ = rope.push(1);
check("awkward::parts", 5, &rope);
}
{
use beget_conformance::awkward::parts::*;
let mut rope = Rope::new();
let _ = rope.push(2);
let _ = rope.push(1);
check("awkward::parts", 11, &rope);
}
{
use beget_conformance::awkward::parts::*;
let mut rope = Rope::new();
let _ = rope.push(0);
let _ = rope.push(1);
let _ = rope.push(0);
check("awkward::parts", 16, &rope);
}
{
use beget_conformance::awkward::parts::*;
let mut rope = Rope::new();
let _ = rope.push(1);
let _ = rope.push(0);
let _ = rope.push(0);
check("awkward::parts", 22, &rope);
}
{
use beget_conformance::awkward::parts::*;
let mut rope = Rope::new();
let _ = rope.push(1);
let _ = rope.push(1);
let _ = rope.push(2);
check("awkward::parts", 27, &rope);
}
{
use beget_conformance::awkward::parts::*;
let mut rope = Rope::new();
let _ = rope.push(2);
let _ = rope.push(0);
let _ = rope.push(2);
check("awkward::parts", 33, &rope);
}
{
use beget_conformance::awkward::parts::*;
let mut rope = Rope::new();
let _ = rope.push(2);
let _ = rope.push(2);
let _ = rope.push(2);
check("awkward::parts", 39, &rope);
}
{
use beget_conformance::awkward::pointed_arrays::*;
let store = Store::new();
check("awkward::pointed_arrays", 0, &store);
}
{
use beget_conformance::awkward::pointed_arrays::*;
let mut store = Store::new();
let _ = store.hold(0);
let _ = store.row(1);
check("awkward::pointed_arrays", 10, &store);
}
{
use beget_conformance::awkward::pointed_arrays::*;
let mut store = Store::new();
let _ = store.wrap();
let _ = store.enter(0);
check("awkward::pointed_arrays", 20, &store);
}
{
use beget_conformance::awkward::pointed_arrays::*;
let mut store = Store::new();
let _ = store.hold(0);
let _ = store.share();
let _ = store.enter(1);
check("awkward::pointed_arrays", 30, &store);
}
{
use beget_conformance::awkward::pointed_arrays::*;
let mut store = Store::new();
let _ = store.hold(1);
let _ = store.row(0);
let _ = store.enter(0);
check("awkward::pointed_arrays", 40, &store);
}
{
use beget_conformance::awkward::pointed_arrays::*;
let mut store = Store::new();
let _ = store.row(0);
let _ = store.enter(0);
let _ = store.enter(1);
check("awkward::pointed_arrays", 50, &store);
}
{
use beget_conformance::awkward::pointed_arrays::*;
let mut store = Store::new();
let _ = store.hold(1);
let _ = store.share();
let _ = store.row(0);
let _ = store.enter(1);
check("awkward::pointed_arrays", 60, &store);
}
{
use beget_conformance::awkward::pointed_arrays::*;
let mut store = Store::new();
let _ = store.hold(1);
let _ = store.share();
let _ = store.row(1);
let _ = store.enter(0);
let _ = store.enter(1);
check("awkward::pointed_arrays", 71, &store);
}
{
use beget_conformance::awkward::priorities::*;
let agenda = Agenda::new();
check("awkward::priorities", 0, &agenda);
}
{
use beget_conformance::awkward::priorities::*;
let mut agenda = Agenda::new();
let _ = agenda.add(0, 0);
let _ = agenda.add(0, 1);
let _ = agenda.add(0, 0);
check("awkward::priorities", 24, &agenda);
}
{
use beget_conformance::awkward::priorities::*;
let mut agenda = Agenda::new();
let _ = agenda.add(0, 1);
let _ = agenda.add(1, 1);
let _ = agenda.add(1, 1);
check("awkward::priorities", 48, &agenda);
}
{
use beget_conformance::awkward::priorities::*;
let mut agenda = Agenda::new();
let _ = agenda.add(0, 0);
let _ = agenda.add(0, 1);
let _ = agenda.add(0, 0);
let _ = agenda.next();
check("awkward::priorities", 72, &agenda);
}
{
use beget_conformance::awkward::priorities::*;
let mut agenda = Agenda::new();
let _ = agenda.add(0, 0);
let _ = agenda.add(0, 0);
let _ = agenda.add(0, 1);
let _ = agenda.next();
let _ = agenda.add(1, 0);
check("awkward::priorities", 97, &agenda);
}
{
use beget_conformance::awkward::priorities::*;
let mut agenda = Agenda::new();
let _ = agenda.add(0, 0);
let _ = agenda.add(0, 1);
let _ = agenda.next();
let _ = agenda.add(1, 1);
let _ = agenda.add(1, 0);
check("awkward::priorities", 121, &agenda);
}
{
use beget_conformance::awkward::priorities::*;
let mut agenda = Agenda::new();
let _ = agenda.add(0, 0);
let _ = agenda.next();
let _ = agenda.add(1, 1);
let _ = agenda.add(1, 1);
let _ = agenda.add(1, 0);
check("awkward::priorities", 145, &agenda);
}
{
use beget_conformance::awkward::priorities::*;
let mut agenda = Agenda::new();
let _ = agenda.add(0, 1);
let _ = agenda.next();
let _ = agenda.add(1, 1);
let _ = agenda.add(1, 1);
let _ = agenda.add(1, 1);
check("awkward::priorities", 170, &agenda);
}
{
use beget_conformance::awkward::references::*;
let tree = Tree::leaf(0);
check("awkward::references", 0, &tree);
}
{
use beget_conformance::awkward::references::*;
let tree = Tree::leaf(1);
check("awkward::references", 1, &tree);
}
{
use beget_conformance::awkward::references::*;
let mut tree = Tree::leaf(0);
let tree_2 = Tree::leaf(0);
let _ = tree.on_left(tree_2);
check("awkward::references", 2, &tree);
}
{
use beget_conformance::awkward::references::*;
let tree = Tree::leaf(0);
let tree_2 = Tree::leaf(0);
let tree_3 = *tree.on_right(tree_2);
check("awkward::references", 3, &tree_3);
}
{
use beget_conformance::awkward::references::*;
let tree = Tree::leaf(0);
let tree_2 = Tree::leaf(1);
let tree_3 = *tree.on_right(tree_2);
check("awkward::references", 5, &tree_3);
}
{
use beget_conformance::awkward::references::*;
let mut tree = Tree::leaf(1);
let tree_2 = Tree::leaf(0);
let _ = tree.on_left(tree_2);
check("awkward::references", 6, &tree);
}
{
use beget_conformance::awkward::references::*;
let tree = Tree::leaf(1);
let tree_2 = Tree::leaf(0);
let tree_3 = *tree.on_right(tree_2);
check("awkward::references", 7, &tree_3);
}
{
use beget_conformance::awkward::references::*;
let tree = Tree::leaf(1);
let tree_2 = Tree::leaf(1);
let tree_3 = *tree.on_right(tree_2);
check("awkward::references", 9, &tree_3);
}
{
use beget_conformance::awkward::rings::*;
let ring = Ring::new();
check("awkward::rings", 0, &ring);
}
{
use beget_conformance::awkward::rings::*;
let mut ring = Ring::new();
let _ = ring.push(1);
check("awkward::rings", 2, &ring);
}
{
use beget_conformance::awkward::rings::*;
let mut ring = Ring::new();
let _ = ring.push(0);
let _ = ring.pop();
check("awkward::rings", 5, &ring);
}
{
use beget_conformance::awkward::rings::*;
let mut ring = Ring::new();
let _ = ring.push(1);
let _ = ring.push(1);
check("awkward::rings", 8, &ring);
}
{
use beget_conformance::awkward::rings::*;
let mut ring = Ring::new();
let _ = ring.push(0);
let _ = ring.push(1);
let _ = ring.rotate();
check("awkward::rings", 11, &ring);
}
{
use beget_conformance::awkward::rings::*;
let mut ring = Ring::new();
let _ = ring.push(0);
let _ = ring.rotate();
let _ = ring.rotate();
check("awkward::rings", 14, &ring);
}
{
use beget_conformance::awkward::rings::*;
let mut ring = Ring::new();
let _ = ring.push(0);
let _ = ring.push(0);
let _ = ring.rotate();
let _ = ring.rotate();
check("awkward::rings", 17, &ring);
}
{
use beget_conformance::awkward::rings::*;
let mut ring = Ring::new();
let _ = ring.push(1);
let _ = ring.push(1);
let _ = ring.rotate();
let _ = ring.rotate();
check("awkward::rings", 20, &ring);
}
{
use beget_conformance::awkward::same_twice::*;
let tally = Tally::new();
check("awkward::same_twice", 0, &tally);
}
{
use beget_conformance::awkward::same_twice::*;
let tally = Tally::new();
let tally_2 = Tally::new();
let _ = tally.meet(&tally_2);
drop(tally_2);
check("awkward::same_twice", 1, &tally);
}
{
use beget_conformance::awkward::same_twice::*;
let tally = Tally::new();
let tally_2 = Tally::new();
let tally_3 = Tally::new();
let _ = tally_2.meet(&tally_3);
drop(tally_3);
let _ = tally.meet(&tally_2);
drop(tally);
check("awkward::same_twice", 2, &tally_2);
}
{
use beget_conformance::awkward::same_twice::*;
let tally = Tally::new();
let tally_2 = Tally::new();
let tally_3 = Tally::new();
let tally_4 = Tally::new();
let _ = tally_3.meet(&tally_4);
drop(tally_4);
let _ = tally_2.meet(&tally_3);
drop(tally_2);
let _ = tally.meet(&tally_3);
drop(tally);
check("awkward::same_twice", 3, &tally_3);
}
{
use beget_conformance::awkward::several_types::*;
let red = Red::new();
check("awkward::several_types", 0, &red);
}
{
use beget_conformance::awkward::several_types::*;
let red = Red::new();
let blue = red.turn();
check("awkward::several_types", 2, &blue);
}
{
use beget_conformance::awkward::several_types::*;
let mut red = Red::new();
let _ = red.more();
let blue = red.turn();
check("awkward::several_types", 4, &blue);
}
{
use beget_conformance::awkward::several_types::*;
let red = Red::new();
let blue = red.turn();
let mut red_2 = Red::new();
let _ = red_2.more();
let mix = blue.mix(red_2);
check("awkward::several_types", 7, &mix);
}
{
use beget_conformance::awkward::several_types::*;
let red = Red::new();
let blue = red.turn();
let blue_2 = blue.back().1;
let red_2 = Red::new();
let mix = blue_2.mix(red_2);
check("awkward::several_types", 9, &mix);
}
{
use beget_conformance::awkward::several_types::*;
let red = Red::new();
let blue = red.turn();
let blue_2 = blue.back().1;
let mut red_2 = Red::new();
let _ = red_2.more();
let mix = blue_2.mix(red_2);
check("awkward::several_types", 12, &mix);
}
{
use beget_conformance::awkward::several_types::*;
let red = Red::new();
let blue = red.turn();
let blue_2 = blue.back().1;
let mut red_2 = Red::new();
let _ = red_2.more();
let _ = red_2.more();
let mix = blue_2.mix(red_2);
check("awkward::several_types", 14, &mix);
}
{
use beget_conformance::awkward::several_types::*;
let red = Red::new();
let blue = red.turn();
let red_2 = Red::new();
let mut mix = blue.mix(red_2);
let red_3 = Red::new();
let blue_2 = red_3.turn();
let red_4 = Red::new();
let mut mix_2 = blue_2.mix(red_4);
let mut red_5 = Red::new();
let _ = red_5.more();
let _ = red_5.more();
let _ = mix.wash(&mut mix_2, &red_5);
check("awkward::several_types", 17, &mix_2);
}
{
use beget_conformance::awkward::shared_variants::*;
let term = Term::leaf(0);
check("awkward::shared_variants", 0, &term);
}
{
use beget_conformance::awkward::shared_variants::*;
let term = Term::leaf(0);
let term_2 = term.double();
check("awkward::shared_variants", 2, &term_2);
}
{
use beget_conformance::awkward::shared_variants::*;
let term = Term::leaf(1);
let term_2 = term.double();
check("awkward::shared_variants", 4, &term_2);
}
{
use beget_conformance::awkward::shared_variants::*;
let term = Term::leaf(0);
let mut term_2 = term.double();
let _ = term_2.part();
check("awkward::shared_variants", 6, &term_2);
}
{
use beget_conformance::awkward::shared_variants::*;
let term = Term::leaf(1);
let mut term_2 = term.double();
let _ = term_2.part();
check("awkward::shared_variants", 8, &term_2);
}
{
use beget_conformance::awkward::shared_variants::*;
let term = Term::leaf(0);
let mut term_2 = term.double();
let term_3 = Term::leaf(0);
let _ = term_2.join(&term_3);
drop(term_3);
check("awkward::shared_variants", 10, &term_2);
}
{
use beget_conformance::awkward::shared_variants::*;
let term = Term::leaf(1);
let mut term_2 = term.double();
let _ = term_2.part();
let term_3 = term_2.wrap();
check("awkward::shared_variants", 12, &term_3);
}
{
use beget_conformance::awkward::shared_variants::*;
let term = Term::leaf(1);
let mut term_2 = term.double();
let _ = term_2.part();
let mut term_3 = term_2.wrap();
let _ = term_3.write(0);
check("awkward::shared_variants", 15, &term_3);
}
{
use beget_conformance::awkward::sharing_results::*;
let leaf = Leaf::new();
check("awkward::sharing_results", 0, &leaf);
}
{
use beget_conformance::awkward::sharing_results::*;
let mut leaf = Leaf::new();
let _ = leaf.watch();
check("awkward::sharing_results", 1, &leaf);
}
{
use beget_conformance::awkward::sharing_results::*;
let mut leaf = Leaf::new();
let _ = leaf.renew();
check("awkward::sharing_results", 2, &leaf);
}
{
use beget_conformance::awkward::sharing_results::*;
let mut leaf = Leaf::new();
let _ = leaf.change();
check("awkward::sharing_results", 3, &leaf);
}
{
use beget_conformance::awkward::sharing_results::*;
let mut leaf = Leaf::new();
let _ = leaf.renew();
let _ = leaf.watch();
check("awkward::sharing_results", 4, &leaf);
}
{
use beget_conformance::awkward::sharing_results::*;
let mut leaf = Leaf::new();
let _ = leaf.renew();
let _ = leaf.renew();
check("awkward::sharing_results", 5, &leaf);
}
{
use beget_conformance::awkward::sharing_results::*;
let mut leaf = Leaf::new();
let _ = leaf.change();
let _ = leaf.watch();
check("awkward::sharing_results", 6, &leaf);
}
{
use beget_conformance::awkward::sharing_results::*;
let mut leaf = Leaf::new();
let _ = leaf.renew();
let _ = leaf.renew();
let _ = leaf.watch();
check("awkward::sharing_results", 7, &leaf);
}
{
use beget_conformance::awkward::skipped::*;
let table = Table::new();
check("awkward::skipped", 0, &table);
}
{
use beget_conformance::awkward::skipped::*;
let mut table = Table::new();
let _ = table.name(1);
check("awkward::skipped", 3, &table);
}
{
use beget_conformance::awkward::skipped::*;
let mut table = Table::new();
let _ = table.push(1);
let _ = table.push(0);
check("awkward::skipped", 7, &table);
}
{
use beget_conformance::awkward::skipped::*;
let mut table = Table::new();
let _ = table.push(0);
let _ = table.push(0);
let _ = table.name(1);
check("awkward::skipped", 11, &table);
}
{
use beget_conformance::awkward::skipped::*;
let mut table = Table::new();
let _ = table.push(1);
let _ = table.push(1);
let _ = table.name(1);
check("awkward::skipped", 15, &table);
}
{
use beget_conformance::awkward::skipped::*;
let mut table = Table::new();
let _ = table.push(0);
let _ = table.push(1);
let _ = table.name(1);
let _ = table.share();
check("awkward::skipped", 19, &table);
}
{
use beget_conformance::awkward::skipped::*;
let mut table = Table::new();
let _ = table.push(1);
let _ = table.name(1);
let _ = table.share();
let _ = table.name(0);
check("awkward::skipped", 23, &table);
}
{
use beget_conformance::awkward::skipped::*;
let mut table = Table::new();
let _ = table.push(1);
let _ = table.push(1);
let _ = table.name(1);
let _ = table.share();
let _ = table.name(0);
check("awkward::skipped", 27, &table);
}
{
use beget_conformance::awkward::system_texts::*;
let names = Names::new();
check("awkward::system_texts", 0, &names);
}
{
use beget_conformance::awkward::system_texts::*;
let mut names = Names::new();
let _ = names.push(92);
let _ = names.push(92);
let _ = names.become_path();
let _ = names.push(255);
check("awkward::system_texts", 48, &names);
}
{
use beget_conformance::awkward::system_texts::*;
let mut names = Names::new();
let _ = names.push(92);
let _ = names.push(255);
let _ = names.become_path();
let _ = names.push(92);
let _ = names.push(92);
check("awkward::system_texts", 97, &names);
}
{
use beget_conformance::awkward::system_texts::*;
let mut names = Names::new();
let _ = names.push(255);
let _ = names.push(92);
let _ = names.become_path();
let _ = names.push(92);
let _ = names.become_c();
let _ = names.push(255);
check("awkward::system_texts", 146, &names);
}
{
use beget_conformance::awkward::system_texts::*;
let mut names = Names::new();
let _ = names.push(92);
let _ = names.become_c();
let _ = names.push(255);
let _ = names.become_path();
let _ = names.push(255);
let _ = names.push(92);
check("awkward::system_texts", 195, &names);
}
{
use beget_conformance::awkward::system_texts::*;
let mut names = Names::new();
let _ = names.push(92);
let _ = names.push(92);
let _ = names.become_c();
let _ = names.become_path();
let _ = names.become_path();
let _ = names.push(255);
let _ = names.push(255);
check("awkward::system_texts", 244, &names);
}
{
use beget_conformance::awkward::system_texts::*;
let mut names = Names::new();
let _ = names.push(92);
let _ = names.push(92);
let _ = names.become_c();
let _ = names.become_path();
let _ = names.push(255);
let _ = names.push(92);
let _ = names.become_path();
let _ = names.push(255);
check("awkward::system_texts", 293, &names);
}
{
use beget_conformance::awkward::system_texts::*;
let mut names = Names::new();
let _ = names.push(92);
let _ = names.push(92);
let _ = names.become_c();
let _ = names.become_path();
let _ = names.push(92);
let _ = names.push(255);
let _ = names.become_path();
let _ = names.push(92);
let _ = names.push(255);
check("awkward::system_texts", 342, &names);
}
{
use beget_conformance::awkward::texts::*;
let line = Line::new("");
check("awkward::texts", 0, &line);
}
{
use beget_conformance::awkward::texts::*;
let mut line = Line::new("");
let _ = line.push('a');
let _ = line.replace(Some(String::from("ä")));
check("awkward::texts", 12, &line);
}
{
use beget_conformance::awkward::texts::*;
let mut line = Line::new("a\0");
let _ = line.pop();
let _ = line.replace(Some(String::from("ä")));
check("awkward::texts", 25, &line);
}
{
use beget_conformance::awkward::texts::*;
let mut line = Line::new("");
let _ = line.cut();
let _ = line.push('a');
let _ = line.push('a');
check("awkward::texts", 38, &line);
}
{
use beget_conformance::awkward::texts::*;
let mut line = Line::new("a\0");
let _ = line.pop();
let _ = line.cut();
let _ = line.replace(Some(String::from("ä")));
check("awkward::texts", 50, &line);
}
{
use beget_conformance::awkward::texts::*;
let mut line = Line::new("");
let _ = line.push('a');
let _ = line.cut();
let _ = line.push('a');
let _ = line.push('a');
check("awkward::texts", 63, &line);
}
{
use beget_conformance::awkward::texts::*;
let mut line = Line::new("a\0");
let _ = line.pop();
let _ = line.replace(Some(String::from("a\0")));
let _ = line.cut();
let _ = line.replace(Some(String::from("ä")));
check("awkward::texts", 76, &line);
}
{
use beget_conformance::awkward::texts::*;
let mut line = Line::new("");
let _ = line.push('a');
let _ = line.push('a');
let _ = line.cut();
let _ = line.replace(Some(String::from("a\0")));
let _ = line.pop();
let _ = line.replace(Some(String::from("a\0")));
check("awkward::texts", 89, &line);
}
{
use beget_conformance::awkward::tied_cycles::*;
let circle = Circle::new();
check("awkward::tied_cycles", 0, &circle);
}
{
use beget_conformance::awkward::tied_cycles::*;
let mut circle = Circle::new();
let _ = circle.add();
let _ = circle.add();
let _ = circle.go_on();
let _ = circle.add();
let _ = circle.forget();
check("awkward::tied_cycles", 55, &circle);
}
{
use beget_conformance::awkward::tied_cycles::*;
let mut circle = Circle::new();
let _ = circle.add();
let _ = circle.add();
let _ = circle.go_on();
let _ = circle.add();
let _ = circle.go_on();
let _ = circle.close();
check("awkward::tied_cycles", 111, &circle);
}
{
use beget_conformance::awkward::tied_cycles::*;
let mut circle = Circle::new();
let _ = circle.add();
let _ = circle.close();
let _ = circle.settle();
let _ = circle.forget();
let _ = circle.add();
let _ = circle.settle();
check("awkward::tied_cycles", 167, &circle);
}
{
use beget_conformance::awkward::tied_cycles::*;
let mut circle = Circle::new();
let _ = circle.add();
let _ = circle.add();
let _ = circle.settle();
let _ = circle.forget();
let _ = circle.add();
let _ = circle.close();
let _ = circle.settle();
check("awkward::tied_cycles", 223, &circle);
}
{
use beget_conformance::awkward::tied_cycles::*;
let mut circle = Circle::new();
let _ = circle.add();
let _ = circle.settle();
let _ = circle.add();
let _ = circle.settle();
let _ = circle.forget();
let _ = circle.add();
let _ = circle.close();
check("awkward::tied_cycles", 279, &circle);
}
{
use beget_conformance::awkward::tied_cycles::*;
let mut circle = Circle::new();
let _ = circle.add();
let _ = circle.close();
let _ = circle.forget();
let _ = circle.add();
let _ = circle.close();
let _ = circle.forget();
let _ = circle.add();
let _ = circle.settle();
check("awkward::tied_cycles", 335, &circle);
}
{
use beget_conformance::awkward::tied_cycles::*;
let mut circle = Circle::new();
let _ = circle.add();
let _ = circle.close();
let _ = circle.settle();
let _ = circle.forget();
let _ = circle.add();
let _ = circle.close();
let _ = circle.settle();
let _ = circle.forget();
let _ = circle.add();
let _ = circle.close();
let _ = circle.settle();
let _ = circle.forget();
check("awkward::tied_cycles", 391, &circle);
}
{
use beget_conformance::awkward::tied_keys::*;
let crowd = Crowd::new();
check("awkward::tied_keys", 0, &crowd);
}
{
use beget_conformance::awkward::tied_keys::*;
let mut crowd = Crowd::new();
let _ = crowd.join();
let _ = crowd.join();
let _ = crowd.follow();
let _ = crowd.lead();
let _ = crowd.join();
check("awkward::tied_keys", 45, &crowd);
}
{
use beget_conformance::awkward::tied_keys::*;
let mut crowd = Crowd::new();
let _ = crowd.join();
let _ = crowd.join();
let _ = crowd.follow();
let _ = crowd.lead();
let _ = crowd.join();
let _ = crowd.follow();
check("awkward::tied_keys", 90, &crowd);
}
{
use beget_conformance::awkward::tied_keys::*;
let mut crowd = Crowd::new();
let _ = crowd.join();
let _ = crowd.leave();
let _ = crowd.join();
let _ = crowd.follow();
let _ = crowd.join();
let _ = crowd.lead();
check("awkward::tied_keys", 135, &crowd);
}
{
use beget_conformance::awkward::tied_keys::*;
let mut crowd = Crowd::new();
let _ = crowd.join();
let _ = crowd.follow();
let _ = crowd.join();
let _ = crowd.lead();
let _ = crowd.lead();
let _ = crowd.join();
let _ = crowd.leave();
check("awkward::tied_keys", 180, &crowd);
}
{
use beget_conformance::awkward::tied_keys::*;
let mut crowd = Crowd::new();
let _ = crowd.join();
let _ = crowd.join();
let _ = crowd.follow();
let _ = crowd.leave();
let _ = crowd.join();
let _ = crowd.follow();
let _ = crowd.lead();
let _ = crowd.alone();
check("awkward::tied_keys", 225, &crowd);
}
{
use beget_conformance::awkward::tied_keys::*;
let mut crowd = Crowd::new();
let _ = crowd.join();
let _ = crowd.leave();
let _ = crowd.join();
let _ = crowd.follow();
let _ = crowd.lead();
let _ = crowd.lead();
let _ = crowd.join();
let _ = crowd.leave();
check("awkward::tied_keys", 270, &crowd);
}
{
use beget_conformance::awkward::tied_keys::*;
let mut crowd = Crowd::new();
let _ = crowd.join();
let _ = crowd.follow();
let _ = crowd.leave();
let _ = crowd.join();
let _ = crowd.alone();
let _ = crowd.leave();
let _ = crowd.join();
let _ = crowd.alone();
let _ = crowd.leave();
let _ = crowd.lead();
check("awkward::tied_keys", 316, &crowd);
}
{
use beget_conformance::awkward::tied_priorities::*;
let queue = Queue::new();
check("awkward::tied_priorities", 0, &queue);
}
{
use beget_conformance::awkward::tied_priorities::*;
let mut queue = Queue::new();
let _ = queue.push(0);
let _ = queue.watch();
let _ = queue.again();
check("awkward::tied_priorities", 25, &queue);
}
{
use beget_conformance::awkward::tied_priorities::*;
let mut queue = Queue::new();
let _ = queue.push(0);
let _ = queue.push(1);
let _ = queue.push(2);
let _ = queue.watch();
check("awkward::tied_priorities", 50, &queue);
}
{
use beget_conformance::awkward::tied_priorities::*;
let mut queue = Queue::new();
let _ = queue.push(1);
let _ = queue.push(2);
let _ = queue.push(2);
let _ = queue.watch();
check("awkward::tied_priorities", 75, &queue);
}
{
use beget_conformance::awkward::tied_priorities::*;
let mut queue = Queue::new();
let _ = queue.push(0);
let _ = queue.push(0);
let _ = queue.watch();
let _ = queue.pop();
let _ = queue.push(2);
check("awkward::tied_priorities", 100, &queue);
}
{
use beget_conformance::awkward::tied_priorities::*;
let mut queue = Queue::new();
let _ = queue.push(1);
let _ = queue.watch();
let _ = queue.pop();
let _ = queue.push(2);
let _ = queue.push(2);
check("awkward::tied_priorities", 125, &queue);
}
{
use beget_conformance::awkward::tied_priorities::*;
let mut queue = Queue::new();
let _ = queue.push(0);
let _ = queue.watch();
let _ = queue.push(1);
let _ = queue.again();
let _ = queue.watch();
let _ = queue.pop();
let _ = queue.push(1);
check("awkward::tied_priorities", 150, &queue);
}
{
use beget_conformance::awkward::tied_priorities::*;
let mut queue = Queue::new();
let _ = queue.push(2);
let _ = queue.push(2);
let _ = queue.watch();
let _ = queue.again();
let _ = queue.watch();
let _ = queue.pop();
let _ = queue.again();
let _ = queue.watch();
let _ = queue.pop();
let _ = queue.push(2);
check("awkward::tied_priorities", 175, &queue);
}
{
use beget_conformance::awkward::two_owners::*;
let desk = Desk::new();
check("awkward::two_owners", 0, &desk);
}
{
use beget_conformance::awkward::two_owners::*;
let mut desk = Desk::new();
let _ = desk.write(0);
let _ = desk.write(0);
let _ = desk.tie();
check("awkward::two_owners", 12, &desk);
}
{
use beget_conformance::awkward::two_owners::*;
let mut desk = Desk::new();
let _ = desk.store();
let _ = desk.restore();
let _ = desk.copy();
check("awkward::two_owners", 25, &desk);
}
{
use beget_conformance::awkward::two_owners::*;
let mut desk = Desk::new();
let _ = desk.write(0);
let _ = desk.store();
let _ = desk.restore();
let _ = desk.tie();
check("awkward::two_owners", 38, &desk);
}
{
use beget_conformance::awkward::two_owners::*;
let mut desk = Desk::new();
let _ = desk.write(0);
let _ = desk.write(0);
let _ = desk.store();
let _ = desk.restore();
let _ = desk.write(0);
check("awkward::two_owners", 50, &desk);
}
{
use beget_conformance::awkward::two_owners::*;
let mut desk = Desk::new();
let _ = desk.write(0);
let _ = desk.store();
let _ = desk.restore();
let _ = desk.copy();
let _ = desk.write(0);
check("awkward::two_owners", 63, &desk);
}
{
use beget_conformance::awkward::two_owners::*;
let mut desk = Desk::new();
let _ = desk.write(0);
let _ = desk.write(0);
let _ = desk.store();
let _ = desk.restore();
let _ = desk.store();
let _ = desk.tie();
check("awkward::two_owners", 76, &desk);
}
{
use beget_conformance::awkward::two_owners::*;
let mut desk = Desk::new();
let _ = desk.write(0);
let _ = desk.write(0);
let _ = desk.store();
let _ = desk.restore();
let _ = desk.write(0);
let _ = desk.store();
let _ = desk.copy();
let _ = desk.read();
check("awkward::two_owners", 89, &desk);
}
{
use beget_conformance::awkward::unsized_values::*;
let bag = Bag::empty();
check("awkward::unsized_values", 0, &bag);
}
{
use beget_conformance::awkward::unsized_values::*;
let mut bag = Bag::empty();
let _ = bag.push(());
let _ = bag.push(());
check("awkward::unsized_values", 5, &bag);
}
{
use beget_conformance::awkward::unsized_values::*;
let mut bag = Bag::empty();
let _ = bag.share();
let nothing = Nothing::new();
let _ = bag.put(nothing);
check("awkward::unsized_values", 11, &bag);
}
{
use beget_conformance::awkward::unsized_values::*;
let mut bag = Bag::empty();
let _ = bag.share();
let _ = bag.share();
let _ = bag.see();
check("awkward::unsized_values", 16, &bag);
}
{
use beget_conformance::awkward::unsized_values::*;
let mut bag = Bag::empty();
let _ = bag.share();
let _ = bag.see();
let nothing = Nothing::new();
let _ = bag.put(nothing);
check("awkward::unsized_values", 22, &bag);
}
{
use beget_conformance::awkward::unsized_values::*;
let mut bag = Bag::empty();
let _ = bag.push(());
let _ = bag.share();
let _ = bag.repeat();
let _ = bag.see();
check("awkward::unsized_values", 27, &bag);
}
{
use beget_conformance::awkward::unsized_values::*;
let mut bag = Bag::empty();
let _ = bag.push(());
let _ = bag.push(());
let _ = bag.share();
let _ = bag.share();
let _ = bag.see();
check("awkward::unsized_values", 33, &bag);
}
{
use beget_conformance::awkward::unsized_values::*;
let mut bag = Bag::empty();
let _ = bag.push(());
let _ = bag.push(());
let _ = bag.share();
let _ = bag.repeat();
let _ = bag.see();
let nothing = Nothing::new();
let _ = bag.put(nothing);
check("awkward::unsized_values", 39, &bag);
}
{
use beget_conformance::awkward::weak::*;
let watch = Watch::new();
check("awkward::weak", 0, &watch);
}
{
use beget_conformance::awkward::weak::*;
let mut watch = Watch::new();
let _ = watch.own(0);
let _ = watch.watch(0);
let _ = watch.count();
check("awkward::weak", 16, &watch);
}
{
use beget_conformance::awkward::weak::*;
let mut watch = Watch::new();
let _ = watch.own(0);
let _ = watch.own(1);
let _ = watch.watch(1);
let _ = watch.watch(1);
check("awkward::weak", 33, &watch);
}
{
use beget_conformance::awkward::weak::*;
let mut watch = Watch::new();
let _ = watch.own(0);
let _ = watch.own(0);
let _ = watch.watch(0);
let _ = watch.count();
let _ = watch.watch(0);
check("awkward::weak", 50, &watch);
}
{
use beget_conformance::awkward::weak::*;
let mut watch = Watch::new();
let _ = watch.own(0);
let _ = watch.own(0);
let _ = watch.watch(0);
let _ = watch.watch(0);
let _ = watch.count();
let _ = watch.count();
check("awkward::weak", 66, &watch);
}
{
use beget_conformance::awkward::weak::*;
let mut watch = Watch::new();
let _ = watch.own(1);
let _ = watch.own(0);
let _ = watch.watch(0);
let _ = watch.watch(1);
let _ = watch.lose();
let _ = watch.keep();
check("awkward::weak", 83, &watch);
}
{
use beget_conformance::awkward::weak::*;
let mut watch = Watch::new();
let _ = watch.own(0);
let _ = watch.own(0);
let _ = watch.watch(0);
let _ = watch.watch(0);
let _ = watch.count();
let _ = watch.forget();
let _ = watch.watch(1);
let _ = watch.watch(0);
let _ = watch.lose();
check("awkward::weak", 100, &watch);
}
{
use beget_conformance::awkward::weak::*;
let mut watch = Watch::new();
let _ = watch.own(0);
let _ = watch.watch(0);
let _ = watch.watch(0);
let _ = watch.count();
let _ = watch.forget();
let _ = watch.watch(0);
let _ = watch.keep();
let _ = watch.count();
let _ = watch.watch(0);
let _ = watch.count();
let _ = watch.count();
check("awkward::weak", 117, &watch);
}
{
use beget_conformance::awkward::weak_cycles::*;
let family = Family::new();
check("awkward::weak_cycles", 0, &family);
}
{
use beget_conformance::awkward::weak_cycles::*;
let mut family = Family::new();
let _ = family.invite();
let _ = family.adopt();
check("awkward::weak_cycles", 4, &family);
}
{
use beget_conformance::awkward::weak_cycles::*;
let mut family = Family::new();
let _ = family.bear();
let _ = family.invite();
let _ = family.descend();
let _ = family.bear();
check("awkward::weak_cycles", 8, &family);
}
{
use beget_conformance::awkward::weak_cycles::*;
let mut family = Family::new();
let _ = family.bear();
let _ = family.invite();
let _ = family.descend();
let _ = family.bear();
let _ = family.swap();
check("awkward::weak_cycles", 13, &family);
}
{
use beget_conformance::awkward::weak_cycles::*;
let mut family = Family::new();
let _ = family.bear();
let _ = family.invite();
let _ = family.adopt();
let _ = family.descend();
let _ = family.swap();
check("awkward::weak_cycles", 17, &family);
}
{
use beget_conformance::awkward::weak_cycles::*;
let mut family = Family::new();
let _ = family.bear();
let _ = family.invite();
let _ = family.adopt();
let _ = family.descend();
let _ = family.bear();
let _ = family.descend();
check("awkward::weak_cycles", 22, &family);
}
{
use beget_conformance::awkward::weak_cycles::*;
let mut family = Family::new();
let _ = family.bear();
let _ = family.invite();
let _ = family.adopt();
let _ = family.descend();
let _ = family.bear();
let _ = family.descend();
let _ = family.bear();
check("awkward::weak_cycles", 26, &family);
}
{
use beget_conformance::awkward::weak_cycles::*;
let mut family = Family::new();
let _ = family.bear();
let _ = family.invite();
let _ = family.adopt();
let _ = family.descend();
let _ = family.bear();
let _ = family.descend();
let _ = family.swap();
let _ = family.bear();
let _ = family.swap();
check("awkward::weak_cycles", 31, &family);
}
{
use beget_conformance::awkward::wide_integers::*;
let wide = Wide::new();
check("awkward::wide_integers", 0, &wide);
}
{
use beget_conformance::awkward::wide_integers::*;
let mut wide = Wide::new();
let _ = wide.ends(false);
let _ = wide.wide_ends(true);
let _ = wide.narrow();
check("awkward::wide_integers", 44, &wide);
}
{
use beget_conformance::awkward::wide_integers::*;
let mut wide = Wide::new();
let _ = wide.ends(false);
let _ = wide.wide_ends(false);
let _ = wide.set(0);
let _ = wide.negate();
check("awkward::wide_integers", 88, &wide);
}
{
use beget_conformance::awkward::wide_integers::*;
let mut wide = Wide::new();
let _ = wide.ends(true);
let _ = wide.wide_ends(true);
let _ = wide.narrow();
let _ = wide.negate();
check("awkward::wide_integers", 132, &wide);
}
{
use beget_conformance::awkward::wide_integers::*;
let mut wide = Wide::new();
let _ = wide.ends(false);
let _ = wide.wide_ends(false);
let _ = wide.narrow();
let _ = wide.negate();
let _ = wide.set(127);
check("awkward::wide_integers", 176, &wide);
}
{
use beget_conformance::awkward::wide_integers::*;
let mut wide = Wide::new();
let _ = wide.ends(true);
let _ = wide.set(128);
let _ = wide.negate();
let _ = wide.narrow();
let _ = wide.negate();
check("awkward::wide_integers", 220, &wide);
}
{
use beget_conformance::awkward::wide_integers::*;
let mut wide = Wide::new();
let _ = wide.ends(true);
let _ = wide.wide_ends(false);
let _ = wide.set(0);
let _ = wide.narrow();
let _ = wide.ends(false);
let _ = wide.negate();
check("awkward::wide_integers", 264, &wide);
}
{
use beget_conformance::awkward::wide_integers::*;
let mut wide = Wide::new();
let _ = wide.ends(true);
let _ = wide.wide_ends(true);
let _ = wide.narrow();
let _ = wide.negate();
let _ = wide.set(127);
let _ = wide.narrow();
let _ = wide.ends(false);
let _ = wide.negate();
check("awkward::wide_integers", 309, &wide);
}
{
use beget_conformance::awkward::widest_integers::*;
let sum = Sum::new(0, 0);
check("awkward::widest_integers", 0, &sum);
}
{
use beget_conformance::awkward::widest_integers::*;
let mut sum = Sum::new(0, 18446744073709551615);
let _ = sum.end();
let _ = sum.negate();
let _ = sum.turn();
check("awkward::widest_integers", 179, &sum);
}
{
use beget_conformance::awkward::widest_integers::*;
let mut sum = Sum::new(0, 18446744073709551615);
let _ = sum.turn();
let _ = sum.end();
let _ = sum.turn();
let _ = sum.keep();
check("awkward::widest_integers", 358, &sum);
}
{
use beget_conformance::awkward::widest_integers::*;
let mut sum = Sum::new(18446744073709551615, 18446744073709551615);
let _ = sum.keep();
let _ = sum.turn();
let _ = sum.negate();
let _ = sum.end();
check("awkward::widest_integers", 537, &sum);
}
{
use beget_conformance::awkward::widest_integers::*;
let mut sum = Sum::new(1, 1);
let _ = sum.turn();
let _ = sum.negate();
let _ = sum.keep();
let _ = sum.turn();
let _ = sum.end();
check("awkward::widest_integers", 716, &sum);
}
{
use beget_conformance::awkward::widest_integers::*;
let mut sum = Sum::new(0, 1);
let _ = sum.turn();
let _ = sum.end();
let _ = sum.turn();
let _ = sum.keep();
let _ = sum.turn();
let _ = sum.negate();
check("awkward::widest_integers", 895, &sum);
}
{
use beget_conformance::awkward::widest_integers::*;
let mut sum = Sum::new(18446744073709551615, 1);
let _ = sum.negate();
let _ = sum.keep();
let _ = sum.turn();
let _ = sum.end();
let _ = sum.turn();
let _ = sum.negate();
check("awkward::widest_integers", 1074, &sum);
}
{
use beget_conformance::awkward::widest_integers::*;
let mut sum = Sum::new(18446744073709551615, 18446744073709551615);
let _ = sum.turn();
let _ = sum.negate();
let _ = sum.keep();
let _ = sum.turn();
let _ = sum.end();
let _ = sum.turn();
let _ = sum.negate();
let _ = sum.turn();
let _ = sum.end();
check("awkward::widest_integers", 1254, &sum);
}
{
use beget_conformance::awkward::wrapped_deques::*;
let ring = Ring::new();
check("awkward::wrapped_deques", 0, &ring);
}
{
use beget_conformance::awkward::wrapped_deques::*;
let mut ring = Ring::new();
let _ = ring.push(0);
let _ = ring.push(1);
check("awkward::wrapped_deques", 4, &ring);
}
{
use beget_conformance::awkward::wrapped_deques::*;
let mut ring = Ring::new();
let _ = ring.push(1);
let _ = ring.hold();
check("awkward::wrapped_deques", 8, &ring);
}
{
use beget_conformance::awkward::wrapped_deques::*;
let mut ring = Ring::new();
let _ = ring.push(0);
let _ = ring.hold();
let _ = ring.push(1);
check("awkward::wrapped_deques", 12, &ring);
}
{
use beget_conformance::awkward::wrapped_deques::*;
let mut ring = Ring::new();
let _ = ring.push(1);
let _ = ring.hold();
let _ = ring.push(0);
check("awkward::wrapped_deques", 17, &ring);
}
{
use beget_conformance::awkward::wrapped_deques::*;
let mut ring = Ring::new();
let _ = ring.push(0);
let _ = ring.hold();
let _ = ring.push(0);
let _ = ring.pop();
check("awkward::wrapped_deques", 21, &ring);
}
{
use beget_conformance::awkward::wrapped_deques::*;
let mut ring = Ring::new();
let mut ring_2 = Ring::new();
let _ = ring_2.push(0);
let _ = ring_2.hold();
let _ = ring_2.push_held();
let _ = ring.append(&mut ring_2);
drop(ring_2);
check("awkward::wrapped_deques", 25, &ring);
}
{
use beget_conformance::awkward::wrapped_deques::*;
let mut ring = Ring::new();
let _ = ring.push(1);
let _ = ring.hold();
let _ = ring.pop();
let mut ring_2 = Ring::new();
let _ = ring_2.push(1);
let _ = ring_2.hold();
let _ = ring_2.push_held();
let _ = ring.append(&mut ring_2);
drop(ring_2);
check("awkward::wrapped_deques", 30, &ring);
}
}
