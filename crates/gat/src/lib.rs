//! The protocol of the yearly Geister tournament, client and server.
//!
//! A server has two ports, one for each player. Lines of ASCII end with CR LF and nothing else:
//!
//! ```text
//! server                          client
//! SET?                            SET:ABCD            the four pieces that are red
//! OK                              (a blank behind it; NG and a blank if it is refused)
//! MOV? and 48 characters          MOV:D,NORTH
//! OK  or OKR or OKB               nothing captured, a red, a blue
//! WON: LST: DRW: and 48           the end, with all colours, to both
//! ```
//!
//! [`text`] parses and formats the lines, [`frame`] splits a byte stream into lines. A [`client`]
//! connects a player to a server and reconstructs its history from the 48 characters ([`track`]);
//! the [`server`] enforces the rules ([`referee`], [`clock`]) and writes records ([`log`]).
//! [`pieces`] tracks the named pieces of a game.

pub mod client;
pub mod clock;
pub mod frame;
mod lobby;
pub mod log;
pub mod pieces;
pub mod record;
pub mod referee;
pub mod server;
pub mod text;
pub mod track;
