//! Memory for tables, in large pages where the system has them.
//!
//! A look-up in a table of many mebibytes nearly always misses the processor's cache of page addresses, and then
//! even asking for the line ahead of time waits for the page to be found. Pages of 2 MiB make that rare.

#![allow(unsafe_code)]

/// So many default values; their pages are large if the system allows it.
pub fn defaults<T: Default>(count: usize) -> Box<[T]> {
    let mut list = Vec::with_capacity(count);
    ask_for_large_pages(&mut list);
    list.extend(std::iter::repeat_with(T::default).take(count));
    list.into_boxed_slice()
}

/// Asks before the memory is first touched: pages that exist already would stay small. A refusal costs only speed.
#[cfg(target_os = "linux")]
fn ask_for_large_pages<T>(list: &mut Vec<T>) {
    use rustix::mm::{Advice, madvise};
    const PAGE: usize = 4096;
    let unused = list.spare_capacity_mut().as_mut_ptr_range();
    let (start, end) = (unused.start as usize, unused.end as usize);
    let (first, last) = (start.next_multiple_of(PAGE), end / PAGE * PAGE);
    if last.saturating_sub(first) >= 1 << 22 {
        // SAFETY: whole pages inside the list's own memory; the advice does not change what they hold.
        let _ = unsafe {
            madvise(unused.start.byte_add(first - start).cast(), last - first, Advice::LinuxHugepage)
        };
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages<T>(_: &mut Vec<T>) {}

#[cfg(test)]
mod tests {
    #[test]
    fn all_values_are_there_and_default() {
        for count in [0, 1, 1 << 21] {
            let list = super::defaults::<u32>(count);
            assert!(list.len() == count && list.iter().all(|&value| value == 0));
        }
    }
}
