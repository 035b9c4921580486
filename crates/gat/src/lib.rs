//! The protocol of the yearly Geister tournament, both ends of it.
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
//! [`text`] reads and writes the lines, [`frame`] finds them in the bytes of a connection. A
//! [`client`] plays any player on any server and makes its history out of the 48 characters
//! ([`track`]); the [`server`] lets clients play by the rules ([`referee`], [`clock`]) and keeps
//! records ([`log`]). [`pieces`] are the names, which stay with their
//! pieces for the whole game.

pub mod client;
pub mod clock;
pub mod frame;
mod hall;
pub mod log;
pub mod pieces;
pub mod referee;
pub mod server;
pub mod text;
pub mod track;
