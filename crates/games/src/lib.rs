//! Rules of hidden-information board games.
