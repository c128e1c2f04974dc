//! Morris a second time, slow and plain, to check the first: named points, lists of mills, boards copied and searched.
//! Shares no code and no table with the crate.

use std::collections::BTreeSet;
use std::sync::LazyLock;

const NAMES: [&str; 24] = [
    "a1", "a4", "a7", "b2", "b4", "b6", "c3", "c4", "c5", "d1", "d2", "d3", "d5", "d6", "d7", "e3", "e4",
    "e5", "f2", "f4", "f6", "g1", "g4", "g7",
];

const MILLS: [[&str; 3]; 16] = [
    ["a7", "d7", "g7"],
    ["b6", "d6", "f6"],
    ["c5", "d5", "e5"],
    ["a4", "b4", "c4"],
    ["e4", "f4", "g4"],
    ["c3", "d3", "e3"],
    ["b2", "d2", "f2"],
    ["a1", "d1", "g1"],
    ["a1", "a4", "a7"],
    ["b2", "b4", "b6"],
    ["c3", "c4", "c5"],
    ["d1", "d2", "d3"],
    ["d5", "d6", "d7"],
    ["e3", "e4", "e5"],
    ["f2", "f4", "f6"],
    ["g1", "g4", "g7"],
];

const DIAGONALS: [[&str; 3]; 4] =
    [["a7", "b6", "c5"], ["e5", "f6", "g7"], ["a1", "b2", "c3"], ["e3", "f2", "g1"]];

/// The mills as places in [`NAMES`], without and with diagonals.
static LINES: LazyLock<[Vec<[usize; 3]>; 2]> = LazyLock::new(|| {
    let plain: Vec<_> = MILLS.iter().map(|mill| mill.map(index)).collect();
    let all = plain.iter().copied().chain(DIAGONALS.iter().map(|mill| mill.map(index))).collect();
    [plain, all]
});

/// The switches as their words.
#[derive(Clone, Debug)]
pub struct Switches {
    pub stones: u32,
    pub diagonals: bool,
    /// Whether stones may be moved while others are in hand.
    pub mixed: bool,
    pub capture: &'static str,
    pub flying: bool,
    pub double: bool,
    /// Whether a full board is drawn.
    pub full: bool,
    /// 0 is off.
    pub quiet: u32,
    /// The same with three stones.
    pub endgame: u32,
}

fn on_off(switch: bool) -> &'static str {
    if switch { "on" } else { "off" }
}

impl Switches {
    pub const STANDARD: Switches = Switches {
        stones: 9,
        diagonals: false,
        mixed: false,
        capture: "if-all-in-mills",
        flying: true,
        double: false,
        full: false,
        quiet: 100,
        endgame: 0,
    };
    pub const LASKER: Switches = Switches { stones: 10, mixed: true, ..Switches::STANDARD };
    pub const MORABARABA: Switches =
        Switches { stones: 12, diagonals: true, full: true, endgame: 10, ..Switches::STANDARD };

    pub fn text(&self) -> String {
        let double = if self.double { "two" } else { "one" };
        let full = if self.full { "draw" } else { "loss" };
        let (capture, flying, quiet) = (self.capture, on_off(self.flying), self.quiet);
        let board = format!(
            "stones={},diagonals={},move-while-placing={},full-board={full},endgame-plies={}",
            self.stones,
            on_off(self.diagonals),
            on_off(self.mixed),
            self.endgame
        );
        format!(
            "capture-from-mill={capture},flying={flying},double-mill={double},quiet-plies={quiet},{board}"
        )
    }

    /// The rules of nine men with every capture, flying and double mill.
    pub fn all(quiet: u32) -> Vec<Switches> {
        Switches::STANDARD.with_all_captures(quiet)
    }

    /// The same for the variants.
    pub fn variants(quiet: u32) -> Vec<Switches> {
        let crossed = Switches { mixed: true, endgame: 0, full: false, ..Switches::MORABARABA };
        let few = Switches { stones: 5, ..Switches::MORABARABA };
        let presets = [Switches::LASKER, Switches::MORABARABA, crossed, few];
        presets.iter().flat_map(|preset| preset.with_all_captures(quiet)).collect()
    }

    fn with_all_captures(&self, quiet: u32) -> Vec<Switches> {
        let mut all = Vec::new();
        for capture in ["never", "if-all-in-mills", "always"] {
            for (flying, double) in [(true, false), (false, false), (true, true), (false, true)] {
                all.push(Switches { capture, flying, double, quiet, ..self.clone() });
            }
        }
        all
    }

    fn lines(&self) -> &'static [[usize; 3]] {
        &LINES[usize::from(self.diagonals)]
    }
}

/// One letter a point: `w`, `b` or `.`.
pub type Points = [char; 24];

#[derive(Clone, Debug)]
pub struct State {
    pub points: Points,
    pub white_hand: u32,
    pub black_hand: u32,
    pub side: char,
    pub quiet: u32,
}

impl State {
    pub fn start(switches: &Switches) -> State {
        let stones = switches.stones;
        State { points: ['.'; 24], white_hand: stones, black_hand: stones, side: 'w', quiet: 0 }
    }

    pub fn put(&mut self, name: &str, stone: char) {
        self.points[index(name)] = stone;
    }

    pub fn stone(&self, name: &str) -> char {
        self.points[index(name)]
    }

