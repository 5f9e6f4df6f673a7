//! Line charts of runs, as SVG.
//!
//! Names stand at the ends of their lines, beside the plot, so that nothing covers the data. The
//! colours are safe for colour-blind readers, and each line has its own dashes.

use std::fmt::Write as _;

use crate::records::{escape, grouped};

/// One picture: its lines share their axes.
pub(crate) struct Panel {
    pub(crate) caption: String,
    /// The quantity counted from left to right.
    pub(crate) across: &'static str,
    /// The quantity that the lines show.
    pub(crate) upwards: &'static str,
    /// True if its axis begins at zero, and not near the least value.
    pub(crate) from_zero: bool,
    pub(crate) lines: Vec<Line>,
}

/// A line of a panel.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) points: Vec<(u64, f64)>,
    /// The spread of the values around each point, above and below; empty if it is not shown.
    pub(crate) spread: Vec<f64>,
    /// The interpolation between points.
    pub(crate) course: LineCourse,
}

/// The interpolation of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineCourse {
    /// A value holds until the next one.
    Steps,
    /// Values in between were not looked at.
    Straight,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 340.0;
/// Room for numbers on the left, names on the right, the caption, and numbers below.
const LEFT: f64 = 76.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 48.0;
/// Between the names of two lines.
const NAME_LINE: f64 = 16.0;

const STYLE: &str = "\
.chart { --back: #fff; --text: #1b1b1b; --dim: #555; --grid: #e2e2e2; --line-1: #0072b2; --line-2: #b84f00; --line-3: #00795a; }
@media (prefers-color-scheme: dark) { .chart { --back: #16181c; --text: #e8e8e8; --dim: #b0b0b0; --grid: #34373d; --line-1: #56b4e9; --line-2: #e69f00; --line-3: #2fc79a; } }
.chart text { font: 12px sans-serif; fill: var(--text); }
.chart .caption { font-size: 14px; font-weight: bold; text-anchor: middle; }
.chart .axis { text-anchor: middle; fill: var(--dim); }
.chart .left { text-anchor: end; fill: var(--dim); }
.chart .grid { stroke: var(--grid); }
.chart .plot { fill: none; stroke-width: 2; stroke-linejoin: round; }
.chart .spread { opacity: .2; }
";

/// The panels one below the other.
pub(crate) fn to_svg(panels: &[Panel]) -> String {
    let height = HEIGHT * panels.len() as f64;
    let captions: Vec<String> = panels.iter().map(|panel| escape(&panel.caption)).collect();
    let descriptions: Vec<String> = panels.iter().map(Panel::description).collect();
    let mut svg = format!(
        "<svg class=\"chart\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         xmlns=\"http://www.w3.org/2000/svg\">\n<title>{}</title>\n<desc>{}</desc>\n<style>\n{STYLE}</style>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" style=\"fill: var(--back)\"/>\n",
        captions.join("; "),
        escape(&descriptions.join(" "))
    );
    for (number, panel) in panels.iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate(0 {})\">", HEIGHT * number as f64);
        Chart::of(panel).write(&mut svg);
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}

impl Panel {
    /// The lines in words.
    fn description(&self) -> String {
        let line = |line: &Line| {
            let (count, height) = line.points.last()?;
            Some(format!("{}: {} after {count} {}.", line.name, number(*height), self.across))
        };
        self.lines.iter().filter_map(line).collect::<Vec<_>>().join(" ")
    }
}

impl Line {
    /// The counts with the least and the greatest shown value, where the spread is shown.
    fn ends(&self) -> impl DoubleEndedIterator<Item = (u64, f64, f64)> {
        let both = self.points.iter().zip(&self.spread);
        both.map(|(&(count, height), spread)| (count, height - spread, height + spread))
    }
}

/// A panel with the range of its axes.
struct Chart<'p> {
    panel: &'p Panel,
    /// The count at the right end.
    last: f64,
    least: f64,
    most: f64,
}

