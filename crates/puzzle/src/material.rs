//! Material: the ghosts that a puzzle may have.

use games::geister::{Count, Position};
use geister::solver::Revealed;
use geister::tablebase::Class;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The maximum number of ghosts of one colour per side.
const MAX_PER_COLOUR: u32 = 4;

/// The ghosts that a puzzle may have: exactly those of a class, or ranges of counts by colour.
///
/// Its text is the class (`BBRRuuuu:2`) or ranges separated by commas (`B1..3,R1,b1..3,r2..3`),
/// where `B R` count the own ghosts and `b r` the opponent's, revealed or not. A colour that is not
/// named may have 1 to 3 ghosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Material {
    /// This class and no other.
    Exact(Class),
    /// Ranges of counts by colour.
    Counts(Counts),
}

/// Ranges of counts by colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Own blues.
    pub own_blue: RangeInclusive<u32>,
    /// Own reds.
    pub own_red: RangeInclusive<u32>,
    /// Opposing blues, shown or not.
    pub top_blue: RangeInclusive<u32>,
    /// Opposing reds, shown or not.
    pub top_red: RangeInclusive<u32>,
}

/// The number of ghosts of each side and colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colours {
    /// Own blues.
    pub own_blue: u32,
    /// Own reds.
    pub own_red: u32,
    /// Opposing blues.
    pub top_blue: u32,
    /// Opposing reds.
    pub top_red: u32,
}

impl Colours {
    /// The counts if this many of the opponent's ghosts are revealed, at most as many as there are.
    pub fn count(self, shown_blue: u32, shown_red: u32) -> Count {
        let Colours { own_blue, own_red, top_blue, top_red } = self;
        Count {
            own_blue,
            own_red,
            shown_blue,
            shown_red,
            hidden: top_blue + top_red - shown_blue - shown_red,
            hidden_blue: top_blue - shown_blue,
        }
    }

    /// The number of ghosts.
    pub const fn pieces(self) -> u32 {
        self.own_blue + self.own_red + self.top_blue + self.top_red
    }

    /// The colours of a class.
    pub fn of(class: Class) -> Colours {
        let count = class.count();
        let top = count.shown_blue + count.shown_red + count.hidden;
        Colours {
            own_blue: count.own_blue,
            own_red: count.own_red,
            top_blue: class.blue(),
            top_red: top.saturating_sub(class.blue()),
        }
    }

    /// All ghosts together.
    pub const fn ghosts(self) -> u32 {
        self.own_blue + self.own_red + self.top_blue + self.top_red
    }
}

impl Default for Counts {
    /// One to three of each colour, as in Hsueh et al. (2025).
    fn default() -> Counts {
        Counts { own_blue: 1..=3, own_red: 1..=3, top_blue: 1..=3, top_red: 1..=3 }
    }
}

impl Counts {
    /// Every combination, in order.
    pub fn combinations(&self) -> Vec<Colours> {
        let mut all = Vec::new();
        for own_blue in self.own_blue.clone() {
            for own_red in self.own_red.clone() {
                for top_blue in self.top_blue.clone() {
                    for top_red in self.top_red.clone() {
                        all.push(Colours { own_blue, own_red, top_blue, top_red });
                    }
                }
            }
        }
        all
    }

    fn has(&self, colours: Colours) -> bool {
        self.own_blue.contains(&colours.own_blue)
            && self.own_red.contains(&colours.own_red)
            && self.top_blue.contains(&colours.top_blue)
            && self.top_red.contains(&colours.top_red)
    }
}

impl Default for Material {
    fn default() -> Material {
        Material::Counts(Counts::default())
    }
}

impl Material {
    /// Whether `class` matches.
    pub fn has(&self, class: Class) -> bool {
        match self {
            Material::Exact(exact) => *exact == class,
            Material::Counts(counts) => counts.has(Colours::of(class)),
        }
    }

    /// Whether the ghosts of `position` match.
    pub fn has_position(&self, position: &Position) -> bool {
        Class::of(position).is_some_and(|class| self.has(class))
    }

