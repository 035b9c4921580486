//! A folder of tables, and probing them.

use super::class::Class;
use super::file::{FileError, TableFile};
use super::index::Index;
use games::Seat;
use games::geister::{Bitboard, Move, Position};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, fs};

/// The file extension of tables.
const EXTENSION: &str = "table";

/// The open table of one class.
pub struct ClassTable {
    index: Index,
    file: TableFile,
}

impl ClassTable {
    /// The class of its positions.
    pub fn class(&self) -> Class {
        self.index.class()
    }

    /// The numbering of its positions.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The file.
    pub fn file(&self) -> &TableFile {
        &self.file
    }

    /// Own moves to the win of the position with these ghosts, in the order of
    /// [`Ghost::ALL`](games::geister::Ghost::ALL); `None` if it is not won.
    ///
    /// # Errors
    /// If the file is damaged there.
    pub fn moves_to_win(&self, ghosts: &[Bitboard; 5]) -> Result<Option<u8>, FileError> {
        let value = self.file.get(self.index.rank_of(ghosts))?;
        Ok((value > 0).then_some(value))
    }
}

/// A folder of tables. It reads nothing until a table is opened.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The tables in `folder`, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Store {
        Store { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of a class: its text with `-` for the colon, which not every system allows.
    pub fn path(&self, class: Class) -> PathBuf {
        self.folder.join(format!("{}.{EXTENSION}", class.to_string().replace(':', "-")))
    }

    /// Whether there is a file for this class; it may still be damaged.
    pub fn has(&self, class: Class) -> bool {
        self.path(class).exists()
    }

    /// The classes there are files for, smallest first.
    pub fn classes(&self) -> Vec<Class> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let class = |path: PathBuf| {
            let name = path.file_stem()?.to_str()?.replace('-', ":");
            let fits = path.extension().is_some_and(|extension| extension == EXTENSION);
            name.parse::<Class>().ok().filter(|_| fits)
        };
        let mut classes: Vec<Class> = entries.filter_map(|entry| class(entry.path())).collect();
        classes.sort_unstable();
        classes
    }

    /// Opens the table of a class.
    ///
    /// # Errors
    /// If it is missing, damaged, or the table of something else.
    pub fn open(&self, class: Class) -> Result<ClassTable, FileError> {
        let index = Index::new(class);
        let file = TableFile::open(&self.path(class), &class.to_string(), index.size())?;
        Ok(ClassTable { index, file })
    }

    /// Opens every table.
    ///
    /// # Errors
    /// If one of them is damaged.
    pub fn open_all(&self) -> Result<Tablebase, FileError> {
        let open = |class| Ok((class, Arc::new(self.open(class)?)));
        let tables = self.classes().into_iter().map(open).collect::<Result<_, FileError>>()?;
        Ok(Tablebase { tables })
    }

    /// Opens every table that is good, and returns what is wrong with the others.
    pub fn open_good(&self) -> (Tablebase, Vec<FileError>) {
        let (mut tables, mut errors) = (Tablebase::default(), Vec::new());
        for class in self.classes() {
            match self.open(class) {
                Ok(table) => drop(tables.tables.insert(class, Arc::new(table))),
                Err(error) => errors.push(error),
            }
        }
        (tables, errors)
    }
}

/// The open tables of all classes in a folder.
#[derive(Clone, Default)]
pub struct Tablebase {
    tables: HashMap<Class, Arc<ClassTable>>,
}

/// Why a position cannot be probed.
#[derive(Debug)]
pub enum ProbeError {
    /// There is no table for its class.
    NoTable(Class),
    /// A file is damaged.
    File(FileError),
}

impl fmt::Display for ProbeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProbeError::NoTable(class) => write!(
                f,
                "there is no table for {class}; build it with `spuk tablebase build --class {class}`"
            ),
            ProbeError::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ProbeError {}

impl From<FileError> for ProbeError {
    fn from(error: FileError) -> ProbeError {
        ProbeError::File(error)
    }
}

impl Tablebase {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Class, &Arc<ClassTable>)> {
        self.tables.iter().map(|(&class, table)| (class, table))
    }

    /// Their classes, in order.
    pub fn classes(&self) -> Vec<Class> {
        let mut classes: Vec<Class> = self.tables.keys().copied().collect();
        classes.sort_unstable();
        classes
    }

    /// The table of a class, if there is one.
    pub fn get(&self, class: Class) -> Option<&ClassTable> {
        self.tables.get(&class).map(Arc::as_ref)
    }

    /// Plies to the win with the bottom side to move, counted as puzzles count; `None` if there is
    /// no win.
    ///
    /// # Errors
    /// If there is no table for the position, or it is damaged.
    pub fn probe(&self, position: &Position) -> Result<Option<u32>, ProbeError> {
        match position.outcome() {
            Some(outcome) => Ok((outcome.winner() == Some(Seat::First)).then_some(0)),
            None if position.turn() == Seat::First => self.probe_own_turn(position),
            None => self.probe_top_turn(position),
        }
    }

    fn probe_own_turn(&self, position: &Position) -> Result<Option<u32>, ProbeError> {
        // A position in play has a class.
        let Some(class) = Class::of(position) else { return Ok(None) };
        let table = self.get(class).ok_or(ProbeError::NoTable(class))?;
        let ghosts = games::geister::Ghost::ALL.map(|ghost| position.ghosts(ghost));
        Ok(table.moves_to_win(&ghosts)?.map(|moves| 2 * u32::from(moves) - 1))
    }

    /// The longest of the top side's replies; `None` if one of them is not won.
    fn probe_top_turn(&self, position: &Position) -> Result<Option<u32>, ProbeError> {
        let mut longest = 0;
        for mv in position.legal_moves() {
            match self.probe(&position.play_unchecked(mv))? {
                Some(plies) => longest = longest.max(plies + 1),
                None => return Ok(None),
            }
        }
        Ok(Some(longest))
    }

    /// Every legal move and the plies to the win with it, the move included.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn probe_moves(&self, position: &Position) -> Result<Vec<(Move, Option<u32>)>, ProbeError> {
        let value = |mv| {
            let plies = self.probe(&position.play_unchecked(mv))?;
            Ok((mv, plies.map(|plies| plies + 1)))
        };
        position.legal_moves().into_iter().map(value).collect()
    }

    /// Whether the entry of `position` follows from its successors.
    ///
    /// # Errors
    /// If a table is missing or damaged.
    pub fn is_consistent(&self, position: &Position) -> Result<bool, ProbeError> {
        let moves = self.probe_moves(position)?;
        let best = moves.into_iter().filter_map(|(_, plies)| plies).min();
        Ok(self.probe(position)? == best)
    }
}
