//! Puzzle ratings by people, read from a CSV file.
//!
//! Comma-separated values as in RFC 4180, UTF-8 (a byte order mark is skipped), lines that end with
//! LF or CRLF. The first line names the columns, in any order; other columns and empty lines are
//! ignored:
//!
//! | column | meaning |
//! | --- | --- |
//! | `puzzle` | the id of a puzzle, 13 letters and digits |
//! | `person` | the rater: a name or number, 1 to 100 characters |
//! | `interest` | -2 (boring) to 2 (interesting), a whole number, P1's scale |
//! | `difficulty` | -2 (easy) to 2 (hard), a whole number |
//! | `seconds` | time spent, 0 or more; may be empty |
//! | `solved` | `yes` or `no` (or `true`, `false`, `1`, `0`); may be empty |
//! | `seen_before` | the same: whether the person knew the puzzle before; may be empty or missing |
//!
//! A person rates a puzzle once. The input is untrusted: every line is either a rating or rejected
//! with its number and the reason.

use common::excerpt::quoted;
use common::lines::BYTE_ORDER_MARK;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

/// The maximum size of a file.
pub const MAX_FILE_BYTES: usize = 64 << 20;

/// The maximum number of ratings in a file.
const MAX_RATINGS: usize = 1_000_000;

const MAX_NAME_CHARS: usize = 100;

/// The column of files from studies: whether the person knew the puzzle before.
const SEEN_BEFORE: &str = "seen_before";

/// The required columns.
const COLUMNS: [&str; 6] = ["puzzle", "person", "interest", "difficulty", "seconds", "solved"];

/// A rating of a puzzle by a person.
#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    /// The id of the puzzle.
    pub puzzle: String,
    /// The rater.
    pub person: String,
    /// From -2 to 2.
    pub interest: i8,
    /// From -2 to 2.
    pub difficulty: i8,
    /// Time spent.
    pub seconds: Option<f64>,
    /// Whether it was solved.
    pub solved: Option<bool>,
    /// Whether the person knew the puzzle before.
    pub seen_before: Option<bool>,
}

/// A line that is not a rating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Its number, from 1, including the header.
    pub number: u64,
    /// The reason.
    pub reason: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.number, self.reason)
    }
}

/// The error for a file that cannot be read as ratings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatingsError(String);

impl fmt::Display for RatingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RatingsError {}

/// The contents of a ratings file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratings {
    /// The ratings, in the order of the lines.
    pub good: Vec<Rating>,
    /// The rejected lines.
    pub bad: Vec<BadLine>,
}

impl Ratings {
    /// Reads a file. `known` returns whether a puzzle id exists.
    ///
    /// # Errors
    /// If it is too long, or its first line does not name the columns.
    pub fn read(file: &[u8], known: impl Fn(&str) -> bool) -> Result<Ratings, RatingsError> {
        if file.len() > MAX_FILE_BYTES {
            return Err(RatingsError(format!("it is longer than {} MiB", MAX_FILE_BYTES >> 20)));
        }
        let file = file.strip_prefix(BYTE_ORDER_MARK).unwrap_or(file);
        let mut lines = Lines { file, at: 0, number: 1 };
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(file);
        let header = reader.byte_headers().map_err(|error| RatingsError(error.to_string()))?;
        let columns = Columns::find(header)?;
        let mut ratings = Ratings::default();
        let mut first_lines = HashMap::new();
        for record in reader.byte_records() {
            let record = record.map_err(|error| RatingsError(error.to_string()))?;
            let number = lines.number_at(record.position().map_or(0, csv::Position::byte));
            if ratings.good.len() + ratings.bad.len() == MAX_RATINGS {
                return Err(RatingsError(format!("it has more than {MAX_RATINGS} ratings")));
            }
            let rating = columns.rating(&record).and_then(|rating| {
                if known(&rating.puzzle) { Ok(rating) } else { Err(unknown(&rating.puzzle)) }
            });
            let rating = rating.and_then(|rating| once(rating, number, &mut first_lines));
            match rating {
                Ok(rating) => ratings.good.push(rating),
                Err(reason) => ratings.bad.push(BadLine { number, reason }),
            }
        }
        Ok(ratings)
    }
}

