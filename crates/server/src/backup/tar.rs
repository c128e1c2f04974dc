//! Plain tar files (POSIX ustar), as much of them as a backup needs: anybody can look into one with `tar tf`.

use std::io::{self, Read, Write};

const BLOCK: usize = 512;
/// The longest name, and the longest folder before it.
const NAME: usize = 100;
const PREFIX: usize = 155;
/// Sizes from here on do not fit into eleven octal digits.
const OCTAL: u64 = 1 << 33;

/// Writes files one after another.
pub(super) struct Writer<W>(pub(super) W);

impl<W: Write> Writer<W> {
    /// Adds a file of `size` bytes, which `content` must give.
    pub(super) fn add(&mut self, name: &str, size: u64, content: &mut dyn Read) -> io::Result<()> {
        self.0.write_all(&header(name, size)?)?;
        let copied = io::copy(&mut content.take(size), &mut self.0)?;
        if copied < size {
            return Err(io::Error::other(format!("{name} has become shorter while it was copied")));
        }
        let rest = (BLOCK - (size % BLOCK as u64) as usize) % BLOCK;
        self.0.write_all(&[0; BLOCK][..rest])
    }

    /// Writes the end and gives back what was written to.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.0.write_all(&[0; 2 * BLOCK])?;
        Ok(self.0)
    }
}

fn header(name: &str, size: u64) -> io::Result<[u8; BLOCK]> {
    let (prefix, name) = split(name)?;
    let mut block = [0; BLOCK];
    let mut put = |at: usize, text: &str| block[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, name);
    put(100, "0000600\0");
    put(108, "0000000\0");
    put(116, "0000000\0");
    put(136, "00000000000\0");
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\x0000");
    put(345, prefix);
    match size < OCTAL {
        true => put(124, &format!("{size:011o}\0")),
        false => {
            block[124] = 0x80;
            block[128..136].copy_from_slice(&size.to_be_bytes());
        }
    }
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(block)
}

/// A long name as folder and name.
fn split(name: &str) -> io::Result<(&str, &str)> {
    if name.len() <= NAME {
        return Ok(("", name));
    }
    let cuts = name.match_indices('/').map(|(at, _)| (&name[..at], &name[at + 1..]));
    let fits = |(folder, file): &(&str, &str)| folder.len() <= PREFIX && file.len() <= NAME;
    cuts.into_iter()
        .find(fits)
        .ok_or_else(|| io::Error::other(format!("{name}: too long a path for a backup")))
}

/// Reads files one after another.
pub(super) struct Reader<R> {
    inner: R,
    /// Bytes of the present file that have not been read.
    left: u64,
    /// Bytes that fill its last block.
    padding: usize,
}

impl<R: Read> Reader<R> {
    pub(super) fn new(inner: R) -> Reader<R> {
        Reader { inner, left: 0, padding: 0 }
    }

    /// Reads to where the next file begins, and gives what is read from.
    pub(super) fn skip(&mut self) -> io::Result<&mut R> {
        let skipped = io::copy(&mut (&mut self.inner).take(self.left), &mut io::sink())?;
        if skipped < self.left {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut padding = [0; BLOCK];
        self.inner.read_exact(&mut padding[..self.padding])?;
        (self.left, self.padding) = (0, 0);
        if padding.iter().any(|&byte| byte != 0) {
            return Err(wrong("what fills a block is damaged"));
        }
        Ok(&mut self.inner)
    }

    /// The name and size of the next file; nothing at the end, after which there may be zeros alone.
    pub(super) fn next(&mut self) -> io::Result<Option<(String, u64)>> {
        self.skip()?;
        let mut block = [0; BLOCK];
        self.inner.read_exact(&mut block)?;
        if block.iter().all(|&byte| byte == 0) {
            self.inner.read_exact(&mut block)?;
            return self.end(block).map(|()| None);
        }
        if &block[257..262] != b"ustar" || !matches!(block[156], b'0' | 0) {
            return Err(wrong("expected plain files of a tar"));
        }
        let mut blank = block;
        blank[148..156].fill(b' ');
        let sum: u32 = blank.iter().map(|&byte| u32::from(byte)).sum();
        if octal(&block[148..156]) != Some(u64::from(sum)) {
            return Err(wrong("a header is damaged"));
        }
        let size = match block[124] {
            0x80 => u64::from_be_bytes(block[128..136].try_into().expect("eight bytes")),
            _ => octal(&block[124..136]).ok_or_else(|| wrong("a size is damaged"))?,
        };
        let (folder, name) = (text(&block[345..500]), text(&block[..NAME]));
        let (Some(folder), Some(name)) = (folder, name) else { return Err(wrong("a name is damaged")) };
        size.checked_next_multiple_of(BLOCK as u64).ok_or_else(|| wrong("a size is damaged"))?;
        (self.left, self.padding) = (size, (BLOCK - (size % BLOCK as u64) as usize) % BLOCK);
        Ok(Some((if folder.is_empty() { name.into() } else { format!("{folder}/{name}") }, size)))
    }

    /// Nothing but zeros follows.
    fn end(&mut self, mut block: [u8; BLOCK]) -> io::Result<()> {
        let mut count = BLOCK;
        while count > 0 {
            if block[..count].iter().any(|&byte| byte != 0) {
                return Err(wrong("there is more after its end"));
            }
            count = self.inner.read(&mut block)?;
        }
        Ok(())
    }

    /// The content of the file that was named last.
    pub(super) fn content(&mut self, size: u64) -> Content<'_, R> {
        Content { reader: self, size }
    }
}