impl Chart<'_> {
    fn of(panel: &Panel) -> Chart<'_> {
        let points = || panel.lines.iter().flat_map(|line| &line.points);
        let ends = panel.lines.iter().flat_map(Line::ends);
        let ends: Vec<f64> = ends.flat_map(|(_, low, high)| [low, high]).collect();
        let heights = || points().map(|(_, height)| *height).chain(ends.iter().copied());
        let most = heights().fold(1.0, f64::max);
        let last = points().map(|(count, _)| *count).fold(1, u64::max) as f64;
        let start = if panel.from_zero { 0.0 } else { most };
        let least = heights().fold(start, f64::min);
        let least = if least < most { least } else { 0.0_f64.min(least) };
        Chart { panel, last, least, most: most + (most - least) * 0.02 }
    }

    fn x(&self, count: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * count / self.last
    }

    fn y(&self, height: f64) -> f64 {
        let share = (height - self.least) / (self.most - self.least);
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share
    }

    fn write(&self, svg: &mut String) {
        let (left, right) = (LEFT, WIDTH - RIGHT);
        let middle = (left + right) / 2.0;
        let _ = writeln!(
            svg,
            "<text class=\"caption\" x=\"{middle}\" y=\"20\">{}</text>",
            escape(&self.panel.caption)
        );
        for tick in ticks(self.least, self.most, 5) {
            let (y, shown) = (place(self.y(tick)), number(tick));
            let _ = writeln!(
                svg,
                "<path class=\"grid\" d=\"M {left} {y} H {right}\"/>\n\
                 <text class=\"left\" x=\"{}\" y=\"{y}\" dy=\"4\">{shown}</text>",
                left - 8.0
            );
        }
        for tick in ticks(0.0, self.last, 6).into_iter().filter(|tick| tick.fract() == 0.0) {
            let (x, shown) = (place(self.x(tick)), number(tick));
            let y = HEIGHT - BOTTOM + 18.0;
            let _ = writeln!(svg, "<text class=\"axis\" x=\"{x}\" y=\"{y}\">{shown}</text>");
        }
        let (across, upwards) = (self.panel.across, self.panel.upwards);
        let (below, side) = (HEIGHT - 10.0, (TOP + HEIGHT - BOTTOM) / 2.0);
        let _ = writeln!(
            svg,
            "<text class=\"axis\" x=\"{middle}\" y=\"{below}\">{across}</text>\n\
             <text class=\"axis\" transform=\"translate(16 {side}) rotate(-90)\">{upwards}</text>"
        );
        for (index, line) in self.panel.lines.iter().enumerate() {
            self.write_spread(svg, index, line);
            self.write_line(svg, index, line);
        }
        self.write_names(svg);
    }

    fn write_spread(&self, svg: &mut String, index: usize, line: &Line) {
        let corner =
            |count, height| format!("{} {}", place(self.x(count as f64)), place(self.y(height)));
        let above = line.ends().map(|(count, _, high)| corner(count, high));
        let below = line.ends().rev().map(|(count, low, _)| corner(count, low));
        let corners: Vec<String> = above.chain(below).collect();
        if !corners.is_empty() {
            let (color, path) = (index % 3 + 1, corners.join(" L "));
            let _ = writeln!(
                svg,
                "<path class=\"spread\" style=\"fill: var(--line-{color})\" d=\"M {path} Z\"/>"
            );
        }
    }

    fn write_line(&self, svg: &mut String, index: usize, line: &Line) {
        const DASHES: [&str; 3] = ["", " stroke-dasharray=\"7 3\"", " stroke-dasharray=\"2 2\""];
        let mut path = String::new();
        for (at, &(count, height)) in line.points.iter().enumerate() {
            let (x, y) = (place(self.x(count as f64)), place(self.y(height)));
            let _ = match (at, line.course) {
                (0, _) => write!(path, "M {x} {y}"),
                (_, LineCourse::Steps) => write!(path, " H {x} V {y}"),
                (_, LineCourse::Straight) => write!(path, " L {x} {y}"),
            };
        }
        let (color, dashes) = (index % 3 + 1, DASHES[index % 3]);
        let _ = writeln!(
            svg,
            "<path class=\"plot\" style=\"stroke: var(--line-{color})\"{dashes} d=\"{path}\"/>"
        );
    }

    /// The names at the ends of the lines, with their last values, from the lowest up so that each
    /// has a line of its own.
    fn write_names(&self, svg: &mut String) {
        let of_line = |(index, line): (usize, &Line)| {
            let height = line.points.last()?.1;
            let text = format!("{} {}", number(height), line.name);
            Some((self.y(height), text, format!("var(--line-{})", index % 3 + 1)))
        };
        let lines = self.panel.lines.iter().enumerate();
        let mut names: Vec<(f64, String, String)> = lines.filter_map(of_line).collect();
        names.sort_by(|one, other| other.0.total_cmp(&one.0));
        let mut lowest = f64::INFINITY;
        for (y, text, color) in names {
            lowest = y.min(lowest - NAME_LINE);
            let (x, y, text) = (WIDTH - RIGHT + 8.0, place(lowest), escape(&text));
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" dy=\"4\" style=\"fill: {color}\">{text}</text>"
            );
        }
    }
}

