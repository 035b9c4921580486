//! Styles that come with the program: the centres of P5's table 1, and those our own run gave.

use super::StyleFile;

/// A style with its name.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// What it is called after `style:`.
    pub name: &'static str,
    text: &'static str,
}

impl Shipped {
    /// The style; a test reads every one.
    pub fn file(&self) -> Option<StyleFile> {
        self.text.parse().ok()
    }
}

/// All of them.
pub const ALL: &[Shipped] = &[
    Shipped { name: "p5-a", text: include_str!("shipped/p5-a.style") },
    Shipped { name: "p5-b", text: include_str!("shipped/p5-b.style") },
    Shipped { name: "p5-c", text: include_str!("shipped/p5-c.style") },
    Shipped { name: "p5-d", text: include_str!("shipped/p5-d.style") },
    Shipped { name: "p5-e", text: include_str!("shipped/p5-e.style") },
];

/// The one of this name.
pub fn named(name: &str) -> Option<&'static Shipped> {
    ALL.iter().find(|one| one.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_can_be_read_and_are_called_differently() {
        for one in ALL {
            assert!(one.file().is_some(), "{}", one.name);
            assert_eq!(named(one.name).unwrap().text, one.text);
        }
    }
}
