//! Learning: games played to learn from, and weights fitted to them.

pub mod blocks;
pub mod least_squares;
pub mod logistello;
pub mod network;
pub mod online;
pub mod openings;
pub mod othello;
pub mod othilie;
pub mod portions;
pub mod probcut;
pub mod production;
pub mod reversi;
pub mod risk;
pub mod run;
pub mod selfplay;
pub mod speed;
pub mod teaching;