/// Round numbers within a range, at most `n` steps apart.
fn ticks(least: f64, most: f64, n: u32) -> Vec<f64> {
    let rough = (most - least) / f64::from(n);
    let power = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = steps.into_iter().find(|step| *step >= rough).unwrap_or(10.0 * power);
    let first = (least / step).ceil() as i64;
    let last = (most / step).floor() as i64;
    (first..=last).map(|at| at as f64 * step).collect()
}

/// A number with grouped digits.
fn number(value: f64) -> String {
    match value {
        value if value >= 1000.0 => grouped(value as u64),
        value if value.fract() == 0.0 => format!("{value}"),
        value => format!("{value:.1}"),
    }
}

/// A coordinate, to a tenth.
fn place(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(lines: Vec<Line>) -> Panel {
        let caption = "a < b".to_owned();
        Panel { caption, across: "calls", upwards: "n", from_zero: true, lines }
    }

    fn line(name: &'static str, course: LineCourse, height: f64) -> Line {
        Line { name, points: vec![(0, 0.0), (10, height)], spread: Vec::new(), course }
    }

    #[test]
    fn lines_have_colours_and_dashes_and_names_beside_the_plot() {
        let lines =
            vec![line("pooled", LineCourse::Steps, 3.0), line("met", LineCourse::Straight, 3.0)];
        let svg = to_svg(&[panel(lines), panel(Vec::new())]);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
        for shown in ["3 pooled", "3 met", "calls", "var(--line-2)", "height=\"680\""] {
            assert!(svg.contains(shown), "{shown}: {svg}");
        }
        assert!(svg.contains("a &lt; b") && svg.contains("role=\"img\""), "{svg}");
        let names: Vec<f64> = svg
            .lines()
            .filter(|line| line.contains("fill: var(--line"))
            .map(|line| line.split("y=\"").nth(1).unwrap().split('"').next().unwrap())
            .map(|y| y.parse().unwrap())
            .collect();
        assert!((names[0] - names[1]).abs() >= NAME_LINE, "{names:?}");
        assert!(svg.contains("<text x=\"538\""), "{svg}");
    }

    #[test]
    fn steps_are_steps() {
        let svg = to_svg(&[panel(vec![line("pooled", LineCourse::Steps, 3.0)])]);
        let path = svg.lines().find(|line| line.contains("class=\"plot\"")).unwrap();
        assert!(path.contains(" H 530 V ") && !path.contains(" L "), "{path}");
    }

    #[test]
    fn a_spread_is_an_area_around_its_line() {
        let spread = vec![0.0, 2.0];
        let svg =
            to_svg(&[panel(vec![Line { spread, ..line("mean", LineCourse::Straight, 3.0) }])]);
        let area = svg.lines().find(|line| line.contains("class=\"spread\"")).unwrap();
        let corners = area.split(" d=\"M ").nth(1).unwrap().split(" L ").count();
        assert_eq!(corners, 4, "{area}");
        // The greatest value is that of the area, and not of the line.
        assert!(area.contains("530 39.1"), "{area}");
    }

    #[test]
    fn an_axis_may_begin_near_the_least_value() {
        let points = vec![(0, 100.0), (10, 110.0)];
        let line = Line { points, ..line("best", LineCourse::Straight, 0.0) };
        let svg = to_svg(&[Panel { from_zero: false, ..panel(vec![line]) }]);
        assert!(svg.contains(">100</text>") && !svg.contains("dy=\"4\">0</text>"), "{svg}");
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0.0, 10.0, 5), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(0.0, 5000.0, 6), [0.0, 1000.0, 2000.0, 3000.0, 4000.0, 5000.0]);
        assert_eq!(ticks(-3.0, 3.0, 5), [-2.0, 0.0, 2.0]);
    }
}
