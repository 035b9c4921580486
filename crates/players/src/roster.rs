//! Players of Geister by name.

use crate::careful::Careful;
use crate::champion::{self, Champion};
use crate::determinized::{self, Determinized};
use crate::learned::Weights;
use crate::maximax::{EvaluationWeights, Maximax};
use crate::random::Random;
use crate::record::NamedBoard;
use crate::rush::Rush;
use crate::style;
use games::geister::{Board, Game, Small, Standard};
use geister::tablebase::Tablebase;
use play::{Maker, NoSuchPlayer, Player, Roster};
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

/// Boards with players.
pub trait BoardRoster: NamedBoard {
    /// Its players. Those that prove something use tablebases.
    fn roster() -> Roster<Game<Self>, Tablebase>;

    /// A maker of players of this name. A file is read here and not again.
    ///
    /// # Errors
    /// If no player has the name.
    fn maker(name: &str, tables: &Tablebase) -> Result<Maker<Game<Self>>, NoSuchPlayer> {
        Self::roster().maker(name, tables)
    }

    /// One player of this name, without tablebases.
    ///
    /// # Errors
    /// If no player has the name.
    fn player(name: &str) -> Result<Box<dyn Player<Game<Self>>>, NoSuchPlayer> {
        Self::roster().player(name, &Tablebase::default())
    }
}

/// A maker of players that are made with tablebases.
fn proving<P: Player<Game> + 'static>(
    tables: &Tablebase,
    make: impl Fn(&Tablebase) -> P + Send + Sync + 'static,
) -> Maker<Game> {
    let tables = tables.clone();
    Box::new(move || Box::new(make(&tables)))
}

/// A maker of players of a style: one that comes with the program, or a file.
fn styled<B: Board>(style: &str) -> Result<Maker<Game<B>>, String> {
    let style = style::load(style)?.style;
    Ok(Box::new(move || Box::new(style::StylePlayer::<B>::new(style))))
}

/// More bytes than a file of weights has.
const MAX_WEIGHTS_BYTES: u64 = 1 << 16;

/// The weights in a file.
fn weights_of(file: &str) -> Result<Weights, String> {
    let file = File::open(file).map_err(|error| format!("cannot read it: {error}"))?;
    let mut bytes = Vec::new();
    let read = file.take(MAX_WEIGHTS_BYTES).read_to_end(&mut bytes);
    read.map_err(|error| format!("cannot read it: {error}"))?;
    Weights::from_bytes(&bytes).map_err(|error| error.to_string())
}

fn champion(weights: Arc<Weights>, tables: &Tablebase) -> Maker<Game> {
    proving(tables, move |tables| {
        Champion::new(Arc::clone(&weights), champion::Plan::default(), tables)
    })
}

/// The players that play on every board.
fn on_any_board<B: Board>() -> Roster<Game<B>, Tablebase> {
    Roster::default()
        .with("random", "any legal move", |_, _| Ok(Box::new(|| Box::new(Random))))
        .with("rush", "runs for the exits", |_, _| Ok(Box::new(|| Box::new(Rush))))
}

impl BoardRoster for Standard {
    fn roster() -> Roster<Game, Tablebase> {
        on_any_board()
            .with("careful", "assumes the worst of every ghost", |_, tables| {
                Ok(proving(tables, Careful::new))
            })
            .with("maximax", "weighted maximax over metapositions", |_, tables| {
                Ok(proving(tables, |tables| Maximax::new(EvaluationWeights::default(), tables)))
            })
            .with("determinized", "tree search over likely colourings", |_, tables| {
                let plan = determinized::Plan::default();
                let make =
                    move |tables: &Tablebase| Determinized::new(Weights::shipped(), plan, tables);
                Ok(proving(tables, make))
            })
            .with("champion", "the strongest", |_, tables| Ok(champion(Weights::shipped(), tables)))
            .with("champion:FILE", "the same with weights from a file", |file, tables| {
                Ok(champion(Arc::new(weights_of(file)?), tables))
            })
            .with("style:NAME", "plays in a style, by name or from a file", |style, _| {
                styled(style)
            })
    }
}

impl BoardRoster for Small {
    fn roster() -> Roster<Game<Small>, Tablebase> {
        on_any_board().with("style:NAME", "plays in a style, by name or from a file", |style, _| {
            styled(style)
        })
    }
}
