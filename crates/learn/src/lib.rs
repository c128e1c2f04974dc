//! Learning: games played to learn from, and weights fitted to them.

mod abalone;
pub mod data;
pub mod fit;
pub mod least_squares;
pub mod logistello;
mod morris;
pub mod network;
pub mod online;
pub mod othello;
pub mod othilie;
pub mod probcut;
pub mod production;
pub mod reversi;
pub mod risk;
pub mod run;
pub mod speed;
pub mod teaching;
pub mod training;