/// The bytes of one file.
pub(super) struct Content<'a, R> {
    reader: &'a mut Reader<R>,
    size: u64,
}

impl<R: Read> Read for Content<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = self.size.min(into.len() as u64) as usize;
        let count = self.reader.inner.read(&mut into[..most])?;
        if count == 0 && most > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.size -= count as u64;
        self.reader.left -= count as u64;
        Ok(count)
    }
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("not a backup: {what}"))
}

fn text(bytes: &[u8]) -> Option<&str> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    std::str::from_utf8(&bytes[..end]).ok()
}

fn octal(bytes: &[u8]) -> Option<u64> {
    let digits = text(bytes)?.trim();
    u64::from_str_radix(digits, 8).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_back_and_damage_is_seen() {
        let long = format!("{}/{}", "f".repeat(120), "n".repeat(90));
        let files = [("a", vec![7; 3]), ("b/c.txt", Vec::new()), (long.as_str(), vec![1; 1024])];
        let mut writer = Writer(Vec::new());
        for (name, content) in &files {
            writer.add(name, content.len() as u64, &mut &content[..]).unwrap();
        }
        assert!(writer.add("x", 5, &mut &b"1234"[..]).is_err());
        let mut writer = Writer(Vec::new());
        for (name, content) in &files {
            writer.add(name, content.len() as u64, &mut &content[..]).unwrap();
        }
        let bytes = writer.finish().unwrap();
        let mut reader = Reader::new(&bytes[..]);
        for (name, content) in &files {
            let (found, size) = reader.next().unwrap().unwrap();
            let mut read = Vec::new();
            reader.content(size).read_to_end(&mut read).unwrap();
            assert_eq!((found.as_str(), &read), (*name, content));
        }
        assert_eq!(reader.next().unwrap(), None);
        for cut in [0, 100, 511, 513, bytes.len() - 1100] {
            let mut reader = Reader::new(&bytes[..cut]);
            let mut whole = || -> io::Result<()> {
                while let Some((_, size)) = reader.next()? {
                    reader.content(size).read_to_end(&mut Vec::new())?;
                }
                Ok(())
            };
            assert!(whole().is_err(), "cut at {cut}");
        }
        let mut damaged = bytes.clone();
        damaged[130] ^= 1;
        assert!(Reader::new(&damaged[..]).next().is_err());
        // What fills the block of the first file, and the end.
        for place in [515, 1023, bytes.len() - 1024, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            let mut reader = Reader::new(&damaged[..]);
            let first = (0..4).map_while(|_| reader.next().transpose()).find_map(Result::err);
            assert!(first.is_some(), "byte {place}");
        }
        let mut reader = Reader::new(&bytes[..bytes.len() - 512]);
        assert!((0..4).map_while(|_| reader.next().transpose()).any(|next| next.is_err()), "half an end");
        assert!(header(&"x".repeat(101), 0).is_err());
        assert_eq!(octal(&header("x", 9).unwrap()[124..136]), Some(9));
    }
}
