//! Where people and programs meet.

pub(crate) mod glicko;