/// Numbers lines as editors do. The CSV reader counts a line only after its end, and reports its
/// position before it skips empty lines.
struct Lines<'a> {
    file: &'a [u8],
    at: usize,
    number: u64,
}

impl Lines<'_> {
    /// The line number of the next field at or after this byte. Calls must be in ascending order.
    fn number_at(&mut self, byte: u64) -> u64 {
        while let Some(&one) = self.file.get(self.at) {
            let ends = one == b'\n' || one == b'\r';
            if self.at as u64 >= byte && !ends {
                break;
            }
            self.at += 1;
            let pair = one == b'\r' && self.file.get(self.at) == Some(&b'\n');
            self.number += u64::from(ends && !pair);
        }
        self.number
    }
}

fn unknown(puzzle: &str) -> String {
    format!("there is no puzzle {}", quoted(puzzle))
}

/// The rating, unless the person has already rated the puzzle.
fn once(
    rating: Rating,
    number: u64,
    first_lines: &mut HashMap<(String, String), u64>,
) -> Result<Rating, String> {
    let key = (rating.puzzle.clone(), rating.person.clone());
    if let Some(first) = first_lines.get(&key) {
        let (puzzle, person) = (quoted(&key.0), quoted(&key.1));
        return Err(format!("person {person} has rated puzzle {puzzle} in line {first}"));
    }
    first_lines.insert(key, number);
    Ok(rating)
}

/// Where the columns are.
struct Columns {
    places: [usize; COLUMNS.len()],
    seen_before: Option<usize>,
    /// The number of columns.
    all: usize,
}

impl Columns {
    fn find(header: &csv::ByteRecord) -> Result<Columns, RatingsError> {
        let place = |name: &str| {
            let mut places =
                header.iter().enumerate().filter(|(_, n)| n.trim_ascii() == name.as_bytes());
            match (places.next(), places.next()) {
                (Some((place, _)), None) => Ok(place),
                (None, _) => Err(format!("has no column {name:?}")),
                (Some(_), Some(_)) => Err(format!("has two columns {name:?}")),
            }
        };
        let refusal = |reason: String| {
            RatingsError(format!("its first line {reason}; it needs {}", COLUMNS.join(",")))
        };
        let mut places = [0; COLUMNS.len()];
        for (found, name) in places.iter_mut().zip(COLUMNS) {
            *found = place(name).map_err(refusal)?;
        }
        let named = header.iter().any(|name| name.trim_ascii() == SEEN_BEFORE.as_bytes());
        let seen_before = named.then(|| place(SEEN_BEFORE)).transpose().map_err(refusal)?;
        Ok(Columns { places, seen_before, all: header.len() })
    }

    fn rating(&self, record: &csv::ByteRecord) -> Result<Rating, String> {
        if record.len() != self.all {
            return Err(format!("it has {} fields and not {}", record.len(), self.all));
        }
        let text = |place: usize| {
            let text = std::str::from_utf8(&record[place]);
            text.map(str::trim).map_err(|_| "it is not UTF-8".to_string())
        };
        let mut fields = [""; COLUMNS.len()];
        for (field, &place) in fields.iter_mut().zip(&self.places) {
            *field = text(place)?;
        }
        let seen_before = self.seen_before.map_or(Ok(""), text)?;
        let [puzzle, person, interest, difficulty, seconds, solved] = fields;
        if person.is_empty() || person.chars().count() > MAX_NAME_CHARS {
            return Err(format!("the person has 1 to {MAX_NAME_CHARS} characters"));
        }
        Ok(Rating {
            puzzle: puzzle.into(),
            person: person.into(),
            interest: value("interest", interest)?,
            difficulty: value("difficulty", difficulty)?,
            seconds: read_seconds(seconds)?,
            solved: read_answer("solved", solved)?,
            seen_before: read_answer(SEEN_BEFORE, seen_before)?,
        })
    }
}