    fn hand(&self, side: char) -> u32 {
        if side == 'w' { self.white_hand } else { self.black_hand }
    }

    fn on_board(&self, side: char) -> u32 {
        self.points.iter().filter(|&&stone| stone == side).count() as u32
    }

    /// `loss` or `draw` for the side to move, or nothing.
    pub fn ending(&self, switches: &Switches) -> Option<&'static str> {
        let is_full = !self.points.contains(&'.');
        let too_long = |limit: u32| limit > 0 && self.quiet >= limit;
        let three = ['w', 'b'].iter().any(|&side| self.hand(side) == 0 && self.on_board(side) == 3);
        if self.hand(self.side) + self.on_board(self.side) < 3 {
            Some("loss")
        } else if self.steps(switches).is_empty() {
            Some(if is_full && switches.full { "draw" } else { "loss" })
        } else if too_long(switches.quiet) || three && too_long(switches.endgame) {
            Some("draw")
        } else {
            None
        }
    }

    /// Origin, if any, and target of each step, before anything is removed.
    fn steps(&self, switches: &Switches) -> Vec<(Option<usize>, usize)> {
        let mut steps = Vec::new();
        for to in 0..24 {
            if self.points[to] != '.' {
                continue;
            }
            let places = self.hand(self.side) > 0;
            if places {
                steps.push((None, to));
            }
            if places && !switches.mixed {
                continue;
            }
            let flies = switches.flying && !places && self.on_board(self.side) == 3;
            for from in 0..24 {
                if self.points[from] == self.side && (flies || is_road(switches, from, to)) {
                    steps.push((Some(from), to));
                }
            }
        }
        steps
    }

    /// Every move with the state it leads to. Removed stones are written in alphabetical order.
    pub fn moves(&self, switches: &Switches) -> Vec<(String, State)> {
        if self.ending(switches).is_some() {
            return Vec::new();
        }
        let mut moves = Vec::new();
        for (from, to) in self.steps(switches) {
            let mut points = self.points;
            let mut text = NAMES[to].to_string();
            if let Some(from) = from {
                points[from] = '.';
                text = format!("{}-{text}", NAMES[from]);
            }
            points[to] = self.side;
            let closed = mills_through(switches, &points, to);
            let takes = if closed >= 2 && switches.double && from.is_none() { 2 } else { closed.min(1) };
            for taken in removals(switches, &points, self.enemy(), takes) {
                moves.push(self.finish(&text, from.is_none(), points, &taken));
            }
        }
        moves
    }

    fn enemy(&self) -> char {
        if self.side == 'w' { 'b' } else { 'w' }
    }

    fn finish(
        &self,
        text: &str,
        placed: bool,
        mut points: Points,
        taken: &BTreeSet<usize>,
    ) -> (String, State) {
        let mut text = text.to_string();
        for &point in taken {
            points[point] = '.';
            text += "x";
            text += NAMES[point];
        }
        let mut next = State { points, side: self.enemy(), quiet: self.quiet + 1, ..self.clone() };
        if placed && self.side == 'w' {
            next.white_hand -= 1;
        }
        if placed && self.side == 'b' {
            next.black_hand -= 1;
        }
        if placed || !taken.is_empty() {
            next.quiet = 0;
        }
        (text, next)
    }

    pub fn perft(&self, switches: &Switches, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves(switches);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|(_, next)| next.perft(switches, depth - 1)).sum()
    }
}

fn index(name: &str) -> usize {
    NAMES.iter().position(|&known| known == name).expect("a point's name")
}

/// Neighbours follow each other in a mill.
fn is_road(switches: &Switches, a: usize, b: usize) -> bool {
    switches.lines().iter().any(|&[x, y, z]| [(x, y), (y, x), (y, z), (z, y)].contains(&(a, b)))
}

fn mills_through(switches: &Switches, points: &Points, point: usize) -> usize {
    let closed = |mill: &&[usize; 3]| {
        mill.contains(&point) && mill.iter().all(|&place| points[place] == points[point])
    };
    switches.lines().iter().filter(closed).count()
}

/// The different sets of stones that may be taken off, one stone after the other.
fn removals(switches: &Switches, points: &Points, enemy: char, takes: usize) -> BTreeSet<BTreeSet<usize>> {
    let nothing = BTreeSet::from([BTreeSet::new()]);
    if takes == 0 {
        return nothing;
    }
    let stones: Vec<usize> = (0..24).filter(|&point| points[point] == enemy).collect();
    let is_free = |point: &usize| mills_through(switches, points, *point) == 0;
    let free: Vec<usize> = stones.iter().copied().filter(is_free).collect();
    let open = match switches.capture {
        "always" => stones,
        "if-all-in-mills" if free.is_empty() => stones,
        _ => free,
    };
    let mut sets = BTreeSet::new();
    for taken in open {
        let mut rest = *points;
        rest[taken] = '.';
        for mut set in removals(switches, &rest, enemy, takes - 1) {
            set.insert(taken);
            sets.insert(set);
        }
    }
    if sets.is_empty() { nothing } else { sets }
}

impl State {
    /// Whether the stone on a point stands in a closed mill.
    pub fn in_mill(&self, switches: &Switches, name: &str) -> bool {
        self.stone(name) != '.' && mills_through(switches, &self.points, index(name)) > 0
    }
}
