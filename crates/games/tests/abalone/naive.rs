//! Abalone once more, slowly and without cleverness: cube coordinates, a map of marbles, every line tried in every
//! direction. It shares nothing with the library, not even the text forms.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Cube coordinates, which add up to zero; the centre is (0, 0, 0).
type Place = (i32, i32, i32);

const DIRECTIONS: [Place; 6] = [(1, 0, -1), (0, -1, 1), (1, -1, 0), (-1, 0, 1), (0, 1, -1), (-1, 1, 0)];

/// A position and its rules.
#[derive(Clone)]
pub struct Naive {
    marbles: HashMap<Place, char>,
    to_move: char,
    /// Marbles that each side has ejected.
    ejected: BTreeMap<char, u32>,
    eject: u32,
    princess: bool,
}

/// The own marbles that move, and where to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct NaiveMove {
    group: BTreeSet<Place>,
    direction: Place,
}

fn plus(a: Place, b: Place) -> Place {
    (a.0 + b.0, a.1 + b.1, a.2 + b.2)
}

fn is_on_board(place: Place) -> bool {
    place.0.abs().max(place.1.abs()).max(place.2.abs()) <= 4
}

fn name(place: Place) -> String {
    format!("{}{}", "abcdefghi".chars().nth((4 - place.1) as usize).unwrap(), place.0 + 5)
}

/// All places, row by row from the top, each row from the left.
fn rows() -> Vec<Vec<Place>> {
    let row = |y: i32| (-4..=4).map(move |x| (x, y, -x - y)).filter(|&place| is_on_board(place)).collect();
    (-4..=4).map(row).collect()
}

impl Naive {
    /// The start of a layout given as row text.
    pub fn start(layout: &str, eject: u32, princess: bool) -> Naive {
        let mut marbles = HashMap::new();
        for (line, row) in layout.split('/').zip(rows()) {
            let wide: String = line
                .chars()
                .flat_map(|c| match c.to_digit(10) {
                    Some(empty) => vec!['.'; empty as usize],
                    None => vec![c],
                })
                .collect();
            marbles.extend(row.into_iter().zip(wide.chars()).filter(|(_, marble)| *marble != '.'));
        }
        if princess {
            marbles.insert((0, 0, 0), 'n');
        }
        Naive { marbles, to_move: 'b', ejected: BTreeMap::from([('b', 0), ('w', 0)]), eject, princess }
    }

    fn opponent(&self) -> char {
        if self.to_move == 'b' { 'w' } else { 'b' }
    }

    fn is_own(&self, place: Place) -> bool {
        self.marbles.get(&place) == Some(&self.to_move)
    }

    /// Whether somebody has won by a push.
    fn is_won(&self) -> bool {
        let princess_off = self.princess && !self.marbles.values().any(|&marble| marble == 'n');
        princess_off || self.ejected.values().any(|&ejected| ejected >= self.eject)
    }

    /// Every legal move.
    pub fn moves(&self) -> BTreeSet<NaiveMove> {
        let mut moves = BTreeSet::new();
        if self.is_won() {
            return moves;
        }
        for &place in self.marbles.keys() {
            for axis in DIRECTIONS {
                let pair = plus(place, axis);
                let triple = plus(pair, axis);
                for line in [&[place][..], &[place, pair], &[place, pair, triple]] {
                    if !line.iter().all(|&place| self.is_own(place)) {
                        break;
                    }
                    for direction in DIRECTIONS {
                        if self.is_legal(line, direction) {
                            moves.insert(NaiveMove { group: line.iter().copied().collect(), direction });
                        }
                    }
                }
            }
        }
        moves
    }

    fn is_legal(&self, line: &[Place], direction: Place) -> bool {
        let front = line.iter().find(|&&place| !line.contains(&plus(place, direction)));
        let rear_count = line.iter().filter(|&&place| line.contains(&plus(place, direction))).count();
        let in_line = rear_count + 1 == line.len();
        if !in_line {
            let free = |place| is_on_board(place) && !self.marbles.contains_key(&place);
            return line.iter().all(|&place| free(plus(place, direction)));
        }
        let first = plus(*front.unwrap(), direction);
        if !is_on_board(first) {
            return false;
        }
        let mut next = first;
        let mut pushed = 0;
        while self.marbles.contains_key(&next) && !self.is_own(next) {
            pushed += 1;
            next = plus(next, direction);
        }
        pushed < line.len() && !self.marbles.contains_key(&next)
    }

    /// The position after a legal move.
    pub fn play(&self, mv: &NaiveMove) -> Naive {
        let mut after = self.clone();
        let mut carried: Vec<(Place, char)> = Vec::new();
        for &place in &mv.group {
            carried.push((place, self.to_move));
            let mut next = plus(place, mv.direction);
            while let Some(&marble) = self.marbles.get(&next).filter(|&&marble| marble != self.to_move) {
                carried.push((next, marble));
                next = plus(next, mv.direction);
            }
        }
        for (place, _) in &carried {
            after.marbles.remove(place);
        }
        for (place, marble) in carried {
            let target = plus(place, mv.direction);
            if is_on_board(target) {
                after.marbles.insert(target, marble);
            } else if marble == self.opponent() {
                *after.ejected.get_mut(&self.to_move).unwrap() += 1;
            }
        }
        after.to_move = self.opponent();
        after
    }

    /// Leaves at `depth`.
    pub fn perft(&self, depth: u32) -> u64 {
        let moves = self.moves();
        match depth {
            0 => 1,
            1 => moves.len() as u64,
            _ => moves.iter().map(|mv| self.play(mv).perft(depth - 1)).sum(),
        }
    }

    /// The position in the library's text form.
    pub fn text(&self) -> String {
        let lines: Vec<String> = rows()
            .iter()
            .map(|row| {
                let wide: String =
                    row.iter().map(|place| self.marbles.get(place).copied().unwrap_or('.')).collect();
                let mut line = wide;
                for empty in (1..=9).rev() {
                    line = line.replace(&".".repeat(empty), &empty.to_string());
                }
                line
            })
            .collect();
        format!("{} {} {} {}", lines.join("/"), self.to_move, self.ejected[&'b'], self.ejected[&'w'])
    }

    /// The names of the cells a move leaves and enters, both sorted: what a person does.
    pub fn action(mv: &NaiveMove) -> (BTreeSet<String>, BTreeSet<String>) {
        let from = mv.group.iter().map(|&place| name(place)).collect();
        let to = mv.group.iter().map(|&place| name(plus(place, mv.direction))).collect();
        (from, to)
    }

    /// Every text in Aba-Pro's notation that means the move.
    pub fn texts(mv: &NaiveMove) -> Vec<String> {
        let target = |place| plus(place, mv.direction);
        let rear = mv.group.iter().find(|&&place| !mv.group.iter().any(|&other| target(other) == place));
        let ends: Vec<Place> = match mv.group.len() {
            1 => mv.group.iter().copied().collect(),
            _ => [*mv.group.first().unwrap(), *mv.group.last().unwrap()].into(),
        };
        let linked = mv.group.iter().any(|&place| mv.group.contains(&target(place)));
        if linked || ends.len() == 1 {
            let rear = *rear.unwrap();
            return vec![name(rear) + &name(target(rear))];
        }
        let one_way = |a: Place, b: Place| name(a) + &name(b) + &name(target(a));
        vec![one_way(ends[0], ends[1]), one_way(ends[1], ends[0])]
    }
}
