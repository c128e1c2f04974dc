//! What S4 and the works before it count on an Abalone board, of one side against the other.
//!
//! S4, 4.9 lists the first eleven; Abalearn (S4, 3.3) and Lee & Noh (S4, 3.4) add the rest. Distances are steps along
//! the six directions. The centre is the middle cell with its ring, the rim the outermost ring, the middle what lies
//! between.

use trilith_games::abalone::cells::{BOARD, CENTRE, each, place};
use trilith_games::abalone::{Position, RINGS};

use super::shapes;

/// Something to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// 'Zweier': pairs of neighbouring marbles.
    Pairs,
    /// 'Dreier': three marbles in a row; four in a row are two of these.
    Triples,
    /// 'Zentrum': marbles at most one step from the middle cell.
    Centre,
    /// 'Rand': marbles on the outermost ring.
    Rim,
    /// 'Verdrängungen': marbles of the opponent that are off the board.
    Ejected,
    /// 'Geschützte': marbles with own marbles on all six sides.
    Protected,
    /// 'Isolierte': marbles without an own neighbour.
    Isolated,
    /// 'Sumitos': moves that push.
    Sumitos,
    /// 'Bedrohungen': moves that eject.
    Threats,
    /// 'Distanz zur Mitte': mean steps to the middle cell.
    Distance,
    /// 'Zusammenhalt': mean steps to the side's own centre of mass, which may lie between cells.
    Cohesion,
    /// Abalearn's marbles in the middle of the board, on rings 2 and 3.
    Middle,
    /// Abalearn's material advantage: marbles on the board less the opponent's.
    Material,
    /// Lee & Noh's threatened marbles: those that the opponent could eject, each once.
    Threatened,
    /// Lee & Noh's compactness: the sum of steps between all pairs of marbles.
    Compactness,
}

use Heuristic::*;

impl Heuristic {
    /// All of them, S4's eleven first, with their names.
    pub const ALL: [(&'static str, Heuristic); 15] = [
        ("pairs", Pairs),
        ("triples", Triples),
        ("centre", Centre),
        ("rim", Rim),
        ("ejected", Ejected),
        ("protected", Protected),
        ("isolated", Isolated),
        ("sumitos", Sumitos),
        ("threats", Threats),
        ("distance", Distance),
        ("cohesion", Cohesion),
        ("middle", Middle),
        ("material", Material),
        ("threatened", Threatened),
        ("compactness", Compactness),
    ];

    /// The name in files.
    pub fn name(self) -> &'static str {
        let (name, _) = Heuristic::ALL.iter().find(|(_, this)| *this == self).expect("all have names");
        name
    }

    /// The heuristic called `name`.
    pub fn named(name: &str) -> Option<Heuristic> {
        Heuristic::ALL.iter().find(|(known, _)| *known == name).map(|&(_, this)| this)
    }

    /// The count for one side.
    pub fn count(self, side: &SideView) -> f32 {
        let SideView { own, other, princess, .. } = *side;
        let number = |set: u64| set.count_ones() as f32;
        match self {
            Pairs => shapes::pairs(own) as f32,
            Triples => shapes::triples(own) as f32,
            Centre => number(own & CENTRE_CELLS),
            Rim => number(own & RIM_CELLS),
            Ejected => f32::from(side.ejected),
            Protected => number(shapes::protected(own)),
            Isolated => number(shapes::isolated(own)),
            Sumitos => shapes::sumitos(own, other | princess) as f32,
            Threats => shapes::ejections(own, other | princess) as f32,
            Distance => mean_steps(own, place_of(CENTRE)),
            Cohesion => mean_steps(own, centre_of_mass(own)),
            Middle => number(own & !(CENTRE_CELLS | RIM_CELLS)),
            Material => number(own) - number(other),
            Threatened => number(shapes::threatened(own, other)),
            Compactness => compactness(own),
        }
    }
}

/// A position as one side sees it.
#[derive(Clone, Copy, Debug)]
pub struct SideView {
    /// Its marbles.
    pub own: u64,
    /// The opponent's.
    pub other: u64,
    /// The neutral marble.
    pub princess: u64,
    /// Marbles of the opponent that it has ejected.
    pub ejected: u8,
}

impl SideView {
    /// The side to move, then its opponent.
    pub fn both(position: &Position) -> [SideView; 2] {
        let Position { own, other, princess, own_lost, other_lost, .. } = *position;
        [
            SideView { own, other, princess, ejected: other_lost },
            SideView { own: other, other: own, princess, ejected: own_lost },
        ]
    }
}

const CENTRE_CELLS: u64 = within(1);
const RIM_CELLS: u64 = BOARD & !within(3);

const fn within(steps: u8) -> u64 {
    let mut set = 0;
    let mut cell = 0;
    while cell < RINGS.len() {
        if RINGS[cell] <= steps {
            set |= 1 << cell;
        }
        cell += 1;
    }
    set
}

/// Rows and columns, which may lie between cells.
pub type BoardPlace = (f32, f32);

/// The place of a cell.
pub fn place_of(cell: u8) -> BoardPlace {
    let (row, column) = place(cell);
    (row.into(), column.into())
}

/// Steps between two places along the six directions; rows and columns grow together along one of them.
pub fn steps(a: BoardPlace, b: BoardPlace) -> f32 {
    let (up, right) = (a.0 - b.0, a.1 - b.1);
    up.abs().max(right.abs()).max((up - right).abs())
}

/// The mean place of a set of marbles; the middle of the board if there are none.
pub fn centre_of_mass(set: u64) -> BoardPlace {
    let marbles = set.count_ones() as f32;
    if set == 0 {
        return place_of(CENTRE);
    }
    let sum = each(set)
        .map(place)
        .fold((0, 0), |sum: (u32, u32), (row, column)| (sum.0 + u32::from(row), sum.1 + u32::from(column)));
    (sum.0 as f32 / marbles, sum.1 as f32 / marbles)
}

/// The sum of steps from all marbles to `to`.
pub fn sum_of_steps(set: u64, to: BoardPlace) -> f32 {
    each(set).map(|cell| steps(place_of(cell), to)).sum()
}

fn mean_steps(set: u64, to: BoardPlace) -> f32 {
    sum_of_steps(set, to) / (set.count_ones().max(1)) as f32
}

fn compactness(set: u64) -> f32 {
    each(set).map(|cell| sum_of_steps(set, place_of(cell))).sum::<f32>() / 2.0
}
