//! A room: one table with its seats, clock and history. Its state is what replaying its events gives.

pub(crate) mod actor;
mod clock;
mod command;
mod commit;
mod decide;
mod event;
mod next;
mod seat;
mod snapshot;
mod state;
#[cfg(test)]
mod tests;
mod thinking;
pub(crate) mod wish;
mod words;

pub(crate) use clock::ClockSetup;
pub(crate) use command::{ClientMessage, Command};
pub(crate) use event::Event;
pub(crate) use seat::{Holder, Kind, Seat, Sides};
pub(crate) use snapshot::{AskerView, BoardAnswer, Snapshot};
pub(crate) use state::{Room, Setup};
pub(crate) use words::Words;