    /// Whether a puzzle with these ghosts can be revealed like this.
    pub fn allows(&self, revealed: Revealed) -> bool {
        match self {
            Material::Exact(class) => Revealed::of_class(*class) == revealed,
            // Partly revealed: a blue and a red stay hidden, and one more ghost is shown.
            Material::Counts(counts) if revealed == Revealed::Partly => {
                counts.top_blue.end() + counts.top_red.end() > 2
            }
            Material::Counts(_) => true,
        }
    }
}

/// The error for a text that is not a material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialError(String);

impl fmt::Display for MaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}; write a class such as BBRRuuuu:2, or ranges such as B1..3,R1,b2,r1..2",
            self.0
        )
    }
}

impl std::error::Error for MaterialError {}

impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Material, MaterialError> {
        if text.contains(':') {
            let class = text.parse::<Class>().map_err(|error| MaterialError(error.to_string()))?;
            return Ok(Material::Exact(class));
        }
        let mut counts = Counts::default();
        let mut seen = String::new();
        for part in text.split(',') {
            let mut letters = part.chars();
            let letter = letters.next().unwrap_or(' ');
            let range = match letter {
                'B' => &mut counts.own_blue,
                'R' => &mut counts.own_red,
                'b' => &mut counts.top_blue,
                'r' => &mut counts.top_red,
                _ => {
                    return Err(MaterialError(format!(
                        "{part:?} does not begin with B, R, b or r"
                    )));
                }
            };
            if seen.contains(letter) {
                return Err(MaterialError(format!("{letter} is named twice")));
            }
            seen.push(letter);
            *range = parse_range(letters.as_str())
                .filter(|range| *range.start() >= 1 && *range.end() <= MAX_PER_COLOUR)
                .ok_or_else(|| {
                    MaterialError(format!("{part:?} is no count from 1 to {MAX_PER_COLOUR}"))
                })?;
        }
        Ok(Material::Counts(counts))
    }
}

/// `3` or `1..3`, both ends included.
pub fn parse_range(text: &str) -> Option<RangeInclusive<u32>> {
    let number = |text: &str| {
        let digits = (1..=4).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse().ok()).flatten()
    };
    let (start, end) = match text.split_once("..") {
        Some((start, end)) => (number(start)?, number(end)?),
        None => (number(text)?, number(text)?),
    };
    (start <= end).then_some(start..=end)
}

/// A range as [`parse_range`] reads it.
pub fn range_text(range: &RangeInclusive<u32>) -> String {
    if range.start() == range.end() {
        range.start().to_string()
    } else {
        format!("{}..{}", range.start(), range.end())
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Material::Exact(class) => class.fmt(f),
            Material::Counts(counts) => {
                let Counts { own_blue, own_red, top_blue, top_red } = counts;
                let [own_blue, own_red, top_blue, top_red] =
                    [own_blue, own_red, top_blue, top_red].map(range_text);
                write!(f, "B{own_blue},R{own_red},b{top_blue},r{top_red}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn material_has_one_text() {
        for text in ["BBRRuuuu:2", "B1..3,R1,b2,r1..4", "BRbr:1"] {
            assert_eq!(text.parse::<Material>().unwrap().to_string(), text);
        }
        let default: Material = "B1..3".parse().unwrap();
        assert_eq!(default, Material::default());
        assert_eq!(default.to_string(), "B1..3,R1..3,b1..3,r1..3");
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "B", "B0", "B5", "B3..1", "B1,B2", "x1", "B1..", "BR:1", "B1 ,R1", "B+1"] {
            assert!(text.parse::<Material>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn classes_belong_to_their_counts() {
        let counts: Material = "B2,R1,b1,r2".parse().unwrap();
        for (class, belongs) in
            [("BBRuuu:1", true), ("BBRbrr:1", true), ("BBRruu:1", true), ("BBRuuu:2", false)]
        {
            assert_eq!(counts.has(class.parse().unwrap()), belongs, "{class}");
        }
        let Material::Counts(all) = Material::default() else { panic!("ranges") };
        assert_eq!(all.combinations().len(), 81);
    }
}
