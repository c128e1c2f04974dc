//! The cells of one table: all in memory, or in slices on disk of which one is in memory at a time.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::cell::SlotCell;
use super::side::Side;

/// Where the cells are.
pub struct CellStore<C> {
    classes: u32,
    width: usize,
    /// Classes in a slice; all of them if the table stays in memory.
    per_slice: u32,
    /// The slice in memory.
    cells: Vec<C>,
    /// Where slices lie; none if the table stays in memory.
    files: Option<PathBuf>,
}

impl<C: SlotCell> CellStore<C> {
    /// Keeps the whole table in memory.
    pub fn in_memory(side: &Side) -> CellStore<C> {
        let (classes, width) = (side.waiting.count(), side.width());
        let cells = vec![C::default(); classes as usize * width];
        CellStore { classes, width, per_slice: classes, cells, files: None }
    }

    /// Keeps at most `bytes` in memory, but at least one class, the rest in `folder`.
    pub fn on_disk(side: &Side, bytes: u64, folder: &Path) -> CellStore<C> {
        let (classes, width) = (side.waiting.count(), side.width());
        let per_slice = bytes / (width * size_of::<C>()) as u64;
        let per_slice = per_slice.clamp(1, classes.into()) as u32;
        let files = Some(folder.join(side.subspace.to_string()));
        CellStore { classes, width, per_slice, cells: Vec::new(), files }
    }

    /// The classes of each slice.
    fn slices(&self) -> impl Iterator<Item = Range<u32>> + use<C> {
        let (classes, per_slice) = (self.classes, self.per_slice);
        (0..classes).step_by(per_slice as usize).map(move |first| first..(first + per_slice).min(classes))
    }

    /// Fills every slice for the first time; `work` finds it zeroed.
    pub fn fill<E: From<io::Error>>(
        &mut self,
        mut work: impl FnMut(Range<u32>, &mut [C]) -> Result<(), E>,
    ) -> Result<(), E> {
        for slice in self.slices() {
            self.cells.clear();
            self.cells.resize(slice.len() * self.width, C::default());
            work(slice.clone(), &mut self.cells)?;
            self.write(slice.start)?;
        }
        Ok(())
    }

    /// Shows every slice for which `is_wanted` to `work`, which may change it.
    pub fn change(
        &mut self,
        is_wanted: impl Fn(Range<u32>) -> bool,
        mut work: impl FnMut(Range<u32>, &mut [C]),
    ) -> io::Result<()> {
        for slice in self.slices() {
            if is_wanted(slice.clone()) {
                self.read(&slice)?;
                work(slice.clone(), &mut self.cells);
                self.write(slice.start)?;
            }
        }
        Ok(())
    }

    /// Shows every slice to `work` for the last time, in order, and forgets it.
    pub fn drain<E: From<io::Error>>(
        &mut self,
        mut work: impl FnMut(Range<u32>, &[C]) -> Result<(), E>,
    ) -> Result<(), E> {
        for slice in self.slices() {
            self.read(&slice)?;
            work(slice.clone(), &self.cells)?;
            if let Some(files) = &self.files {
                fs::remove_file(path(files, slice.start))?;
            }
        }
        self.cells = Vec::new();
        Ok(())
    }

    fn read(&mut self, slice: &Range<u32>) -> io::Result<()> {
        let Some(files) = &self.files else { return Ok(()) };
        let mut file = File::open(path(files, slice.start))?;
        self.cells.resize(slice.len() * self.width, C::default());
        let mut buffer = vec![0; BUFFER * size_of::<C>()];
        for cells in self.cells.chunks_mut(BUFFER) {
            let bytes = &mut buffer[..size_of_val(cells)];
            file.read_exact(bytes)?;
            for (cell, bytes) in cells.iter_mut().zip(bytes.chunks_exact(size_of::<C>())) {
                *cell = C::of(bytes.iter().rev().fold(0, |raw, &byte| raw << 8 | u32::from(byte)));
            }
        }
        Ok(())
    }

    fn write(&self, first: u32) -> io::Result<()> {
        let Some(files) = &self.files else { return Ok(()) };
        let mut file = File::create(path(files, first))?;
        let mut buffer = Vec::new();
        for cells in self.cells.chunks(BUFFER) {
            buffer.clear();
            for cell in cells {
                buffer.extend_from_slice(&cell.raw().to_le_bytes()[..size_of::<C>()]);
            }
            file.write_all(&buffer)?;
        }
        Ok(())
    }
}

/// Cells turned into bytes at once.
const BUFFER: usize = 1 << 15;

fn path(files: &Path, first: u32) -> PathBuf {
    files.with_added_extension(first.to_string())
}
