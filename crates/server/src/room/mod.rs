//! A room: one table with its seats, clock and history. Its state is what replaying its events gives.

pub(crate) mod actor;
mod clock;
mod command;
mod decide;
mod event;
mod seat;
mod snapshot;
mod state;
#[cfg(test)]
mod tests;
mod thinking;
pub(crate) mod wish;

pub(crate) use clock::ClockSetup;
pub(crate) use command::{Command, Said};
pub(crate) use event::Event;
pub(crate) use seat::{Holder, Kind, Seat, Sides};
pub(crate) use snapshot::{Answer, Seen, Snapshot};
pub(crate) use state::{Room, Setup};