fn value(name: &str, text: &str) -> Result<i8, String> {
    let value = text.parse::<i8>().ok().filter(|value| (-2..=2).contains(value));
    value.ok_or_else(|| format!("{name} is {} and not a whole number from -2 to 2", quoted(text)))
}

fn read_seconds(text: &str) -> Result<Option<f64>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let seconds = text.parse::<f64>().ok().filter(|s| s.is_finite() && *s >= 0.0);
    let refusal = || format!("seconds is {} and not a number, 0 or more", quoted(text));
    seconds.map(Some).ok_or_else(refusal)
}

fn read_answer(name: &str, text: &str) -> Result<Option<bool>, String> {
    match text.to_ascii_lowercase().as_str() {
        "" => Ok(None),
        "yes" | "true" | "1" => Ok(Some(true)),
        "no" | "false" | "0" => Ok(Some(false)),
        _ => Err(format!("{name} is {} and not yes or no", quoted(text))),
    }
}

/// The mean rating of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Average {
    /// From -2 to 2.
    pub interest: f64,
    /// From -2 to 2.
    pub difficulty: f64,
    /// The number of ratings.
    pub ratings: usize,
}

/// The averages by puzzle. They do not depend on the order of the ratings.
pub fn averages(ratings: &[Rating]) -> BTreeMap<&str, Average> {
    let mut sums: BTreeMap<&str, (i32, i32, usize)> = BTreeMap::new();
    for rating in ratings {
        let (interest, difficulty, count) = sums.entry(&rating.puzzle).or_default();
        *interest += i32::from(rating.interest);
        *difficulty += i32::from(rating.difficulty);
        *count += 1;
    }
    let mean = |sum: i32, count: usize| f64::from(sum) / count as f64;
    sums.into_iter()
        .map(|(puzzle, (interest, difficulty, ratings))| {
            let interest = mean(interest, ratings);
            (puzzle, Average { interest, difficulty: mean(difficulty, ratings), ratings })
        })
        .collect()
}

