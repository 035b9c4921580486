//! Material: the class of an ending, its text, and the classes that captures lead to.

use games::geister::{Board, Count, Ghost, Position, Standard};
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// Ghosts of a colour that a side has at most.
const MAX_OF_A_COLOUR: u32 = Standard::GHOSTS_OF_A_COLOUR;

/// A longer text cannot be a class: all sixteen ghosts, a colon and a digit.
const MAX_TEXT_BYTES: usize = 18;

/// The material of an ending on the 6x6 board that is not over: how many ghosts there are of each
/// kind, and how many of the hidden ones are blue.
///
/// Its text is the letters `B R b r u` in this order, a colon and BLUE, which is how many of the
/// opposing ghosts are blue, shown ones included: `BRuu:1`, `BRRru:1`. Each class has exactly one
/// text, and only that one is read.
///
/// Classes are ordered by the number of ghosts, then by text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Class(Count);

/// What the bottom side's capture of a ghost leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Captured {
    /// The game continues with less material.
    Class(Class),
    /// The last blue of the top side was taken.
    Won,
    /// The last red of the top side was taken.
    Lost,
}

impl Class {
    /// The class with these ghosts.
    ///
    /// # Errors
    ///
    /// If no unfinished game can have them.
    pub fn new(count: Count) -> Result<Class, RefusedClass> {
        match refusal(&count) {
            Some(refused) => Err(refused),
            None => Ok(Class(count)),
        }
    }

    /// The class of `position`, whoever is to move, or `None` if the game is over or has more
    /// ghosts of a colour than a side starts with.
    pub fn of(position: &Position) -> Option<Class> {
        match position.outcome() {
            Some(_) => None,
            None => Class::new(position.count()).ok(),
        }
    }

    /// The ghosts of each kind.
    pub const fn count(self) -> Count {
        self.0
    }

    /// How many ghosts of this kind there are.
    pub const fn ghosts(self, ghost: Ghost) -> u32 {
        match ghost {
            Ghost::OwnBlue => self.0.own_blue,
            Ghost::OwnRed => self.0.own_red,
            Ghost::ShownBlue => self.0.shown_blue,
            Ghost::ShownRed => self.0.shown_red,
            Ghost::Hidden => self.0.hidden,
        }
    }

    /// How many of the hidden ghosts are blue.
    pub const fn hidden_blue(self) -> u32 {
        self.0.hidden_blue
    }

    /// BLUE: how many of the top side's ghosts are blue.
    pub const fn blue(self) -> u32 {
        self.0.shown_blue + self.0.hidden_blue
    }

    /// How many ghosts there are.
    pub const fn pieces(self) -> u32 {
        self.0.own_blue + self.0.own_red + self.0.shown_blue + self.0.shown_red + self.0.hidden
    }

    /// After the top side's capture of a `B`; `None` if that was the last, which loses.
    pub fn without_own_blue(self) -> Option<Class> {
        let own_blue = self.0.own_blue - 1;
        (own_blue > 0).then_some(Class(Count { own_blue, ..self.0 }))
    }

    /// After the top side's capture of an `R`; `None` if that was the last, which wins.
    pub fn without_own_red(self) -> Option<Class> {
        let own_red = self.0.own_red - 1;
        (own_red > 0).then_some(Class(Count { own_red, ..self.0 }))
    }

    /// After the bottom side's capture of a `b`; the class itself if it has none.
    pub fn without_shown_blue(self) -> Captured {
        after(Count { shown_blue: self.0.shown_blue.saturating_sub(1), ..self.0 })
    }

    /// After the bottom side's capture of an `r`; the class itself if it has none.
    pub fn without_shown_red(self) -> Captured {
        after(Count { shown_red: self.0.shown_red.saturating_sub(1), ..self.0 })
    }

    /// After the bottom side's capture of a `u`, which is red as long as it can be; the class
    /// itself if it has none.
    pub fn without_hidden(self) -> Captured {
        let hidden = self.0.hidden.saturating_sub(1);
        let hidden_blue = self.0.hidden_blue.min(hidden);
        after(Count { hidden, hidden_blue, ..self.0 })
    }

