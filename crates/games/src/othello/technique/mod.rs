//! Flips and mobility by the best technique for the CPU, chosen once at the entry of long work.

pub mod portable;
mod rays;