/// The number of different raters.
pub fn persons(ratings: &[Rating]) -> usize {
    ratings.iter().map(|rating| rating.person.as_str()).collect::<HashSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "0123456789abc";

    fn read(text: &str) -> Result<Ratings, RatingsError> {
        Ratings::read(text.as_bytes(), |puzzle| puzzle == A)
    }

    fn bad(line: &str) -> String {
        let header = "puzzle,person,interest,difficulty,seconds,solved";
        let ratings = read(&format!("{header}\n{line}\n")).unwrap();
        assert_eq!((ratings.good.len(), ratings.bad.len()), (0, 1), "{line}");
        ratings.bad[0].to_string()
    }

    #[test]
    fn a_file_as_spreadsheets_write_it_is_read() {
        let text = format!(
            "\u{feff}solved,person,\"note\",puzzle,difficulty,interest,seconds\r\n\
             yes,\"Ann, the first\",\"two\nlines\",{A},-2,2,12.5\r\n\r\n\
             ,bob,,{A},0,1,\r\nNO,cid,,{A},3,1,\r\n"
        );
        let ratings = read(&text).unwrap();
        let first = Rating {
            puzzle: A.into(),
            person: "Ann, the first".into(),
            interest: 2,
            difficulty: -2,
            seconds: Some(12.5),
            solved: Some(true),
            seen_before: None,
        };
        assert_eq!(ratings.good[0], first);
        let second = &ratings.good[1];
        assert_eq!((second.seconds, second.solved, ratings.good.len()), (None, None, 2));
        // Line 1 is the header, the first rating takes two lines, line 4 is empty.
        let reason = "line 6: difficulty is \"3\" and not a whole number from -2 to 2";
        assert_eq!(ratings.bad[0].to_string(), reason);
    }

    #[test]
    fn every_kind_of_invalid_line_is_reported_with_its_number() {
        for (line, reason) in [
            ("zzzzzzzzzzzzz,ann,1,1,9,yes", "there is no puzzle \"zzzzzzzzzzzzz\""),
            ("0123456789abc,,1,1,9,yes", "the person has"),
            ("0123456789abc,ann,-3,1,9,yes", "interest is \"-3\""),
            ("0123456789abc,ann,1,0.5,9,yes", "difficulty is \"0.5\""),
            ("0123456789abc,ann,,1,9,yes", "interest is \"\""),
            ("0123456789abc,ann,1,1,-9,yes", "seconds is \"-9\""),
            ("0123456789abc,ann,1,1,NaN,yes", "seconds is \"NaN\""),
            ("0123456789abc,ann,1,1,9,maybe", "solved is \"maybe\""),
            ("0123456789abc,ann,1,1,9", "it has 5 fields and not 6"),
            ("0123456789abc,ann,1,1,9,yes,no", "it has 7 fields and not 6"),
            ("\"0123456789abc,ann,1,1,9,yes\n", "it has 1 fields and not 6"),
        ] {
            let message = bad(line);
            assert!(message.starts_with("line 2: ") && message.contains(reason), "{message}");
        }
        let long = "x".repeat(101);
        assert!(bad(&format!("{A},{long},1,1,9,yes")).contains("characters"));
        let broken = b"puzzle,person,interest,difficulty,seconds,solved\n\xff,a,1,1,1,1\n";
        let ratings = Ratings::read(broken, |_| true).unwrap();
        assert_eq!(ratings.bad[0].to_string(), "line 2: it is not UTF-8");
    }

    #[test]
    fn files_of_studies_say_who_knew_the_puzzle() {
        let text = format!(
            "puzzle,person,interest,difficulty,seconds,solved,seen_before\n\
             {A},ann,1,1,,,true\n{A},bob,1,1,,,false\n{A},cid,1,1,,,\n{A},dan,1,1,,,perhaps\n"
        );
        let ratings = read(&text).unwrap();
        let seen: Vec<Option<bool>> = ratings.good.iter().map(|one| one.seen_before).collect();
        assert_eq!(seen, [Some(true), Some(false), None]);
        let refused = "line 5: seen_before is \"perhaps\" and not yes or no";
        assert_eq!(ratings.bad[0].to_string(), refused);
        let twice = "puzzle,person,interest,difficulty,seconds,solved,seen_before,seen_before\n";
        assert!(read(twice).unwrap_err().to_string().contains("two columns \"seen_before\""));
    }

    #[test]
    fn nobody_rates_a_puzzle_twice() {
        let text = format!(
            "puzzle,person,interest,difficulty,seconds,solved\n\
             {A},ann,1,1,,\n{A},bob,1,1,,\n{A},ann,2,1,,\n"
        );
        let ratings = read(&text).unwrap();
        assert_eq!(ratings.good.len(), 2);
        let message = ratings.bad[0].to_string();
        assert!(message.starts_with("line 4: ") && message.ends_with("in line 2"), "{message}");
    }

    #[test]
    fn a_file_without_its_columns_is_refused() {
        for (text, reason) in [
            ("", "no column \"puzzle\""),
            ("\n\n", "no column \"puzzle\""),
            ("puzzle,person,interest,seconds,solved\n", "no column \"difficulty\""),
            ("puzzle,puzzle,person,interest,difficulty,seconds,solved\n", "two columns"),
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(reason), "{message}");
        }
    }

    #[test]
    fn averages_by_hand() {
        let rating = |person: &str, interest, difficulty| Rating {
            puzzle: A.into(),
            person: person.into(),
            interest,
            difficulty,
            seconds: None,
            solved: None,
            seen_before: None,
        };
        let ratings = [rating("ann", 2, -1), rating("bob", 1, -2)];
        let expected = Average { interest: 1.5, difficulty: -1.5, ratings: 2 };
        assert_eq!(averages(&ratings).into_iter().collect::<Vec<_>>(), [(A, expected)]);
        assert_eq!(persons(&ratings), 2);
    }
}