    /// The classes that one capture leads to, in order.
    pub fn needs(self) -> Vec<Class> {
        let class = |captured| match captured {
            Captured::Class(class) => Some(class),
            Captured::Won | Captured::Lost => None,
        };
        let smaller = [
            self.without_own_blue(),
            self.without_own_red(),
            class(self.without_shown_blue()),
            class(self.without_shown_red()),
            class(self.without_hidden()),
        ];
        let distinct: BTreeSet<Class> = smaller.into_iter().flatten().collect();
        distinct.into_iter().filter(|&class| class != self).collect()
    }

    /// `classes` and all that captures lead to from them, in order: each class comes after those
    /// that it needs.
    pub fn closure(classes: &[Class]) -> Vec<Class> {
        let mut open = classes.to_vec();
        let mut found = BTreeSet::new();
        while let Some(class) = open.pop() {
            if found.insert(class) {
                open.extend(class.needs());
            }
        }
        found.into_iter().collect()
    }

    /// Every class with exactly this many ghosts that a puzzle can start with, in order: the top
    /// side has a blue and a red.
    pub fn all_with(pieces: u32) -> Vec<Class> {
        let mut classes = Vec::new();
        for own in pairs(1) {
            for shown in pairs(0) {
                let Some(hidden) = pieces.checked_sub(own.0 + own.1 + shown.0 + shown.1) else {
                    continue;
                };
                classes.extend(
                    (0..=MAX_OF_A_COLOUR).filter_map(|blue| class(own, shown, hidden, blue)),
                );
            }
        }
        classes.retain(|class| class.blue() > 0);
        classes.sort_unstable();
        classes
    }

    /// Equal for classes with equal texts, and ordered as they are when the texts are equally
    /// long: of two different counts of a letter, the larger puts that letter where the other text
    /// has a later one.
    fn key(&self) -> impl Ord {
        let Count { own_blue, own_red, shown_blue, shown_red, .. } = self.0;
        let letters = [own_blue, own_red, shown_blue, shown_red].map(Reverse);
        (self.pieces(), letters, self.blue())
    }
}

/// Every count of a blue and a red kind from `least` on.
fn pairs(least: u32) -> impl Iterator<Item = (u32, u32)> {
    (least..=MAX_OF_A_COLOUR)
        .flat_map(move |blue| (least..=MAX_OF_A_COLOUR).map(move |red| (blue, red)))
}

fn class(own: (u32, u32), shown: (u32, u32), hidden: u32, hidden_blue: u32) -> Option<Class> {
    let ((own_blue, own_red), (shown_blue, shown_red)) = (own, shown);
    Class::new(Count { own_blue, own_red, shown_blue, shown_red, hidden, hidden_blue }).ok()
}

/// The end of a game with this material of the top side, as [`Position::outcome`] has it.
fn end(count: &Count) -> Option<Captured> {
    if count.shown_red == 0 && count.hidden <= count.hidden_blue {
        Some(Captured::Lost)
    } else if count.hidden == 0 && count.shown_blue == 0 {
        Some(Captured::Won)
    } else {
        None
    }
}

/// What a capture by the bottom side that leaves `count` leads to.
fn after(count: Count) -> Captured {
    end(&count).unwrap_or(Captured::Class(Class(count)))
}

/// The first reason why there is no class with these ghosts.
fn refusal(count: &Count) -> Option<RefusedClass> {
    if count.hidden_blue > count.hidden {
        return Some(RefusedClass::Blue);
    }
    let red = count.shown_red.saturating_add(count.hidden - count.hidden_blue);
    let blue = count.shown_blue.saturating_add(count.hidden_blue);
    if [count.own_blue, count.own_red, blue, red].into_iter().any(|ghosts| ghosts > MAX_OF_A_COLOUR)
    {
        return Some(RefusedClass::TooMany);
    }
    if count.own_blue == 0 {
        return Some(RefusedClass::NoneOwn(Ghost::OwnBlue));
    }
    if count.own_red == 0 {
        return Some(RefusedClass::NoneOwn(Ghost::OwnRed));
    }
    match end(count)? {
        Captured::Won => Some(RefusedClass::Won),
        _ => Some(RefusedClass::Lost),
    }
}

