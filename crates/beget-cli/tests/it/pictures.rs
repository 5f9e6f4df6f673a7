//! What is in the pictures of all case studies: nothing lies on anything else, and all is on the
//! page.

use crate::common;

use std::path::{Path, PathBuf};

use common::{ended, example, of_program, run_beget};
use regex::Regex;

/// The width of a character of a box or label is at most this, in any monospaced font.
const CHARACTER: f64 = 6.7;

#[derive(Debug)]
struct Area {
    what: String,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Area {
    /// A text of 11 pixels by the ends of its line; `from_left` is what part of it is left of `x`.
    fn of_text(text: &str, x: f64, baseline: f64, from_left: f64) -> Area {
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        let width = text.chars().count() as f64 * CHARACTER;
        let left = x - from_left * width;
        Area { what: text, left, top: baseline - 9.0, right: left + width, bottom: baseline + 3.0 }
    }

    fn overlaps(&self, other: &Area) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// To the rounding of numbers.
    fn is_within(&self, other: &Area) -> bool {
        let slack = 0.2;
        other.left <= self.left + slack
            && self.right <= other.right + slack
            && other.top <= self.top + slack
            && self.bottom <= other.bottom + slack
    }
}

/// A picture of a page: its boxes, the texts in boxes, the labels.
#[derive(Debug, Default)]
struct Seen {
    boxes: Vec<Area>,
    inner: Vec<Area>,
    labels: Vec<Area>,
    /// Places along each arrow, close together.
    arrows: Vec<Vec<[f64; 2]>>,
}

/// The pictures of a page, and how large the page is.
fn read(svg: &str) -> (Vec<Seen>, [f64; 2]) {
    let number = |text: &str| text.parse::<f64>().unwrap();
    let rect = r#"<rect class="object" x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)""#;
    let rect = Regex::new(rect).unwrap();
    let text =
        r#"<text class="(class|field|label|index|value)" x="([^"]+)" y="([^"]+)"[^>]*>([^<]*)<"#;
    let text = Regex::new(text).unwrap();
    let path = Regex::new(r#"<path class="edge" d="([^"]+)""#).unwrap();
    let mut pictures = Vec::new();
    for picture in svg.split("<g ").skip(1) {
        let mut seen = Seen::default();
        for found in rect.captures_iter(picture) {
            let [left, top, width, height] = found.extract().1.map(number);
            let (right, bottom) = (left + width, top + height);
            seen.boxes.push(Area { what: "a box".to_owned(), left, top, right, bottom });
        }
        for found in text.captures_iter(picture) {
            let [class, x, y, shown] = found.extract().1;
            let from_left = if class == "field" { 0.0 } else { 0.5 };
            let area = Area::of_text(shown, number(x), number(y), from_left);
            let areas = if class == "label" { &mut seen.labels } else { &mut seen.inner };
            areas.push(area);
        }
        seen.arrows = path.captures_iter(picture).map(|found| points_of(&found[1])).collect();
        pictures.push(seen);
    }
    let size = Regex::new(r#"<svg width="([^"]+)" height="([^"]+)""#).unwrap();
    (pictures, size.captures(svg).unwrap().extract().1.map(number))
}

/// Places along cubic curves, one after another.
fn points_of(path: &str) -> Vec<[f64; 2]> {
    let numbers = Regex::new(r"-?[0-9.]+").unwrap();
    let numbers: Vec<f64> =
        numbers.find_iter(path).map(|found| found.as_str().parse().unwrap()).collect();
    let corners: Vec<[f64; 2]> = numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    let mut points = Vec::new();
    for piece in corners.windows(4).step_by(3) {
        for step in 0..=40 {
            let t = f64::from(step) / 40.0;
            let u = 1.0 - t;
            let weights = [u * u * u, 3.0 * u * u * t, 3.0 * u * t * t, t * t * t];
            let sum = |axis: usize| weights.iter().zip(piece).map(|(w, at)| w * at[axis]).sum();
            points.push([sum(0), sum(1)]);
        }
    }
    points
}

/// No arrow passes through a box; those that touch its side end there.
fn check_arrows(scope: &Path, number: usize, seen: &Seen) {
    let slack = 1.0;
    for (arrow, points) in seen.arrows.iter().enumerate() {
        for at in &seen.boxes {
            let is_inside = |[x, y]: &[f64; 2]| {
                (at.left + slack..at.right - slack).contains(x)
                    && (at.top + slack..at.bottom - slack).contains(y)
            };
            let inside = points.iter().find(|point| is_inside(point));
            assert!(inside.is_none(), "{scope:?}, picture {number}: arrow {arrow} in {at:?}");
        }
    }
}

fn check(scope: &Path, svg: &str) -> usize {
    let (pictures, [width, height]) = read(svg);
    assert!(pictures.len() == 1 || width < 1124.0 && height < 795.0, "{scope:?}: too large");
    let mut n_labels = 0;
    for (number, seen) in pictures.iter().enumerate() {
        check_arrows(scope, number, seen);
        let Seen { boxes, inner, labels, .. } = seen;
        let outer: Vec<&Area> = boxes.iter().chain(labels).collect();
        for (index, one) in outer.iter().enumerate() {
            for other in &outer[..index] {
                let (upper, lower) = (&one.what, &other.what);
                assert!(!one.overlaps(other), "{scope:?}, picture {number}: {upper} on {lower}");
            }
        }
        for (index, one) in inner.iter().enumerate() {
            let is_in_box = boxes.iter().any(|outer| one.is_within(outer));
            assert!(is_in_box, "{scope:?}, picture {number}: {} is in no box", one.what);
            let is_alone = !inner[..index].iter().any(|other| one.overlaps(other));
            assert!(is_alone, "{scope:?}, picture {number}: {} on another line", one.what);
        }
        n_labels += labels.len();
    }
    n_labels
}

fn scopes(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut all: Vec<PathBuf> = entries
        .flat_map(|path| if path.is_dir() { scopes(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "ron"))
        .collect();
    all.sort();
    all
}

#[test]
fn no_label_and_no_box_lies_on_another_in_any_case_study() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scopes");
    let (mut n_scopes, mut n_labels) = (0, 0);
    // Those of the standard library are of another program, and show texts.
    let case_studies =
        scopes(&directory).into_iter().filter(|path| !path.parent().unwrap().ends_with("std"));
    for scope in case_studies {
        for selection in ["--last", "--gallery 16"] {
            let budget = "--max-structures 120 --quiet";
            let path = scope.display();
            let ended = run_beget(&format!("show {path} -k 4 {selection} {budget} --format svg"));
            assert!(matches!(ended.code, Some(0 | 3)), "{path}: {}", ended.stderr);
            n_labels += check(&scope, &ended.stdout);
        }
        n_scopes += 1;
    }
    assert!(n_scopes >= 41 && n_labels > 2000, "{n_scopes} scopes, {n_labels} labels");
}

#[test]
fn nodes_of_a_tree_have_the_colours_of_their_variants() {
    let show = "show ../../../scopes/kiasan/treeset.ron -k 4 --last --color-by";
    let ended = run_beget(&format!("{show} color --format svg"));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    // One set, whose fields are no colours, and three black nodes.
    assert_eq!(ended.stdout.matches("class=\"object\"").count(), 4);
    assert_eq!(ended.stdout.matches("style=\"fill:#4d4d4d\"/>").count(), 3);
    insta::assert_snapshot!(ended.stdout);
    let of_class = run_beget(&format!("{show} TreeSetEntry.color --format svg"));
    assert_eq!(of_class.stdout, ended.stdout);
    let dot = run_beget(&format!("{show} color --format dot"));
    insta::assert_snapshot!(dot.stdout);
}

/// Colours are by value, so a boolean has one of two in all pictures.
#[test]
fn booleans_have_two_colours() {
    let show = "show ../../../scopes/roops/rbt.ron -k 3 --gallery 20 --color-by color --format svg";
    let svg = run_beget(show).stdout;
    for (value, fill) in [("true", "#4d4d4d"), ("false", "#f28e8e")] {
        let of_value = svg.matches(&format!(">color = {value}<")).count();
        assert!(of_value > 0, "{svg}");
        assert_eq!(svg.matches(&format!("fill:{fill}\"")).count(), of_value, "{value}");
    }
}

#[test]
fn a_field_without_colours_is_refused_with_those_that_there_are() {
    let show = "show ../../../scopes/roops/rbt.ron --format svg --color-by";
    // `left` is an index that means a pointer.
    for field in ["colour", "left", "TreeSet.color"] {
        let ended = run_beget(&format!("{show} {field}"));
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{ended:?}");
        let told = format!(
            "error: there is no field `{field}` to colour objects by: the fields of booleans, integers and enums are \
             `TreeSet.size`, `Node.color`, `Node.key`\n"
        );
        assert_eq!(ended.stderr, told);
    }
    let ended = run_beget("show ../../../scopes/roops/rbt.ron --color-by color");
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(ended.stderr.contains("text has no colours for --color-by"), "{ended:?}");
}

/// A key is a box of its own, named as in the recipe below, though no call there takes it.
#[test]
fn keys_are_variables_beside_the_structure() {
    let line = "show scopes/deadly-keys.ron --methods new,insert";
    let shown = ended(of_program(&example("deadly_suites"), line));
    assert_eq!(
        shown.stdout,
        "Lockers 2: 3 calls\n    \
         let mut lockers = Lockers::new();\n    \
         let key = lockers.insert(0);\n    \
         let key_2 = lockers.insert(0);\n\
         Lockers#0 { slots: #1 }\n\
         Vec<core::option::Option<u8>>#1 { 0: 0, 1: 0, length: 2 }\n\
         key = LockerKey#2 { 0: 0 }\n\
         key_2 = LockerKey#3 { 0: 1 }\n"
    );
    let svg = ended(of_program(&example("deadly_suites"), &format!("{line} --format svg"))).stdout;
    assert!(svg.contains(">key_2 = LockerKey#3</text>"), "{svg}");
}
