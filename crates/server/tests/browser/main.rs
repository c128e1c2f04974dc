//! The page in a real browser: headless Chromium, driven by clicks, drags, touches and keys as a person would.
//!
//! Each test ends by asking the browser for console errors, which include violations of the content security policy.

#![allow(clippy::unwrap_used)]

mod accessible;
mod analyse;
mod arena;
mod board;
mod computer;
#[cfg(feature = "tictactoe")]
mod fourth_game;
mod learn;
mod look;
mod mended;
mod page;
mod people;
mod promised;
mod senses;
mod tables;
mod teach;
mod together;
mod whole;
