//! The page in a real browser: headless Chromium, driven by clicks, drags, touches and keys as a person would.
//!
//! Each test ends by asking the browser for console errors, which include violations of the content security policy.

#![allow(clippy::unwrap_used)]

mod analyse;
mod arena;
mod board;
mod computer;
mod learn;
mod look;
mod page;
mod teach;
mod together;
mod whole;