impl Ord for Class {
    fn cmp(&self, other: &Class) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl PartialOrd for Class {
    fn partial_cmp(&self, other: &Class) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = Ghost::ALL.map(|ghost| {
            std::iter::repeat_n(ghost.letter(), self.ghosts(ghost) as usize).collect::<String>()
        });
        f.pad(&format!("{}:{}", letters.concat(), self.blue()))
    }
}

impl fmt::Debug for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Class {
    type Err = ClassTextError;

    fn from_str(text: &str) -> Result<Class, ClassTextError> {
        read(text).map_err(|reason| {
            let shown = text.chars().take(2 * MAX_TEXT_BYTES).collect();
            ClassTextError { text: shown, reason }
        })
    }
}

fn read(text: &str) -> Result<Class, RefusedClass> {
    let (letters, blue) = text.split_once(':').ok_or(RefusedClass::Form)?;
    let &[digit @ b'0'..=b'9'] = blue.as_bytes() else { return Err(RefusedClass::Form) };
    if text.len() > MAX_TEXT_BYTES {
        return Err(RefusedClass::TooMany);
    }
    let mut rest = letters;
    let [own_blue, own_red, shown_blue, shown_red, hidden] = Ghost::ALL.map(|ghost| {
        let after = rest.trim_start_matches(ghost.letter());
        let count = (rest.len() - after.len()) as u32;
        rest = after;
        count
    });
    if !rest.is_empty() {
        return Err(RefusedClass::Form);
    }
    let blue = u32::from(digit - b'0');
    let hidden_blue = blue.checked_sub(shown_blue).ok_or(RefusedClass::Blue)?;
    Class::new(Count { own_blue, own_red, shown_blue, shown_red, hidden, hidden_blue })
}

/// Why there is no such class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefusedClass {
    /// The text is not letters in order, a colon and a digit.
    Form,
    /// BLUE is less than the shown blues, or more than those and the hidden ghosts.
    Blue,
    /// A side has more ghosts of a colour than it starts with.
    TooMany,
    /// The bottom side has no ghost of this kind, so the game is over.
    NoneOwn(Ghost),
    /// The top side has no blue that it could lose, so the game is won.
    Won,
    /// The top side has no red, so the game is lost.
    Lost,
}

impl fmt::Display for RefusedClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RefusedClass::Form => f.write_str(
                "write its letters in the order B R b r u, a colon and BLUE, such as `BRuu:1`",
            ),
            RefusedClass::Blue => f.write_str(
                "BLUE counts the blues among `b` and `u`, so give a number from that of the `b` to \
                 that of both",
            ),
            RefusedClass::TooMany => {
                write!(
                    f,
                    "a side has at most {MAX_OF_A_COLOUR} ghosts of a colour, so take some away"
                )
            }
            RefusedClass::NoneOwn(ghost) => {
                write!(f, "the game is over without a `{0}`, so add a `{0}`", ghost.letter())
            }
            RefusedClass::Won => {
                f.write_str("the game is won when no `b` and no `u` is left, so add one")
            }
            RefusedClass::Lost => f.write_str(
                "the game is lost when the opposing ghosts are all blue, so add an `r` or lower \
                 BLUE",
            ),
        }
    }
}

impl std::error::Error for RefusedClass {}

/// Text that is not a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassTextError {
    /// The text, cut if it is long.
    pub text: String,
    /// Why it was refused.
    pub reason: RefusedClass,
}

impl fmt::Display for ClassTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no class of endings: {}", self.text, self.reason)
    }
}

impl std::error::Error for ClassTextError {}
