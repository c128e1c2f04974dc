//! One table of a pair: its slots class by class, and where its positions stand in the other table's order.

use trilith_games::morris::points::{self, ALL, Points, SYMMETRIES};

use crate::classes::Classes;
use crate::cpu::Gather;
use crate::motion::Motion;
use crate::numbering::Numbering;
use crate::subspace::Subspace;

/// What does not change while a table is solved.
pub struct Side {
    pub subspace: Subspace,
    pub motion: Motion,
    /// Classes of the stones that wait: slots are grouped by them.
    pub waiting: &'static Classes,
    moving: &'static Classes,
    /// Numbers the mover's stones within a class.
    pub numbering: Numbering,
    /// The mover's stones by number, gathered.
    pub words: Vec<u32>,
    /// Numbers the stones that wait within a class of the mover's.
    turned: Numbering,
}

/// One class of slots: the stones that wait stand still, the mover's are anywhere else.
pub struct SlotBlock {
    pub class: u32,
    pub free: Points,
    images: [Points; SYMMETRIES],
    /// Whether a mill closed against these stones takes one; else closing it is a quiet move.
    pub takes: bool,
}

impl Side {
    pub fn new(subspace: Subspace, motion: Motion) -> Side {
        let numbering = subspace.numbering();
        Side {
            subspace,
            motion,
            waiting: Classes::of(subspace.other()),
            moving: Classes::of(subspace.own()),
            words: numbering.words().collect(),
            numbering,
            turned: subspace.twin().numbering(),
        }
    }

    pub fn width(&self) -> usize {
        self.words.len()
    }

    pub fn flies(&self) -> bool {
        self.motion.flies(self.subspace.own())
    }

    pub fn block(&self, class: u32) -> SlotBlock {
        let waiting = self.waiting.representative(class);
        SlotBlock {
            class,
            free: ALL & !waiting,
            images: std::array::from_fn(|symmetry| points::image(waiting, symmetry)),
            takes: self.motion.removable(waiting) != 0,
        }
    }

    /// Calls `visit` with class and rank of the position as grouped by the mover's stones: once, or for each
    /// symmetry that those have.
    #[inline(always)]
    pub fn turn<P: Gather>(
        &self,
        gather: P,
        block: &SlotBlock,
        stones: Points,
        mut visit: impl FnMut(u32, u32),
    ) {
        let seat = self.moving.seat(stones);
        let free = ALL & !self.moving.representative(seat.class);
        let waiting = block.images[seat.symmetry];
        let mut each = |waiting| visit(seat.class, self.turned.rank(gather.gather(waiting, free)));
        if !seat.is_symmetric {
            return each(waiting);
        }
        for symmetry in self.moving.stabiliser(seat.class) {
            each(points::image(waiting, symmetry));
        }
    }
}
